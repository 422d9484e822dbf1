// Reading compressed sparse rows: the type of their indices, and whether they stay inside the table.
#pragma once

#include "matrix.hpp"
#include "parallel.hpp"

namespace suffice {

template <class F>
void with_indices(const AnyVector& indices, const AnyVector& indptr, F&& f) {
    if (indices.dtype() != indptr.dtype()) throw std::invalid_argument("indices and indptr must share one dtype");
    if (indices.dtype() == nb::dtype<int32_t>())
        f(static_cast<const int32_t*>(indices.data()), static_cast<const int32_t*>(indptr.data()));
    else if (indices.dtype() == nb::dtype<int64_t>())
        f(static_cast<const int64_t*>(indices.data()), static_cast<const int64_t*>(indptr.data()));
    else throw std::invalid_argument("indices must be int32 or int64");
}

[[noreturn]] inline void not_in_matrix() {
    throw std::invalid_argument("the sparse matrix names a column or a row that it does not have");
}

// A column index outside the table would read or write outside it; checked once, at the speed of memory.
template <class I>
void check_columns(const I* indices, int64_t first, int64_t last, int64_t cols) {
    using U = std::make_unsigned_t<I>;
    U highest = 0;
    for (int64_t i = first; i < last; ++i) highest = std::max(highest, static_cast<U>(indices[i]));
    if (last > first && static_cast<uint64_t>(highest) >= static_cast<uint64_t>(cols)) not_in_matrix();
}

template <class I>
void check_ends(const I* indptr, int64_t rows, int64_t entries) {
    bool sound = indptr[0] == 0 && static_cast<int64_t>(indptr[rows]) <= entries;
    for (int64_t r = 0; r < rows; ++r) sound &= indptr[r] <= indptr[r + 1];
    if (!sound) not_in_matrix();
}

template <class I>
void check_indices(const I* indices, const I* indptr, int64_t rows, int64_t entries, int64_t cols, int threads) {
    check_ends(indptr, rows, entries);
    constexpr int64_t kEntries = 1 << 18;
    parallel(ceil_div(entries, kEntries), threads, entries, [&](int64_t task) {
        check_columns(indices, task * kEntries, std::min(entries, (task + 1) * kEntries), cols);
    });
}

}  // namespace suffice
