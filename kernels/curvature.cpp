// Second derivatives of the multinomial cross-entropy: for classes a and b, Σ_r w p_a (δ_ab − p_b) x xᵀ with x the row
// and a one for the intercept. Every block is symmetric, and so is the whole, so only the upper half of the blocks with
// a ≤ b is summed, in tiles of 4 × 8 cells held in registers.
#include "kernels.hpp"

#include <vector>

#include "bounds.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 64;

// Upper tiles of out += Σ_r q[r] x[r] x[r]ᵀ for rows of width cells, a multiple of 8; scaled is scratch.
SUFFICE_SIMD void add_outer(const double* x, const double* q, int64_t rows, int64_t width, double* scaled, double* out) {
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t j = 0; j < width; ++j) scaled[r * width + j] = q[r] * x[r * width + j];
    for (int64_t i = 0; i < width; i += 4)
        for (int64_t j = i / 8 * 8; j < width; j += 8) {
            Four tile[4][2] = {};
            for (int64_t r = 0; r < rows; ++r) {
                const Four left = load<Four>(x + r * width + j), right = load<Four>(x + r * width + j + 4);
SUFFICE_UNROLL(4)
                for (int a = 0; a < 4; ++a) {
                    tile[a][0] += scaled[r * width + i + a] * left;
                    tile[a][1] += scaled[r * width + i + a] * right;
                }
            }
            for (int a = 0; a < 4; ++a)
                for (int b = 0; b < 2; ++b) {
                    double* to = out + (i + a) * width + j + 4 * b;
                    store<Four>(to, load<Four>(to) + tile[a][b]);
                }
        }
}

// z[r] = p of the classes that have a column, from x[r] · table
SUFFICE_SIMD void probabilities(const double* x, int64_t rows, int64_t width, const double* table, int64_t inputs, Targets t,
                                double* z) {
    for (int64_t r = 0; r < rows; ++r) {
        double* to = z + r * t.stride;
        std::fill_n(to, t.stride, 0.0);
        for (int64_t j = 0; j < inputs; ++j)
            for (int64_t c = 0; c < t.stride; ++c) to[c] += x[r * width + j] * table[j * t.stride + c];
    }
    softmax(z, rows, t);  // p − e_y with the first class as every row's label, which is then added back
    for (int64_t r = 0; r < rows && !t.reference; ++r) z[r * t.stride] += 1.0;
}

}  // namespace

void softmax_curvature(AnyMatrix array, Codes y, Weights w, Doubles class_weight, DoubleRows table, int64_t columns,
                       OutDoubleRows out, int threads) {
    const Matrix x(array);
    const int64_t classes = class_weight.shape(0), cols = x.cols, inputs = cols + 1, stride = stride_of(columns);
    const int64_t width = ceil_div(inputs, 8) * 8, pairs = columns * (columns + 1) / 2, cells = pairs * width * width;
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), x.rows, classes);
    const int64_t most = std::clamp<int64_t>((int64_t(8) << 20) / cells, 1, 64);  // 64 MiB
    const int64_t chunk_rows = std::max(4 * kRows, ceil_div(x.rows, most)), chunks = ceil_div(x.rows, chunk_rows);
    std::vector<double> partial(chunks * cells, 0.0);
    const std::vector<int32_t> first(kRows, 0);
    const std::vector<double> ones(classes, 1.0);
    const Targets targets{first.data(), nullptr, ones.data(), columns, stride, classes - columns};
    parallel(chunks, threads, x.rows * pairs * width * width, [&](int64_t chunk) {
        std::vector<double> block(kRows * width, 0.0), scaled(kRows * width), z(kRows * stride), q(kRows);
        for (int64_t row = chunk * chunk_rows; row < std::min(x.rows, (chunk + 1) * chunk_rows); row += kRows) {
            const int64_t rows = std::min(kRows, std::min(x.rows, (chunk + 1) * chunk_rows) - row);
            for (int64_t r = 0; r < rows; ++r) {
                x.gather_rows(row + r, 0, 1, cols, block.data() + r * width);
                block[r * width + cols] = 1.0;
            }
            probabilities(block.data(), rows, width, table.data(), inputs, targets, z.data());
            double* to = partial.data() + chunk * cells;
            for (int64_t a = 0; a < columns; ++a)
                for (int64_t b = a; b < columns; ++b, to += width * width) {
                    for (int64_t r = 0; r < rows; ++r) {
                        const double weight = (weights ? weights[row + r] : 1.0) * class_weight.data()[y.data()[row + r]];
                        const double p = z[r * stride + a];
                        q[r] = weight * p * ((a == b) - z[r * stride + b]);
                    }
                    add_outer(block.data(), q.data(), rows, width, scaled.data(), to);
                }
        }
    });
    const int64_t side = columns * inputs;
    const auto at = [&](int64_t i, int64_t a, int64_t j, int64_t b) -> double& {
        return out.data()[(i * columns + a) * side + j * columns + b];
    };
    for (int64_t a = 0, pair = 0; a < columns; ++a)
        for (int64_t b = a; b < columns; ++b, ++pair)
            for (int64_t i = 0; i < inputs; ++i)
                for (int64_t j = i; j < inputs; ++j) {
                    double sum = 0.0;
                    for (int64_t k = 0; k < chunks; ++k) sum += partial[k * cells + (pair * width + i) * width + j];
                    at(i, a, j, b) = at(j, a, i, b) = at(i, b, j, a) = at(j, b, i, a) = sum;
                }
}

}  // namespace suffice
