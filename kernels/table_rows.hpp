// out += Σ_k table[row[k]]: the inner loop of tables over levels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lanes.hpp"

namespace suffice {

// Up to eight lanes (32 classes) are summed in registers over all rows.
template <int V>
SUFFICE_INLINE void add_lanes(const int64_t* rows, int64_t n, const double* table, int64_t stride, int64_t classes,
                              double* out) {
    Four sum[V] = {}, other[V] = {};  // two sums, so that an addition need not wait for the one before it
    int64_t k = 0;
    for (; k + 2 <= n; k += 2) {
        const double *at = table + rows[k] * stride, *next = table + rows[k + 1] * stride;
SUFFICE_UNROLL(8)
        for (int v = 0; v < V; ++v) {
            sum[v] += load<Four>(at + 4 * v);
            other[v] += load<Four>(next + 4 * v);
        }
    }
    if (k < n) {
        const double* at = table + rows[k] * stride;
        for (int v = 0; v < V; ++v) sum[v] += load<Four>(at + 4 * v);
    }
    double total[4 * V];
    for (int v = 0; v < V; ++v) store<Four>(total + 4 * v, sum[v] + other[v]);
    for (int64_t c = 0; c < classes; ++c) out[c] += total[c];
}

// The stride of the table is a multiple of four; the padding may be any finite values.
SUFFICE_INLINE void add_table_rows(const int64_t* rows, int64_t n, const double* table, int64_t stride, int64_t classes,
                                   double* out) {
    in_lanes(stride, [=](int64_t c, auto lanes) SUFFICE_INLINED {
        add_lanes<lanes()>(rows, n, table + c, stride, std::min<int64_t>(4 * lanes(), classes - c), out + c);
    });
}

}  // namespace suffice
