// Cells of rows laid out column by column, some rows at a time, so that they stay in the cache.
#pragma once

#include <algorithm>
#include <cstdint>

namespace suffice {

// out (columns, rows) = at(row, column)
template <class Out, class At>
void column_by_column(int64_t rows, int64_t cols, Out* out, At&& at) {
    constexpr int64_t kBlock = 64;
    for (int64_t begin = 0; begin < rows; begin += kBlock)
        for (int64_t j = 0; j < cols; ++j)
            for (int64_t r = begin; r < std::min(rows, begin + kBlock); ++r) out[j * rows + r] = at(r, j);
}

}  // namespace suffice
