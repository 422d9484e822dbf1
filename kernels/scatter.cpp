// Class-wise weight, mean vector and centred second-moment matrix of the complete rows, in one read of the data.
//
// As in moments.cpp, rows are measured from the mean m of those before them: with d = x − m, s = Σ w d and S = Σ w d dᵀ
// of a block, the new mean is m + s / n and the new matrix M + S − s sᵀ / n. The deviations of one class in a block are
// packed side by side, and S is summed in tiles of 4 × 8 cells held in registers.
#include "kernels.hpp"

#include <cmath>

#include "bounds.hpp"
#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kBlockRows = 128;

// Upper tiles of S += PᵀP for rows × width packed deviations, width a multiple of 8.
SUFFICE_SIMD void add_outer(const double* packed, int64_t rows, int64_t width, double* out) {
    for (int64_t i = 0; i < width; i += 4)
        for (int64_t j = i / 8 * 8; j < width; j += 8) {
            Four tile[4][2] = {};
            for (int64_t r = 0; r < rows; ++r) {
                const double* p = packed + r * width;
                const Four left = load<Four>(p + j), right = load<Four>(p + j + 4);
SUFFICE_UNROLL(4)
                for (int a = 0; a < 4; ++a) {
                    tile[a][0] += p[i + a] * left;
                    tile[a][1] += p[i + a] * right;
                }
            }
            for (int a = 0; a < 4; ++a)
                for (int b = 0; b < 2; ++b) {
                    double* to = out + (i + a) * width + j + 4 * b;
                    store<Four>(to, load<Four>(to) + tile[a][b]);
                }
        }
}

// One class: its weight, mean and the upper part of its matrix, padded to a multiple of 8.
struct Cell {
    double weight = 0.0;
    std::vector<double> mean, m2;
};

class Accumulator {
  public:
    Accumulator(int64_t classes, int64_t cols)
        : cells(classes), cols_(cols), width_(ceil_div(std::max<int64_t>(cols, 1), 8) * 8),
          packed_(kBlockRows * width_), sum_(width_) {}

    std::vector<Cell> cells;

    // rows × cols values; order lists the rows of one class.
    void add(Cell& cell, const double* x, const std::vector<int64_t>& order, const double* w) {
        if (cell.mean.empty()) {
            cell.mean.assign(width_, 0.0);
            cell.m2.assign(width_ * width_, 0.0);
            double n = 0.0;
            for (int64_t r : order) {
                const double weight = w ? w[r] : 1.0;
                n += weight;
                for (int64_t j = 0; j < cols_; ++j) cell.mean[j] += weight * x[r * cols_ + j];
            }
            for (int64_t j = 0; j < cols_; ++j) cell.mean[j] /= n;
        }
        std::fill(sum_.begin(), sum_.end(), 0.0);
        double* to = packed_.data();
        for (int64_t r : order) {
            const double weight = w ? w[r] : 1.0, root = std::sqrt(weight);
            cell.weight += weight;
            for (int64_t j = 0; j < cols_; ++j) {
                const double d = x[r * cols_ + j] - cell.mean[j];
                sum_[j] += weight * d;
                to[j] = root * d;
            }
            to += width_;
        }
        add_outer(packed_.data(), static_cast<int64_t>(order.size()), width_, cell.m2.data());
        for (int64_t i = 0; i < cols_; ++i) {
            const double step = sum_[i] / cell.weight;
            for (int64_t j = i; j < cols_; ++j) cell.m2[i * width_ + j] -= step * sum_[j];
            cell.mean[i] += step;
        }
    }

    int64_t width() const { return width_; }

  private:
    int64_t cols_, width_;
    std::vector<double> packed_, sum_;
};

}  // namespace

void scatter(AnyMatrix array, Codes y, Weights w, OutDoubles weight, OutDoubleRows mean, OutDoubleRows m2, int threads) {
    const Matrix x(array);
    const int64_t classes = weight.shape(0), cols = x.cols;
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), x.rows, classes);
    const Plan plan(x.rows, 1, classes * (cols + 8) * (cols + 8));
    std::vector<std::vector<Cell>> chunks(plan.chunks);
    parallel(plan.chunks, threads, x.rows * cols * cols, [&](int64_t chunk) {
        Accumulator accumulator(classes, cols);
        std::vector<double> block(kBlockRows * std::max<int64_t>(cols, 1));
        std::vector<std::vector<int64_t>> order(classes);
        const int64_t end = std::min(x.rows, (chunk + 1) * plan.chunk_rows);
        for (int64_t row = chunk * plan.chunk_rows; row < end; row += kBlockRows) {
            const int64_t rows = std::min(kBlockRows, end - row);
            const double* block_weights = weights ? weights + row : nullptr;
            x.gather_rows(row, 0, rows, cols, block.data());
            for (auto& some : order) some.clear();
            for (int64_t r = 0; r < rows; ++r) {
                bool complete = !block_weights || block_weights[r] > 0.0;
                for (int64_t j = 0; j < cols; ++j) complete = complete && block[r * cols + j] == block[r * cols + j];
                if (complete) order[y.data()[row + r]].push_back(r);
            }
            for (int64_t c = 0; c < classes; ++c)
                if (!order[c].empty()) accumulator.add(accumulator.cells[c], block.data(), order[c], block_weights);
        }
        chunks[chunk] = std::move(accumulator.cells);
    });
    const int64_t width = Accumulator(1, cols).width();
    for (int64_t c = 0; c < classes; ++c) {
        double* means = mean.data() + c * cols;
        double* matrix = m2.data() + c * cols * cols;
        double n = 0.0;
        for (const auto& cells : chunks) {
            const Cell& part = cells[c];
            if (part.weight == 0.0) continue;
            const double total = n + part.weight, share = part.weight / total;
            for (int64_t i = 0; i < cols; ++i) {
                const double delta = n > 0.0 ? part.mean[i] - means[i] : 0.0;
                for (int64_t j = i; j < cols; ++j)
                    matrix[i * cols + j] += part.m2[i * width + j] + n * share * delta * (n > 0.0 ? part.mean[j] - means[j] : 0.0);
            }
            for (int64_t j = 0; j < cols; ++j) means[j] = n > 0.0 ? means[j] + share * (part.mean[j] - means[j]) : part.mean[j];
            n = total;
        }
        weight.data()[c] = n;
        for (int64_t i = 0; i < cols; ++i)
            for (int64_t j = 0; j < i; ++j) matrix[i * cols + j] = matrix[j * cols + i];
    }
}

}  // namespace suffice
