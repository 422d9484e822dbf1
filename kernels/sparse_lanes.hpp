// The inner loops of sparse linear models: a table has a row of classes for every column of x, of which a sparse row selects
// those of its cells. They read single or double values and indices of 32 or 64 bits in place.
#pragma once

#include <algorithm>

#include "lanes.hpp"
#include "sparse.hpp"

namespace suffice {

constexpr int64_t kAhead = 16;  // prefetch distance: a table over words does not fit the cache

struct SparseMatrix {
    const void *values, *cells, *ends;
    bool single, wide;
    int64_t entries;

    SparseMatrix(const AnyVector& data, const AnyVector& indices, const AnyVector& indptr)
        : values(data.data()), cells(indices.data()), ends(indptr.data()), single(data.dtype() == nb::dtype<float>()),
          wide(indices.dtype() == nb::dtype<int64_t>()), entries(data.shape(0)) {
        if (!single && data.dtype() != nb::dtype<double>()) throw std::invalid_argument("sparse values must be floats");
    }
    // f(values, cells, ends), inlined for each of the four kinds, so that a cloned function may call it
    template <class F>
    SUFFICE_INLINE void with(F f) const {
        const auto *d = static_cast<const double*>(values);
        const auto *s = static_cast<const float*>(values);
        const auto *n = static_cast<const int32_t*>(cells), *m = static_cast<const int32_t*>(ends);
        const auto *w = static_cast<const int64_t*>(cells), *v = static_cast<const int64_t*>(ends);
        if (single) wide ? f(s, w, v) : f(s, n, m);
        else wide ? f(d, w, v) : f(d, n, m);
    }
};

template <int V>
SUFFICE_INLINE void ask_for(const double* row) {
    for (int v = 0; v < V; v += 2) SUFFICE_PREFETCH(row + 4 * v);
}

// out = start + Σ_k values[k] · table[cells[k]] over the cells first … last − 1
template <int V, class T, class I>
SUFFICE_INLINE void gather(const T* values, const I* cells, int64_t first, int64_t last, int64_t entries,
                           const double* table, int64_t stride, const double* start, double* out) {
    Four sum[V], other[V] = {};  // two sums, so that an addition need not wait for the one before it
    for (int v = 0; v < V; ++v) sum[v] = load<Four>(start + 4 * v);
    int64_t k = first;
    for (; k + 2 <= last; k += 2) {
        const int64_t soon = std::min(k + kAhead, entries - 2);
        ask_for<V>(table + cells[soon] * stride);
        ask_for<V>(table + cells[soon + 1] * stride);
        const double *at = table + cells[k] * stride, *next = table + cells[k + 1] * stride;
        const double x = values[k], x2 = values[k + 1];
SUFFICE_UNROLL(8)
        for (int v = 0; v < V; ++v) {
            sum[v] += x * load<Four>(at + 4 * v);
            other[v] += x2 * load<Four>(next + 4 * v);
        }
    }
    if (k < last) {
        ask_for<V>(table + cells[std::min(k + kAhead, entries - 1)] * stride);
        const double x = values[k];
        for (int v = 0; v < V; ++v) sum[v] += x * load<Four>(table + cells[k] * stride + 4 * v);
    }
    for (int v = 0; v < V; ++v) store<Four>(out + 4 * v, sum[v] + other[v]);
}

// out[r] = start + x[r] · table for the rows begin … end − 1 of x
SUFFICE_INLINE void products(const SparseMatrix& x, int64_t begin, int64_t end, const double* table, int64_t stride,
                             const double* start, double* out) {
    const int64_t entries = x.entries;
    x.with([=](auto* values, auto* cells, auto* ends) SUFFICE_INLINED {
        if (stride == 1) {
            for (int64_t r = begin; r < end; ++r) {
                double sum = *start;
                for (int64_t k = ends[r]; k < ends[r + 1]; ++k) sum += values[k] * table[cells[k]];
                out[r - begin] = sum;
            }
            return;
        }
        in_lanes(stride, [=](int64_t c, auto lanes) SUFFICE_INLINED {
            for (int64_t r = begin; r < end; ++r)
                gather<lanes()>(values, cells, ends[r], ends[r + 1], entries, table + c, stride, start + c,
                                out + (r - begin) * stride + c);
        });
    });
}

}  // namespace suffice
