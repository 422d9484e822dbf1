// Matrix products with the cells of a row: squared Mahalanobis distances to every class, and linear scores.
//
// A block of rows is centred and transposed into the cache; four rows of the matrix are multiplied with
// eight rows of the block at a time, the sums in registers. A missing cell (NaN) makes the result of its row NaN.
#include "kernels.hpp"

#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 64;
constexpr int64_t kStride = kRows + 8;  // not a power of two, or the columns of a block would fight for one cache set

// The rows of a matrix, four side by side, so that one column of the four is one load: [tile][column][4].
std::vector<double> packed(const double* matrix, int64_t rows, int64_t cols) {
    const int64_t tiles = ceil_div(rows, 4);
    std::vector<double> out(tiles * cols * 4, 0.0);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j) out[(i / 4 * cols + j) * 4 + i % 4] = matrix[i * cols + j];
    return out;
}

// sum[a][b] = Σ_j four[j][a] · x[j][r + 4 b …]
SUFFICE_INLINE void multiply(const double* four, const double* x, int64_t from, int64_t cols, Four (&sum)[4][2]) {
    for (int64_t j = from; j < cols; ++j) {
        const Four left = load<Four>(x + j * kStride), right = load<Four>(x + j * kStride + 4);
SUFFICE_UNROLL(4)
        for (int a = 0; a < 4; ++a) {
            sum[a][0] += four[j * 4 + a] * left;
            sum[a][1] += four[j * 4 + a] * right;
        }
    }
}

// distance[c][r] += |root · x_r − offset_c|² for classes c from first to last, with an upper triangular root.
SUFFICE_SIMD void add_distances(const double* root, const double* x, int64_t rows, int64_t cols, const double* offset,
                                int64_t first, int64_t last, double* distance) {
    for (int64_t r = 0; r < rows; r += 8)  // the room behind the last row is scratch
        for (int64_t i = 0; i < cols; i += 4) {
            Four sum[4][2] = {};
            multiply(root + i * cols, x + r, i, cols, sum);
            for (int64_t c = first; c < last; ++c)
                for (int b = 0; b < 2; ++b) {
                    double* to = distance + c * kRows + r + 4 * b;
                    Four total = load<Four>(to);
                    for (int64_t a = 0; a < std::min<int64_t>(4, cols - i); ++a) {
                        const Four away = sum[a][b] - offset[c * cols + i + a];
                        total += away * away;
                    }
                    store<Four>(to, total);
                }
        }
}

// score[c][r] = slope_c · x_r
SUFFICE_SIMD void set_products(const double* slope, const double* x, int64_t rows, int64_t cols, int64_t classes,
                               double* score) {
    for (int64_t r = 0; r < rows; r += 8)
        for (int64_t c = 0; c < classes; c += 4) {
            Four sum[4][2] = {};
            multiply(slope + c * cols, x + r, 0, cols, sum);
            for (int64_t a = 0; a < std::min<int64_t>(4, classes - c); ++a)
                for (int b = 0; b < 2; ++b) store<Four>(score + (c + a) * kRows + r + 4 * b, sum[a][b]);
        }
}

// The rows of a block less a centre, a column at a time.
SUFFICE_SIMD void take_off(const double* block, const double* centre, int64_t cols, double* out) {
    for (int64_t j = 0; j < cols; ++j)
        for (int64_t r = 0; r < kRows; ++r) out[j * kStride + r] = block[j * kStride + r] - centre[j];
}

// Calls work(block, rows, scratch, result) for every block of rows, then hands result [classes][kRows] to finish.
template <class Work, class Finish>
void by_blocks(const Matrix& x, int64_t classes, int64_t steps, int threads, Work&& work, Finish&& finish) {
    parallel(ceil_div(x.rows, kRows), threads, x.rows * steps, [&](int64_t task) {
        std::vector<double> block(2 * x.cols * kStride), result(classes * kRows, 0.0);
        const int64_t row = task * kRows, rows = std::min(kRows, x.rows - row);
        x.gather_columns(row, 0, rows, x.cols, block.data(), kStride);
        work(block.data(), rows, block.data() + x.cols * kStride, result.data());
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < classes; ++c) finish(row + r, c, result[c * kRows + r]);
    });
}

}  // namespace

void distances(AnyMatrix array, DoubleRows centre, DoubleRows root, DoubleRows offset, OutDoubleRows out, int threads) {
    const Matrix x(array);
    const int64_t classes = out.shape(1), roots = centre.shape(0), cols = x.cols;
    nb::gil_scoped_release nogil;
    std::vector<std::vector<double>> tiles;
    for (int64_t s = 0; s < roots; ++s) tiles.push_back(packed(root.data() + s * cols * cols, cols, cols));
    by_blocks(
        x, classes, roots * cols * cols, threads,
        [&](const double* block, int64_t rows, double* scratch, double* distance) {
            for (int64_t s = 0; s < roots; ++s) {
                take_off(block, centre.data() + s * cols, cols, scratch);
                const bool shared = roots == 1;
                add_distances(tiles[s].data(), scratch, rows, cols, offset.data(), shared ? 0 : s,
                              shared ? classes : s + 1, distance);
            }
        },
        [&](int64_t r, int64_t c, double value) { out.data()[r * classes + c] = value; });
}

void affine_scores(AnyMatrix array, Doubles centre, DoubleRows slope, Doubles constant, OutDoubleRows out, int threads) {
    const Matrix x(array);
    const int64_t classes = out.shape(1), cols = x.cols;
    nb::gil_scoped_release nogil;
    const std::vector<double> tiles = packed(slope.data(), classes, cols);
    by_blocks(
        x, classes, classes * cols, threads,
        [&](const double* block, int64_t rows, double* scratch, double* score) {
            take_off(block, centre.data(), cols, scratch);
            set_products(tiles.data(), scratch, rows, cols, classes, score);
        },
        [&](int64_t r, int64_t c, double value) { out.data()[r * classes + c] += constant.data()[c] + value; });
}

}  // namespace suffice
