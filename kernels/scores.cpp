// Sums over columns of a function of one cell: the log densities of all families with independent columns.
//
// A block of rows is transposed into the cache; then, for one class, the function runs along the rows, four at a time,
// with the sums of sixteen rows kept in registers over all columns. A missing cell (NaN) adds nothing.
#include "kernels.hpp"

#include <cmath>
#include <memory>

#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 64, kCols = 64;
constexpr int64_t kStride = kRows + 8;  // not a power of two, or the columns of a block would fight for one cache set

struct Block {
    const double* x;  // cols columns, kStride apart
    int64_t rows, cols;
    double* score;  // one class; room for kRows
};

// score[r] += Σ_j f(x[j][r], j)
template <class Function>
SUFFICE_INLINE void add_columns(const Block& b, Function f) {
    const Four zero{};
    for (int64_t r = 0; r < b.rows; r += 16) {  // the room behind the last row is scratch
        Four sum[4] = {};
        for (int64_t j = 0; j < b.cols; ++j)
SUFFICE_UNROLL(4)
            for (int v = 0; v < 4; ++v) {
                const Four x = load<Four>(b.x + j * kStride + r + 4 * v);
                sum[v] += select(x == x, f(x, j), zero);
            }
        for (int v = 0; v < 4; ++v) {
            double* to = b.score + r + 4 * v;
            store<Four>(to, load<Four>(to) + sum[v]);
        }
    }
}

SUFFICE_SIMD void add_linear(Block b, const double* constant, const double* slope) {
    add_columns(b, [=](Four x, int64_t j) SUFFICE_INLINED { return constant[j] + slope[j] * x; });
}

SUFFICE_SIMD void add_step(Block b, double threshold, const double* below, const double* above) {
    add_columns(b, [=](Four x, int64_t j) SUFFICE_INLINED {
        const Four zero{};
        return select(x > threshold, above[j] - zero, below[j] - zero);
    });
}

SUFFICE_SIMD void add_quadratic(Block b, const double* constant, const double* centre, const double* curvature) {
    add_columns(b, [=](Four x, int64_t j) SUFFICE_INLINED {
        const Four d = x - centre[j];
        return constant[j] - curvature[j] * d * d;
    });
}

void add_student(Block b, const double* constant, const double* centre, const double* curvature, const double* power) {
    for (int64_t j = 0; j < b.cols; ++j)
        for (int64_t r = 0; r < b.rows; ++r) {
            const double x = b.x[j * kStride + r], d = x - centre[j];
            if (x == x) b.score[r] += constant[j] - power[j] * std::log1p(curvature[j] * d * d);
        }
}

// Calls add(block, where the block's parameters begin) for every block and class.
template <class Add>
void score(const AnyMatrix& array, const OutDoubleRows& out, int threads, Add&& add) {
    const Matrix x(array);
    const int64_t classes = out.shape(1);
    nb::gil_scoped_release nogil;
    parallel(ceil_div(x.rows, kRows), threads, x.rows * x.cols * classes, [&](int64_t task) {
        alignas(64) double block[kStride * kCols];
        const int64_t row = task * kRows, rows = std::min(kRows, x.rows - row);
        std::unique_ptr<double[]> sums(new double[classes * kRows]());
        for (int64_t col = 0; col < x.cols; col += kCols) {
            const int64_t cols = std::min(kCols, x.cols - col);
            x.gather_columns(row, col, rows, cols, block, kStride);
            for (int64_t c = 0; c < classes; ++c) add(Block{block, rows, cols, sums.get() + c * kRows}, c * x.cols + col);
        }
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < classes; ++c) out.data()[(row + r) * classes + c] += sums[c * kRows + r];
    });
}

}  // namespace

void linear_scores(AnyMatrix x, DoubleRows constant, DoubleRows slope, OutDoubleRows out, int threads) {
    const double *k = constant.data(), *a = slope.data();
    score(x, out, threads, [=](const Block& b, int64_t at) { add_linear(b, k + at, a + at); });
}

void step_scores(AnyMatrix x, double threshold, DoubleRows below, DoubleRows above, OutDoubleRows out, int threads) {
    const double *lo = below.data(), *hi = above.data();
    score(x, out, threads, [=](const Block& b, int64_t at) { add_step(b, threshold, lo + at, hi + at); });
}

void quadratic_scores(AnyMatrix x, DoubleRows constant, DoubleRows centre, DoubleRows curvature, OutDoubleRows out,
                      int threads) {
    const double *k = constant.data(), *m = centre.data(), *q = curvature.data();
    score(x, out, threads, [=](const Block& b, int64_t at) { add_quadratic(b, k + at, m + at, q + at); });
}

void student_scores(AnyMatrix x, DoubleRows constant, DoubleRows centre, DoubleRows curvature, DoubleRows power,
                    OutDoubleRows out, int threads) {
    const double *k = constant.data(), *m = centre.data(), *q = curvature.data(), *p = power.data();
    score(x, out, threads, [=](const Block& b, int64_t at) { add_student(b, k + at, m + at, q + at, p + at); });
}

}  // namespace suffice
