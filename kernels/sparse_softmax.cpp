// Multinomial cross-entropy and its gradient from compressed sparse rows, in one read of them.
//
// Rows are taken in batches: first the threads share out the rows of a batch and leave the residuals in a buffer, then
// they share out the columns and sum the residuals onto them. So every cell of the gradient is summed by one thread, in the
// order of the rows, for any number of threads, and no thread needs its own gradient.
#include "kernels.hpp"

#include <vector>

#include "bounds.hpp"
#include "parallel.hpp"
#include "softmax.hpp"
#include "sparse_lanes.hpp"

namespace suffice {
namespace {

constexpr int64_t kBatch = 4096;

// Scores of the rows begin … end − 1, which become residuals; their loss. offset: of these rows, or null.
SUFFICE_SIMD double to_residuals(SparseMatrix x, int64_t begin, int64_t end, const double* table, const double* intercept,
                                 const double* offset, Targets t, double* z) {
    products(x, begin, end, table, t.stride, intercept, z);
    if (offset)
        for (int64_t i = 0; i < (end - begin) * t.stride; ++i) z[i] += offset[i];
    return softmax(z, end - begin, t);
}

// gradient[cells[k]] += values[k] · residual for V lanes of classes, over cells of the columns low … high − 1
template <int V, class T, class I>
SUFFICE_INLINE void spread(const T* values, const I* cells, int64_t first, int64_t last, int64_t low, int64_t high,
                           const double* residual, int64_t stride, double* gradient) {
    Four lane[V];
    for (int v = 0; v < V; ++v) lane[v] = load<Four>(residual + 4 * v);
    for (int64_t k = first; k < last; ++k) {
        if (cells[k] < low || cells[k] >= high) continue;
        ask_for<V>(gradient + cells[std::min(k + kAhead, last - 1)] * stride);
        double* to = gradient + cells[k] * stride;
        const double x = values[k];
SUFFICE_UNROLL(8)
        for (int v = 0; v < V; ++v) store<Four>(to + 4 * v, load<Four>(to + 4 * v) + x * lane[v]);
    }
}

// The residuals of the rows begin … end − 1, summed onto the columns low … high − 1. Sorted rows are searched by bisection,
// others scanned.
SUFFICE_SIMD void add_gradient(SparseMatrix x, int64_t begin, int64_t end, int64_t low, int64_t high, bool in_order,
                               const double* z, int64_t stride, double* gradient) {
    x.with([=](auto* values, auto* cells, auto* ends) SUFFICE_INLINED {
        for (int64_t r = begin; r < end; ++r) {
            int64_t first = ends[r], last = ends[r + 1];
            if (in_order) {
                first = std::lower_bound(cells + first, cells + last, low) - cells;
                last = std::lower_bound(cells + first, cells + last, high) - cells;
            }
            const double* residual = z + (r - begin) * stride;
            if (stride == 1) {
                for (int64_t k = first; k < last; ++k)
                    if (cells[k] >= low && cells[k] < high) gradient[cells[k]] += values[k] * residual[0];
                continue;
            }
            in_lanes(stride, [=](int64_t c, auto lanes) SUFFICE_INLINED {
                spread<lanes()>(values, cells, first, last, low, high, residual + c, stride, gradient + c);
            });
        }
    });
}

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

template <class I>
bool are_in_order(const I* indices, const I* indptr, int64_t rows) {
    bool rising = true;
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t k = indptr[r] + 1; k < indptr[r + 1]; ++k) rising &= indices[k - 1] < indices[k];
    return rising;
}

}  // namespace

double sparse_softmax_loss(AnyVector data, AnyVector indices, AnyVector indptr, Codes y, Weights w, Doubles class_weight,
                           std::optional<DoubleRows> offset, DoubleRows table, int64_t columns, OutDoubleRows gradient,
                           int threads) {
    const SparseMatrix x(data, indices, indptr);
    const int64_t rows = y.shape(0), classes = class_weight.shape(0), cols = table.shape(0) - 1, stride = stride_of(columns);
    const double *weights = weights_of(w), *intercept = table.data() + cols * stride;
    double* intercepts = gradient.data() + cols * stride;
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    std::vector<double> z(std::min(rows, kBatch) * stride), losses(kBatch / kSoftmaxRows);
    std::fill_n(gradient.data(), (cols + 1) * stride, 0.0);
    const int64_t parts = threads > 1 ? 2 * threads : 1;
    std::vector<int64_t> cut;
    bool in_order = true;
    with_indices(indices, indptr, [&](auto* idx, auto* ptr) {
        check_indices(idx, ptr, rows, x.entries, cols, threads);
        cut = cuts(idx, x.entries, cols, parts);
        in_order = are_in_order(idx, ptr, rows);
    });
    double loss = 0.0;
    for (int64_t first = 0; first < rows; first += kBatch) {
        const int64_t last = std::min(rows, first + kBatch), runs = ceil_div(last - first, kSoftmaxRows);
        const int64_t work = x.entries / ceil_div(rows, kBatch) * stride;
        parallel(runs, threads, work, [&](int64_t run) {
            const int64_t begin = first + run * kSoftmaxRows, end = std::min(last, begin + kSoftmaxRows);
            double* mine = z.data() + (begin - first) * stride;
            losses[run] = to_residuals(x, begin, end, table.data(), intercept,
                                       offset ? offset->data() + begin * stride : nullptr,
                                       {y.data() + begin, weights ? weights + begin : nullptr, class_weight.data(),
                                        columns, stride, classes - columns},
                                       mine);
        });
        for (int64_t run = 0; run < runs; ++run) loss += losses[run];
        for (int64_t r = 0; r < last - first; ++r)
            for (int64_t c = 0; c < stride; ++c) intercepts[c] += z[r * stride + c];
        parallel(parts, threads, work, [&](int64_t part) {
            add_gradient(x, first, last, cut[part], cut[part + 1], in_order, z.data(), stride, gradient.data());
        });
    }
    return loss;
}

}  // namespace suffice
