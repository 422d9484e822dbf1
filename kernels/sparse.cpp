// Compressed sparse rows: class-wise sums, and the scores of rows against a columns × classes table.
#include "kernels.hpp"

#include <limits>
#include <memory>
#include <numeric>

#include "bounds.hpp"
#include "parallel.hpp"
#include "sparse_lanes.hpp"

namespace suffice {
namespace {

// A stored NaN is a missing cell: it adds nothing, and is above no threshold.
template <class T>
inline double value_of(T v, bool step, double threshold) {
    return step ? (static_cast<double>(v) > threshold ? 1.0 : 0.0) : v == v ? static_cast<double>(v) : 0.0;
}

struct Scores {  // of one row: the table, and the sums that its cells are added to
    const double *table, *start;
    int64_t stride, classes;
    double* out;
};

// `ahead` cells from the first of the row on can be prefetched.
template <class I>
SUFFICE_INLINE void add_cells(const double* values, const I* cells, int64_t n, int64_t ahead, const Scores& s) {
    in_lanes(s.stride, [=](int64_t c, auto lanes) SUFFICE_INLINED {
        double total[4 * lanes()];
        gather<lanes()>(values, cells, 0, n, ahead, s.table + c, s.stride, s.start + c, total);
        const int64_t some = std::min<int64_t>(4 * lanes(), s.classes - c);
        for (int64_t i = 0; i < some; ++i) s.out[c + i] += total[i];
    });
}

SUFFICE_SIMD void add_row(const double* values, const int32_t* cells, int64_t n, int64_t ahead, Scores s) {
    add_cells(values, cells, n, ahead, s);
}
SUFFICE_SIMD void add_row(const double* values, const int64_t* cells, int64_t n, int64_t ahead, Scores s) {
    add_cells(values, cells, n, ahead, s);
}

}  // namespace

// Rows are taken class by class, so that a thread works on one class's row of the result: it fits the cache, needs no
// merging, and its order of addition is the order of the rows. A class with very many rows is cut into parts.
void sparse_sums(AnyVector data, AnyVector indices, AnyVector indptr, Codes y, Weights w, std::optional<double> threshold,
                 OutDoubleRows total, int threads) {
    const int64_t classes = total.shape(0), cols = total.shape(1), rows = y.shape(0), entries = data.shape(0);
    const double* weights = weights_of(w);
    const double cut = threshold.value_or(0.0);
    const bool step = threshold.has_value();
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    std::vector<int64_t> first(classes + 1, 0), order(rows);
    for (int64_t r = 0; r < rows; ++r) ++first[y.data()[r] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int64_t> fill(first.begin(), first.end() - 1);
    for (int64_t r = 0; r < rows; ++r) order[fill[y.data()[r]]++] = r;

    struct Part { int64_t klass, begin, end; };
    const int64_t most = std::clamp<int64_t>((int64_t(32) << 20) / std::max<int64_t>(1, cols * 8), 1, 16);
    const int64_t part_rows = std::max<int64_t>(4096, ceil_div(rows, most));
    std::vector<Part> parts, extra;
    for (int64_t c = 0; c < classes; ++c)
        for (int64_t b = first[c]; b < first[c + 1]; b += part_rows)
            (b == first[c] ? parts : extra).push_back({c, b, std::min(first[c + 1], b + part_rows)});
    const int64_t whole = static_cast<int64_t>(parts.size());
    std::vector<double> more(extra.size() * cols, 0.0);
    parts.insert(parts.end(), extra.begin(), extra.end());

    with_indices(indices, indptr, [&](auto* idx, auto* ptr) {
        check_indices(idx, ptr, rows, entries, cols, threads);
        with_type(data.dtype(), [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            const T* values = static_cast<const T*>(data.data());
            parallel(parts.size(), threads, entries, [&](int64_t p) {
                double* into = p < whole ? total.data() + parts[p].klass * cols : more.data() + (p - whole) * cols;
                for (int64_t at = parts[p].begin; at < parts[p].end; ++at) {
                    const int64_t r = order[at];
                    const double weight = weights ? weights[r] : 1.0;
                    if (weight == 0.0) continue;
                    for (auto k = ptr[r]; k < ptr[r + 1]; ++k) into[idx[k]] += weight * value_of(values[k], step, cut);
                }
            });
        });
    });
    for (size_t p = 0; p < extra.size(); ++p)
        for (int64_t j = 0; j < cols; ++j) total.data()[extra[p].klass * cols + j] += more[p * cols + j];
}

// The columns of the cells are read in place, so that prefetching crosses the ends of rows; values are copied to a buffer of
// one row, so the loops need no version for each value type. A run of columns is checked
// just before it is used, while it is in the cache.
void sparse_scores(AnyVector data, AnyVector indices, AnyVector indptr, std::optional<double> threshold, Doubles start,
                   DoubleRows table, OutDoubleRows out, int threads) {
    const int64_t rows = out.shape(0), classes = out.shape(1), cols = table.shape(0), stride = table.shape(1);
    const int64_t entries = data.shape(0);
    const double cut = threshold.value_or(0.0);
    const bool step = threshold.has_value();
    nb::gil_scoped_release nogil;
    constexpr int64_t kRows = 256;
    with_indices(indices, indptr, [&](auto* idx, auto* ptr) {
        check_ends(ptr, rows, entries);
        with_type(data.dtype(), [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            const T* values = static_cast<const T*>(data.data());
            parallel(ceil_div(rows, kRows), threads, entries * classes, [&](int64_t task) {
                std::vector<double> row;
                const int64_t begin = task * kRows, end = std::min(rows, begin + kRows), past = ptr[end];
                check_columns(idx, ptr[begin], past, cols);
                for (int64_t r = begin; r < end; ++r) {
                    const int64_t first = ptr[r], n = static_cast<int64_t>(ptr[r + 1]) - first;
                    if (n > static_cast<int64_t>(row.size())) row.resize(n);
                    for (int64_t k = 0; k < n; ++k) row[k] = value_of(values[first + k], step, cut);
                    add_row(row.data(), idx + first, n, past - first,
                            {table.data(), start.data(), stride, classes, out.data() + r * classes});
                }
            });
        });
    });
}

}  // namespace suffice
