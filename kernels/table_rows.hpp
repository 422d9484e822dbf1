// out += Σ_k weight[k] · table[row[k]] (weights being one for levels): the one inner loop of tables over levels and of sparse rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simd.hpp"

namespace suffice {

// Up to eight lanes (32 classes) are summed in registers while the rows go by. A table over words does not fit the
// cache, so its rows are asked for some way ahead; one over levels does.
template <int V, bool words>
SUFFICE_INLINE void add_lanes(const int64_t* rows, const double* weights, int64_t n, const double* table, int64_t stride,
                              int64_t classes, double* out) {
    constexpr int64_t kAhead = 12;
    const Four zero{};
    Four sum[V] = {}, other[V] = {};  // two sums, so that an addition need not wait for the one before it
    int64_t k = 0;
    for (; k + 2 <= n; k += 2) {
        const double *at = table + rows[k] * stride, *next = table + rows[k + 1] * stride;
        Four w = zero, w2 = zero;
        if constexpr (words) {
            for (int64_t ahead = k + kAhead; ahead < k + kAhead + 2; ++ahead) {
                const double* soon = table + rows[std::min(ahead, n - 1)] * stride;
                for (int v = 0; v < V; v += 2) __builtin_prefetch(soon + 4 * v);
            }
            w = weights[k] - zero;
            w2 = weights[k + 1] - zero;
        }
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
            sum[v] += words ? w * load<Four>(at + 4 * v) : load<Four>(at + 4 * v);
            other[v] += words ? w2 * load<Four>(next + 4 * v) : load<Four>(next + 4 * v);
        }
    }
    if (k < n) {
        const double* at = table + rows[k] * stride;
        const Four w = (words ? weights[k] : 1.0) - zero;
        for (int v = 0; v < V; ++v) sum[v] += w * load<Four>(at + 4 * v);
    }
    for (int v = 0; v < V; ++v) sum[v] += other[v];
    double total[4 * V];
    for (int v = 0; v < V; ++v) store<Four>(total + 4 * v, sum[v]);
    for (int64_t c = 0; c < classes; ++c) out[c] += total[c];
}

// The table has a stride that is a multiple of four, what is beyond the classes being anything finite.
template <bool words>
SUFFICE_INLINE void add_table_rows(const int64_t* rows, const double* weights, int64_t n, const double* table,
                                   int64_t stride, int64_t classes, double* out) {
    for (int64_t c = 0; c < classes; c += 32) {
        const int64_t some = std::min<int64_t>(32, classes - c);
        const double* from = table + c;
        switch ((some + 3) / 4) {
            case 1: add_lanes<1, words>(rows, weights, n, from, stride, some, out + c); break;
            case 2: add_lanes<2, words>(rows, weights, n, from, stride, some, out + c); break;
            case 3: add_lanes<3, words>(rows, weights, n, from, stride, some, out + c); break;
            case 4: add_lanes<4, words>(rows, weights, n, from, stride, some, out + c); break;
            case 5: add_lanes<5, words>(rows, weights, n, from, stride, some, out + c); break;
            case 6: add_lanes<6, words>(rows, weights, n, from, stride, some, out + c); break;
            case 7: add_lanes<7, words>(rows, weights, n, from, stride, some, out + c); break;
            default: add_lanes<8, words>(rows, weights, n, from, stride, some, out + c);
        }
    }
}

}  // namespace suffice
