// Multinomial cross-entropy and its gradient from compressed sparse rows, in one read of them.
//
// Rows are taken in batches: first the threads share out the rows of a batch and leave the residuals in a buffer, then
// they share out the columns and sum the residuals onto them. So every cell of the gradient is summed by one thread, in
// the order of the rows, whatever the number of threads, and no thread needs a gradient of its own.
#include "kernels.hpp"

#include <vector>

#include "labels.hpp"
#include "parallel.hpp"
#include "softmax.hpp"
#include "sparse.hpp"
#include "table_rows.hpp"

namespace suffice {
namespace {

constexpr int64_t kBatch = 4096;

SUFFICE_SIMD void add_scores(const int64_t* cells, const double* values, int64_t n, const double* table, int64_t stride,
                             double* z) {
    if (stride == 1)
        for (int64_t k = 0; k < n; ++k) z[0] += values[k] * table[cells[k]];
    else
        add_table_rows<true>(cells, values, n, table, stride, stride, z);
}

SUFFICE_SIMD double to_residuals(double* z, int64_t rows, Targets t) { return softmax(z, rows, t); }

// gradient[cells[k]] += values[k] · residual for V lanes of classes
template <int V>
SUFFICE_INLINE void spread_lanes(const int64_t* cells, const double* values, int64_t n, const double* residual,
                                 int64_t stride, double* gradient) {
    constexpr int64_t kAhead = 12;  // as in table_rows.hpp
    Four lane[V];
    for (int v = 0; v < V; ++v) lane[v] = load<Four>(residual + 4 * v);
    for (int64_t k = 0; k < n; ++k) {
        const double* soon = gradient + cells[std::min(k + kAhead, n - 1)] * stride;
        for (int v = 0; v < V; v += 2) __builtin_prefetch(soon + 4 * v, 1);
        double* to = gradient + cells[k] * stride;
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) store<Four>(to + 4 * v, load<Four>(to + 4 * v) + values[k] * lane[v]);
    }
}

SUFFICE_SIMD void spread(const int64_t* cells, const double* values, int64_t n, const double* residual, int64_t stride,
                         double* gradient) {
    if (stride == 1) {
        for (int64_t k = 0; k < n; ++k) gradient[cells[k]] += values[k] * residual[0];
        return;
    }
    int64_t v = 0;
    for (; v + 20 <= stride; v += 20) spread_lanes<5>(cells, values, n, residual + v, stride, gradient + v);
    for (; v + 8 <= stride; v += 8) spread_lanes<2>(cells, values, n, residual + v, stride, gradient + v);
    if (v < stride) spread_lanes<1>(cells, values, n, residual + v, stride, gradient + v);
}

// A row, or part of it, in the types of the inner loops.
struct Row {
    std::vector<int64_t> cells;
    std::vector<double> values;

    template <class T, class I>
    int64_t take(const I* indices, const T* data, int64_t first, int64_t last) {
        const int64_t n = last - first;
        if (n > static_cast<int64_t>(cells.size())) cells.resize(n), values.resize(n);
        for (int64_t k = 0; k < n; ++k) cells[k] = indices[first + k], values[k] = static_cast<double>(data[first + k]);
        return n;
    }
    bool in_order(int64_t n) const {
        bool rising = true;
        for (int64_t k = 1; k < n; ++k) rising &= cells[k - 1] < cells[k];
        return rising;
    }
};

// Columns that cut the stored cells into parts of about the same number. They may depend on the threads; no sum does.
template <class I>
std::vector<int64_t> cuts(const I* indices, int64_t entries, int64_t cols, int64_t parts) {
    std::vector<I> some;
    const int64_t step = std::max<int64_t>(1, entries / 4096);
    for (int64_t k = 0; k < entries; k += step) some.push_back(indices[k]);
    std::sort(some.begin(), some.end());
    std::vector<int64_t> out(parts + 1, cols);
    out[0] = 0;
    for (int64_t p = 1; p < parts && !some.empty(); ++p) out[p] = some[some.size() * p / parts];
    return out;
}

}  // namespace

double sparse_softmax_loss(AnyVector data, AnyVector indices, AnyVector indptr, Codes y, Weights w, Doubles class_weight,
                           DoubleRows table, int64_t columns, OutDoubleRows gradient, int threads) {
    const int64_t rows = y.shape(0), classes = class_weight.shape(0), entries = data.shape(0);
    const int64_t cols = table.shape(0) - 1, stride = stride_of(columns);
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    std::vector<double> z(std::min(rows, kBatch) * stride), losses(ceil_div(kBatch, kSoftmaxRows));
    std::fill_n(gradient.data(), (cols + 1) * stride, 0.0);
    const double* intercept = table.data() + cols * stride;
    double* intercepts = gradient.data() + cols * stride;
    std::atomic<bool> in_order{true};
    double loss = 0.0;
    with_indices(indices, indptr, [&](auto* idx, auto* ptr) {
        check_indices(idx, ptr, rows, entries, cols, threads);
        const int64_t parts = threads > 1 ? 2 * threads : 1;
        const std::vector<int64_t> cut = cuts(idx, entries, cols, parts);
        with_type(data.dtype(), [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            const T* values = static_cast<const T*>(data.data());
            for (int64_t first = 0; first < rows; first += kBatch) {
                const int64_t last = std::min(rows, first + kBatch), runs = ceil_div(last - first, kSoftmaxRows);
                const int64_t work = (ptr[last] - ptr[first]) * stride;
                parallel(runs, threads, work, [&](int64_t run) {
                    Row row;
                    const int64_t begin = first + run * kSoftmaxRows, end = std::min(last, begin + kSoftmaxRows);
                    double* mine = z.data() + (begin - first) * stride;
                    for (int64_t r = begin; r < end; ++r) {
                        double* to = mine + (r - begin) * stride;
                        std::copy_n(intercept, stride, to);
                        const int64_t n = row.take(idx, values, ptr[r], ptr[r + 1]);
                        if (!row.in_order(n)) in_order = false;
                        add_scores(row.cells.data(), row.values.data(), n, table.data(), stride, to);
                    }
                    losses[run] = to_residuals(mine, end - begin,
                                               {y.data() + begin, weights ? weights + begin : nullptr,
                                                class_weight.data(), columns, stride, classes - columns});
                });
                for (int64_t run = 0; run < runs; ++run) loss += losses[run];
                for (int64_t r = 0; r < last - first; ++r)
                    for (int64_t c = 0; c < stride; ++c) intercepts[c] += z[r * stride + c];
                parallel(parts, threads, work, [&](int64_t part) {
                    Row row;
                    for (int64_t r = first; r < last; ++r) {
                        const auto* from = std::lower_bound(idx + ptr[r], idx + ptr[r + 1], cut[part]);
                        const auto* to = std::lower_bound(from, idx + ptr[r + 1], cut[part + 1]);
                        const int64_t n = row.take(idx, values, from - idx, to - idx);
                        spread(row.cells.data(), row.values.data(), n, z.data() + (r - first) * stride, stride,
                               gradient.data());
                    }
                });
            }
        });
    });
    if (!in_order) throw std::invalid_argument("the columns of a sparse row must be in order, each named once");
    return loss;
}

}  // namespace suffice
