// Class-wise (weight, mean, M2) of every column in one read of the data, in the order in which it lies in memory.
//
// A block of rows is summed as deviations d = x − m from the mean m of the cells before it: with s = Σ w d and
// q = Σ w d², the new mean is m + s / (n + n_block) and the new M2 is M2 + q − s² / (n + n_block). (A class that is new in
// the block gets its mean from an extra pass over the block.) No raw value is squared and no large value subtracted, so a
// column far from zero keeps its digits. Chunks are combined by Chan's formula.
#include "kernels.hpp"

#include <memory>

#include "bounds.hpp"
#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kBlockRows = 512;
constexpr int64_t kAhead = 256;  // prefetch distance in cells

struct Cells {
    double *weight, *mean, *m2;
    Cells shifted(int64_t by) const { return {weight + by, mean + by, m2 + by}; }
};

template <class T>  // double, or float
struct Block {
    const T* x;
    int64_t stride, rows, cols;
    const int32_t* y;
    const double* w;
    double weight(int64_t r) const { return w ? w[r] : 1.0; }
};

// Sums of one tile of columns, classes × cols each.
struct Sums {
    double *weight, *dev, *square;
};

// Deviations of one row from the means of its class. Missing cells (NaN) have no weight.
template <class Lane, bool holes, class T>
SUFFICE_INLINE void add_cells(const T* x, double weight, const double* mean, double* n, double* s, double* q) {
    const Lane zero{}, v = load<Lane>(x), w = weight - zero;
    Lane d = v - load<Lane>(mean);
    if (holes) {
        d = select(v == v, d, zero);
        store<Lane>(n, load<Lane>(n) + select(v == v, w, zero));
    }
    const Lane wd = w * d;
    store<Lane>(s, load<Lane>(s) + wd);
    store<Lane>(q, load<Lane>(q) + wd * d);
}

template <bool holes, class T>
SUFFICE_INLINE void add_rows(const Block<T>& b, const double* mean, int64_t mean_stride, const Sums& sums) {
    for (int64_t r = 0; r < b.rows; ++r) {
        const double w = b.weight(r);
        if (w == 0.0) continue;
        const T* x = b.x + r * b.stride;
        const double* m = mean + b.y[r] * mean_stride;
        double* n = sums.weight + b.y[r] * b.cols;
        double* s = sums.dev + b.y[r] * b.cols;
        double* q = sums.square + b.y[r] * b.cols;
        int64_t j = 0;
        for (; j + 8 <= b.cols; j += 8) {
            SUFFICE_PREFETCH(x + j + kAhead);
            add_cells<Four, holes>(x + j, w, m + j, n + j, s + j, q + j);
            add_cells<Four, holes>(x + j + 4, w, m + j + 4, n + j + 4, s + j + 4, q + j + 4);
        }
        for (; j + 4 <= b.cols; j += 4) add_cells<Four, holes>(x + j, w, m + j, n + j, s + j, q + j);
        for (; j < b.cols; ++j) add_cells<double, holes>(x + j, w, m + j, n + j, s + j, q + j);
    }
}

// Functions can be cloned, templates cannot, so each kind of block has its own two.
using Doubled = Block<double>;
using Single = Block<float>;
SUFFICE_SIMD void add_full(Doubled b, const double* mean, int64_t stride, Sums sums) { add_rows<false>(b, mean, stride, sums); }
SUFFICE_SIMD void add_full(Single b, const double* mean, int64_t stride, Sums sums) { add_rows<false>(b, mean, stride, sums); }
SUFFICE_SIMD void add_holes(Doubled b, const double* mean, int64_t stride, Sums sums) { add_rows<true>(b, mean, stride, sums); }
SUFFICE_SIMD void add_holes(Single b, const double* mean, int64_t stride, Sums sums) { add_rows<true>(b, mean, stride, sums); }

// True if a number is NaN or infinite.
SUFFICE_SIMD bool any_strange(const double* x, int64_t n) {
    int64_t strange = 0;
    for (int64_t i = 0; i < n; ++i) strange += !(x[i] * 0.0 == 0.0);
    return strange > 0;
}

// Adds the block's sums to the total, for the cells of one class.
SUFFICE_SIMD void advance(Cells total, const double* n, const double* s, const double* q, int64_t cols) {
    for (int64_t j = 0; j < cols; ++j) {
        const double sum = total.weight[j] + n[j];
        const double step = sum > 0.0 ? s[j] / sum : 0.0;
        const double m2 = total.m2[j] + (q[j] - step * s[j]);
        total.weight[j] = sum;
        total.mean[j] += step;
        total.m2[j] = m2 > 0.0 || m2 != m2 ? m2 : 0.0;
    }
}

SUFFICE_SIMD void combine(Cells into, Cells from, int64_t cells) {
    for (int64_t i = 0; i < cells; ++i) {
        const double had = into.weight[i], sum = had + from.weight[i];
        const double share = sum > 0.0 ? from.weight[i] / sum : 0.0;
        const double delta = from.mean[i] - into.mean[i], both = had * share;
        into.mean[i] = had > 0.0 ? into.mean[i] + share * delta : from.mean[i];
        into.m2[i] += from.m2[i] + (both > 0.0 ? delta * delta * both : 0.0);
        into.weight[i] = sum;
    }
}

