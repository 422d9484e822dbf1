// Multinomial cross-entropy and its gradient in one read of the rows: a block of rows is scored against the table of
// weights, the scores are turned into residuals, and the residuals are summed back onto the columns, all in the cache.
//
// The table has a row of classes for every column of x, and one more for the intercept; sums over classes and over rows are
// both computed in register tiles.
#include "kernels.hpp"

#include <numeric>
#include <vector>

#include "bounds.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

struct Block {
    const double* x;
    int64_t x_stride, rows, cols;
};

// z[r] = intercept + Σ_j x[r, j] table[j] for R rows and V lanes of classes
template <int R, int V>
SUFFICE_INLINE void score_tile(const double* x, int64_t x_stride, int64_t cols, const double* table, int64_t stride,
                               double* z) {
    Four sum[R][V];
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) sum[r][v] = load<Four>(table + cols * stride + 4 * v);
    for (int64_t j = 0; j < cols; ++j) {
        Four lane[V];
        for (int v = 0; v < V; ++v) lane[v] = load<Four>(table + j * stride + 4 * v);
SUFFICE_UNROLL(8)
        for (int r = 0; r < R; ++r)
            for (int v = 0; v < V; ++v) sum[r][v] += x[r * x_stride + j] * lane[v];
    }
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) store<Four>(z + r * stride + 4 * v, sum[r][v]);
}

template <int R, int V>
SUFFICE_INLINE void score_lanes(const Block& b, const double* table, int64_t stride, double* z) {
    int64_t r = 0;
    for (; r + R <= b.rows; r += R) score_tile<R, V>(b.x + r * b.x_stride, b.x_stride, b.cols, table, stride, z + r * stride);
    for (; r < b.rows; ++r) score_tile<1, V>(b.x + r * b.x_stride, b.x_stride, b.cols, table, stride, z + r * stride);
}

// One column of scores: along the columns of x instead, four at a time.
template <int R>
SUFFICE_INLINE void score_dot(const double* x, int64_t x_stride, int64_t cols, const double* table, double* z) {
    Four sum[R] = {};
    double rest[R];
    for (int r = 0; r < R; ++r) rest[r] = table[cols];
    int64_t j = 0;
    for (; j + 4 <= cols; j += 4) {
        const Four lane = load<Four>(table + j);
SUFFICE_UNROLL(8)
        for (int r = 0; r < R; ++r) sum[r] += load<Four>(x + r * x_stride + j) * lane;
    }
    for (; j < cols; ++j)
        for (int r = 0; r < R; ++r) rest[r] += x[r * x_stride + j] * table[j];
    for (int r = 0; r < R; ++r) z[r] = rest[r] + sum_of(sum[r]);
}

// gradient[j] += Σ_r x[r, j] residual[r] for J columns and V lanes of classes
template <int J, int V>
SUFFICE_INLINE void gradient_tile(const Block& b, int64_t j, const double* residual, int64_t stride, double* gradient) {
    Four sum[J][V] = {};
    for (int64_t r = 0; r < b.rows; ++r) {
        Four lane[V];
        for (int v = 0; v < V; ++v) lane[v] = load<Four>(residual + r * stride + 4 * v);
        const double* x = b.x + r * b.x_stride + j;
SUFFICE_UNROLL(8)
        for (int i = 0; i < J; ++i)
            for (int v = 0; v < V; ++v) sum[i][v] += x[i] * lane[v];
    }
    for (int i = 0; i < J; ++i)
        for (int v = 0; v < V; ++v) {
            double* to = gradient + (j + i) * stride + 4 * v;
            store<Four>(to, load<Four>(to) + sum[i][v]);
        }
}

template <int J, int V>
SUFFICE_INLINE void gradient_lanes(const Block& b, const double* residual, int64_t stride, double* gradient) {
    int64_t j = 0;
    for (; j + J <= b.cols; j += J) gradient_tile<J, V>(b, j, residual, stride, gradient);
    for (; j < b.cols; ++j) gradient_tile<1, V>(b, j, residual, stride, gradient);
}

template <int L>
SUFFICE_INLINE void gradient_run(const Block& b, int64_t j, const double* residual, double* gradient) {
    Four sum[L] = {};
    for (int64_t r = 0; r < b.rows; ++r) {
        const double* x = b.x + r * b.x_stride + j;
SUFFICE_UNROLL(8)
        for (int i = 0; i < L; ++i) sum[i] += residual[r] * load<Four>(x + 4 * i);
    }
    for (int i = 0; i < L; ++i) store<Four>(gradient + j + 4 * i, load<Four>(gradient + j + 4 * i) + sum[i]);
}

