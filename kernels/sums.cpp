// Class-wise sums of every column (or counts of the cells above a threshold) in one read, with the weight of the present
// cells and the smallest value, by which families reject invalid input.
#include "kernels.hpp"

#include <cmath>
#include <limits>
#include <memory>

#include "bounds.hpp"
#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

struct Task {
    const double* x;
    int64_t stride, rows, cols;
    const int32_t* y;
    const double* w;
    double *weight, *total, *low;
    int64_t total_width;
    double threshold;
};

template <bool above>
inline void add(const Task& t) {
    for (int64_t r = 0; r < t.rows; ++r) {
        const double w = t.w ? t.w[r] : 1.0;
        if (w == 0.0) continue;
        const double* x = t.x + r * t.stride;
        double* s = t.total + t.y[r] * t.total_width;
        double* n = t.weight + t.y[r] * t.total_width;
        for (int64_t j = 0; j < t.cols; ++j) {
            const double v = x[j];
            const bool seen = v == v;
            n[j] += seen ? w : 0.0;
            if constexpr (above) s[j] += v > t.threshold ? w : 0.0;  // NaN is above nothing
            else s[j] += seen ? w * v : 0.0;
            t.low[j] = v < t.low[j] ? v : t.low[j];
        }
    }
}

SUFFICE_SIMD void add_values(Task t) { add<false>(t); }
SUFFICE_SIMD void add_above(Task t) { add<true>(t); }

}  // namespace

void sums(AnyMatrix array, Codes y, Weights w, std::optional<double> threshold, OutDoubleRows weight, OutDoubleRows total,
          OutDoubles low, int threads) {
    const Matrix x(array);
    const int64_t classes = weight.shape(0), cells = classes * x.cols;
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), x.rows, classes);
    const Plan plan(x.rows, x.cols, 2 * cells + x.cols);
    // one chunk's accumulators: weights, totals, lowest values
    const int64_t size = 2 * cells + x.cols;
    std::vector<double> partial(size * plan.chunks, 0.0);
    parallel(plan.tasks(), threads, x.rows * x.cols, [&](int64_t task) {
        const int64_t chunk = task / plan.tiles, col = task % plan.tiles * plan.tile;
        const int64_t cols = std::min(plan.tile, x.cols - col);
        const int64_t end = std::min(x.rows, (chunk + 1) * plan.chunk_rows);
        const int64_t height = std::clamp<int64_t>(16384 / std::max<int64_t>(1, cols), 8, 1024);
        double* mine = partial.data() + size * chunk;
        double* lowest = mine + 2 * cells + col;
        std::fill_n(lowest, cols, std::numeric_limits<double>::infinity());
        std::unique_ptr<double[]> copy;
        for (int64_t row = chunk * plan.chunk_rows; row < end; row += height) {
            Task t{x.rows_in_place<double>(row, col), x.row_stride, std::min(height, end - row), cols, y.data() + row,
                   weights ? weights + row : nullptr, mine + col, mine + cells + col, lowest, x.cols,
                   threshold.value_or(0.0)};
            if (!t.x) {
                if (!copy) copy.reset(new double[height * cols]);
                x.gather_rows(row, col, t.rows, cols, copy.get());
                t.x = copy.get();
                t.stride = cols;
            }
            threshold ? add_above(t) : add_values(t);
        }
    });
    std::fill_n(low.data(), x.cols, std::numeric_limits<double>::infinity());
    for (int64_t k = 0; k < plan.chunks; ++k) {
        const double* part = partial.data() + size * k;
        for (int64_t i = 0; i < cells; ++i) weight.data()[i] += part[i];
        for (int64_t i = 0; i < cells; ++i) total.data()[i] += part[cells + i];
        for (int64_t j = 0; j < x.cols; ++j) low.data()[j] = std::min(low.data()[j], part[2 * cells + j]);
    }
}

}  // namespace suffice