// One task: a chunk of rows of a tile of columns, all classes.
class Accumulator {
  public:
    Accumulator(int64_t classes, int64_t cols, Cells total, int64_t stride)
        : classes_(classes), cols_(cols), stride_(stride), total_(total), scratch_(new double[3 * classes * cols]),
          sums_{scratch_.get(), scratch_.get() + classes * cols, scratch_.get() + 2 * classes * cols},
          block_weight_(classes) {}

    template <class T>
    void add(const Block<T>& b) {
        std::fill(block_weight_.begin(), block_weight_.end(), 0.0);
        for (int64_t r = 0; r < b.rows; ++r) block_weight_[b.y[r]] += b.weight(r);
        set_first_means(b);
        clear();
        add_full(b, total_.mean, stride_, sums_);
        bool holes = false;
        for_present([&](int64_t c) { holes = holes || any_strange(sums_.dev + c * cols_, cols_); });
        if (holes) {
            clear();
            add_holes(b, total_.mean, stride_, sums_);
        } else {
            for_present([&](int64_t c) { std::fill_n(sums_.weight + c * cols_, cols_, block_weight_[c]); });
        }
        for_present([&](int64_t c) {
            const int64_t at = c * cols_;
            advance(total_.shifted(c * stride_), sums_.weight + at, sums_.dev + at, sums_.square + at, cols_);
        });
    }

  private:
    // An empty accumulator takes the block's mean as its reference point.
    template <class T>
    void set_first_means(const Block<T>& b) {
        bool fresh = false;
        for_present([&](int64_t c) {
            for (int64_t j = 0; j < cols_; ++j) fresh = fresh || total_.weight[c * stride_ + j] == 0.0;
        });
        if (!fresh) return;
        clear();
        add_holes(b, total_.mean, stride_, sums_);
        for_present([&](int64_t c) {
            for (int64_t j = 0; j < cols_; ++j)
                if (total_.weight[c * stride_ + j] == 0.0 && sums_.weight[c * cols_ + j] > 0.0)
                    total_.mean[c * stride_ + j] += sums_.dev[c * cols_ + j] / sums_.weight[c * cols_ + j];
        });
    }
    void clear() {
        for_present([&](int64_t c) {
            for (double* plane : {sums_.weight, sums_.dev, sums_.square}) std::fill_n(plane + c * cols_, cols_, 0.0);
        });
    }
    // With a thousand classes most do not occur in a block; only those that do are touched.
    template <class F>
    void for_present(F&& f) const {
        for (int64_t c = 0; c < classes_; ++c)
            if (block_weight_[c] > 0.0) f(c);
    }

    int64_t classes_, cols_, stride_;
    Cells total_;
    std::unique_ptr<double[]> scratch_;
    Sums sums_;
    std::vector<double> block_weight_;
};

}  // namespace

void moments(AnyMatrix array, Codes y, Weights w, OutDoubleRows weight, OutDoubleRows mean, OutDoubleRows m2, int threads) {
    const Matrix x(array);
    const int64_t classes = weight.shape(0), cells = classes * x.cols;
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    const Plan plan(x.rows, x.cols, 3 * cells);
    std::vector<double> partial(3 * cells * (plan.chunks - 1), 0.0);
    const Cells total{weight.data(), mean.data(), m2.data()};
    auto chunk_cells = [&](int64_t k) -> Cells {
        if (k == 0) return total;
        double* at = partial.data() + 3 * cells * (k - 1);
        return {at, at + cells, at + 2 * cells};
    };
    parallel(plan.tasks(), threads, x.rows * x.cols, [&](int64_t task) {
        const int64_t chunk = task / plan.tiles, col = task % plan.tiles * plan.tile;
        const int64_t cols = std::min(plan.tile, x.cols - col);
        const int64_t end = std::min(x.rows, (chunk + 1) * plan.chunk_rows);
        check_labels(y.data() + chunk * plan.chunk_rows, end - chunk * plan.chunk_rows, classes);
        Accumulator accumulator(classes, cols, chunk_cells(chunk).shifted(col), x.cols);
        std::unique_ptr<double[]> copy;
        for (int64_t row = chunk * plan.chunk_rows; row < end; row += kBlockRows) {
            const int64_t rows = std::min(kBlockRows, end - row);
            const int32_t* labels = y.data() + row;
            const double* block_weights = weights ? weights + row : nullptr;
            if (const double* here = x.rows_in_place<double>(row, col)) {
                accumulator.add(Doubled{here, x.row_stride, rows, cols, labels, block_weights});
            } else if (const float* here = x.rows_in_place<float>(row, col)) {
                accumulator.add(Single{here, x.row_stride, rows, cols, labels, block_weights});
            } else {
                if (!copy) copy.reset(new double[kBlockRows * cols]);
                x.gather_rows(row, col, rows, cols, copy.get());
                accumulator.add(Doubled{copy.get(), cols, rows, cols, labels, block_weights});
            }
        }
    });
    for (int64_t k = 1; k < plan.chunks; ++k) combine(total, chunk_cells(k), cells);
}

}  // namespace suffice