// The loss of a block; its part of the gradient is added.
SUFFICE_SIMD double add_block(Block b, const double* table, Targets t, double* z, double* gradient) {
    const int64_t stride = t.stride;
    if (stride == 1) {
        int64_t r = 0;
        for (; r + 8 <= b.rows; r += 8) score_dot<8>(b.x + r * b.x_stride, b.x_stride, b.cols, table, z + r);
        for (; r < b.rows; ++r) score_dot<1>(b.x + r * b.x_stride, b.x_stride, b.cols, table, z + r);
    } else {
        int64_t v = 0;
        for (; v + 8 <= stride; v += 8) score_lanes<4, 2>(b, table + v, stride, z + v);
        if (v < stride) score_lanes<8, 1>(b, table + v, stride, z + v);
    }
    const double loss = softmax(z, b.rows, t);
    if (stride == 1) {
        int64_t j = 0;
        for (; j + 32 <= b.cols; j += 32) gradient_run<8>(b, j, z, gradient);
        for (; j + 4 <= b.cols; j += 4) gradient_run<1>(b, j, z, gradient);
        for (; j < b.cols; ++j)
            for (int64_t r = 0; r < b.rows; ++r) gradient[j] += b.x[r * b.x_stride + j] * z[r];
    } else {
        int64_t v = 0;
        for (; v + 8 <= stride; v += 8) gradient_lanes<4, 2>(b, z + v, stride, gradient + v);
        if (v < stride) gradient_lanes<8, 1>(b, z + v, stride, gradient + v);
    }
    for (int64_t r = 0; r < b.rows; ++r)
        for (int64_t c = 0; c < stride; ++c) gradient[b.cols * stride + c] += z[r * stride + c];
    return loss;
}

SUFFICE_SIMD double to_residuals(double* z, int64_t rows, Targets t) { return softmax(z, rows, t); }

}  // namespace

double softmax_residuals(OutDoubleRows scores, Codes y, Weights w, Doubles class_weight, int64_t columns, int threads) {
    const int64_t rows = y.shape(0), classes = class_weight.shape(0), stride = stride_of(columns);
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    std::vector<double> losses(ceil_div(rows, kSoftmaxRows));
    parallel(losses.size(), threads, rows * stride * 8, [&](int64_t run) {
        const int64_t row = run * kSoftmaxRows;
        losses[run] = to_residuals(scores.data() + row * stride, std::min(kSoftmaxRows, rows - row),
                                   {y.data() + row, weights ? weights + row : nullptr, class_weight.data(), columns,
                                    stride, classes - columns});
    });
    return std::accumulate(losses.begin(), losses.end(), 0.0);
}

double softmax_loss(AnyMatrix array, Codes y, Weights w, Doubles class_weight, DoubleRows table, int64_t columns,
                    OutDoubleRows gradient, int threads) {
    const Matrix x(array);
    const int64_t classes = class_weight.shape(0), cols = x.cols, stride = stride_of(columns), cells = (cols + 1) * stride;
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), x.rows, classes);
    // chunks of rows, each with its own gradient: enough to balance the threads, few enough to fit 32 MiB
    const int64_t most = std::clamp<int64_t>((int64_t(4) << 20) / cells, 1, 64);
    const int64_t least = std::max<int64_t>(1, (int64_t(1) << 18) / cells);
    const int64_t chunk_rows = std::max(least, ceil_div(x.rows, most)), chunks = ceil_div(x.rows, chunk_rows);
    const int64_t height = std::clamp<int64_t>(2560 / std::max<int64_t>(1, cols), 8, kSoftmaxRows);  // to fit the first cache
    std::vector<double> partial(chunks * (cells + 1), 0.0);
    parallel(chunks, threads, x.rows * cells, [&](int64_t chunk) {
        double* mine = partial.data() + chunk * (cells + 1);
        const int64_t end = std::min(x.rows, (chunk + 1) * chunk_rows);
        std::vector<double> z(height * stride), copy;
        for (int64_t row = chunk * chunk_rows; row < end; row += height) {
            Block b{x.rows_in_place<double>(row, 0), x.row_stride, std::min(height, end - row), cols};
            if (!b.x) {
                copy.resize(height * cols);
                x.gather_rows(row, 0, b.rows, cols, copy.data());
                b.x = copy.data();
                b.x_stride = cols;
            }
            const Targets t{y.data() + row, weights ? weights + row : nullptr, class_weight.data(), columns, stride,
                            classes - columns};
            mine[cells] += add_block(b, table.data(), t, z.data(), mine);
        }
    });
    double loss = 0.0;
    std::fill_n(gradient.data(), cells, 0.0);
    for (int64_t k = 0; k < chunks; ++k) {
        const double* part = partial.data() + k * (cells + 1);
        for (int64_t i = 0; i < cells; ++i) gradient.data()[i] += part[i];
        loss += part[cells];
    }
    return loss;
}

}  // namespace suffice
