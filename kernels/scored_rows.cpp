// Weights of several scores: multinomial cross-entropy of Σ_k weight[k] · score[k], and its gradient, in one read of the
// scores.
//
// A row has as many lines of scores as classes, or one if there are two classes: the second less the first.
// A line holds the scores side by side, filled up with zeros to a multiple of eight.
#include "kernels.hpp"

#include <cmath>
#include <vector>

#include "bounds.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

// to[i] = line i · weights for N lines
template <int N, class T>
SUFFICE_INLINE void dots(const T* lines, int64_t step, int64_t width, const T* weights, double* to) {
    typename Lane<T>::Of sum[N] = {};
    for (int64_t k = 0; k < width; k += Lane<T>::kWidth) {
        const auto w = lane_at(weights + k);
SUFFICE_UNROLL(4)
        for (int i = 0; i < N; ++i) sum[i] += lane_at(lines + i * step + k) * w;
    }
    for (int i = 0; i < N; ++i) {
        T total = 0;
        for (int64_t v = 0; v < Lane<T>::kWidth; ++v) total += sum[i][v];
        to[i] = static_cast<double>(total);
    }
}

// gradient += Σ_i residual[i] · line i for N lines
template <int N, class T>
SUFFICE_INLINE void spread(const T* lines, int64_t step, int64_t width, const double* residual, T* gradient) {
    for (int64_t k = 0; k < width; k += Lane<T>::kWidth) {
        auto sum = lane_at(gradient + k);
SUFFICE_UNROLL(4)
        for (int i = 0; i < N; ++i) sum += lane_at(lines + i * step + k) * static_cast<T>(residual[i]);
        std::memcpy(gradient + k, &sum, sizeof sum);
    }
}

struct Work {  // of one thread, for one run of rows
    std::vector<double> line, z;

    Work(int64_t lanes, int64_t stride) : line(kSoftmaxRows * lanes), z(kSoftmaxRows * stride) {}
};

// The loss of some rows; gradient: of the weights, then of the offset.
template <class T>
SUFFICE_INLINE double some_rows(const T* x, int64_t step, int64_t rows, int64_t width, int64_t lanes, const T* weights,
                                const double* offset, const Targets& t, Work& work, T* sum, double* of_offset) {
    const int64_t lines = rows * lanes;
    double *line = work.line.data(), *z = work.z.data();
    int64_t i = 0;
    for (; i + 4 <= lines; i += 4) dots<4>(x + i * step, step, width, weights, line + i);
    for (; i < lines; ++i) dots<1>(x + i * step, step, width, weights, line + i);
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < lanes; ++c) z[r * t.stride + c] = line[r * lanes + c] + offset[c];
    const double loss = softmax(z, rows, t);
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < lanes; ++c) {
            line[r * lanes + c] = z[r * t.stride + c];
            of_offset[c] += z[r * t.stride + c];
        }
    for (i = 0; i + 4 <= lines; i += 4) spread<4>(x + i * step, step, width, line + i, sum);
    for (; i < lines; ++i) spread<1>(x + i * step, step, width, line + i, sum);
    return loss;
}

SUFFICE_SIMD double block(const float* x, int64_t step, int64_t rows, int64_t width, int64_t lanes, const float* weights,
                          const double* offset, Targets t, Work& work, float* sum, double* of_offset) {
    return some_rows(x, step, rows, width, lanes, weights, offset, t, work, sum, of_offset);
}

SUFFICE_SIMD double block(const double* x, int64_t step, int64_t rows, int64_t width, int64_t lanes, const double* weights,
                          const double* offset, Targets t, Work& work, double* sum, double* of_offset) {
    return some_rows(x, step, rows, width, lanes, weights, offset, t, work, sum, of_offset);
}

constexpr int64_t kChunk = 8;  // runs of rows that share a sum

template <class T>
double loss_of(const T* x, int64_t step, int64_t width, int64_t lanes, const T* weights, const double* offset, const int32_t* y,
               const double* w, const double* ones, int64_t rows, int64_t classes, double* gradient, int threads) {
    const int64_t stride = stride_of(lanes), chunks = ceil_div(rows, kSoftmaxRows * kChunk);
    std::vector<double> partial(chunks * (1 + width + lanes), 0.0);
    parallel(chunks, threads, rows * lanes * width / 4, [&](int64_t chunk) {
        double *mine = partial.data() + chunk * (1 + width + lanes), *of_offset = mine + 1 + width;
        std::vector<T> sum(width);
        Work work(lanes, stride);
        for (int64_t run = 0; run < kChunk; ++run) {
            const int64_t row = (chunk * kChunk + run) * kSoftmaxRows, some = std::min(kSoftmaxRows, rows - row);
            if (some <= 0) break;
            std::fill(sum.begin(), sum.end(), T(0));
            const Targets t{y + row, w + row, ones, lanes, stride, classes - lanes};
            mine[0] += block(x + row * lanes * step, step, some, width, lanes, weights, offset, t, work, sum.data(), of_offset);
            for (int64_t k = 0; k < width; ++k) mine[1 + k] += sum[k];
        }
    });
    double loss = 0.0;
    std::fill_n(gradient, width + lanes, 0.0);
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        const double* mine = partial.data() + chunk * (1 + width + lanes);
        loss += mine[0];
        for (int64_t k = 0; k < width + lanes; ++k) gradient[k] += mine[1 + k];
    }
    return loss;
}

// One row of the roots of the curvature: lanes lines of √(w p) (x − mean), a bias being 1 in its own lane; of two classes
// √(w p (1 − p)) x.
template <class T>
SUFFICE_INLINE void root_row(const T* x, int64_t step, int64_t parts, int64_t lanes, const T* weights, const double* offset,
                             double w, double* p, T* mean, T* out) {
    const int64_t side = parts + lanes, padded = (parts + 7) / 8 * 8;
    for (int64_t c = 0; c < lanes; ++c) {
        dots<1>(x + c * step, step, padded, weights, p + c);
        p[c] += offset[c];
    }
    if (lanes == 1) {
        const double q = 1 / (1 + std::exp(-p[0]));
        const T root = static_cast<T>(std::sqrt(w * q * (1 - q)));
        for (int64_t k = 0; k < parts; ++k) out[k] = root * x[k];
        out[parts] = root;
        return;
    }
    const double top = *std::max_element(p, p + lanes);
    double sum = 0;
    for (int64_t c = 0; c < lanes; ++c) sum += p[c] = std::exp(p[c] - top);
    std::fill_n(mean, parts, T(0));
    for (int64_t c = 0; c < lanes; ++c) {
        p[c] /= sum;
        const T share = static_cast<T>(p[c]);
        for (int64_t k = 0; k < parts; ++k) mean[k] += share * x[c * step + k];
    }
    for (int64_t c = 0; c < lanes; ++c, out += side) {
        const T root = static_cast<T>(std::sqrt(w * p[c]));
        for (int64_t k = 0; k < parts; ++k) out[k] = root * (x[c * step + k] - mean[k]);
        for (int64_t d = 0; d < lanes; ++d) out[parts + d] = root * static_cast<T>((c == d) - p[d]);
    }
}

SUFFICE_SIMD void root_rows(const float* x, int64_t step, int64_t parts, int64_t lanes, const float* weights,
                            const double* offset, double w, double* p, float* mean, float* out) {
    root_row(x, step, parts, lanes, weights, offset, w, p, mean, out);
}

SUFFICE_SIMD void root_rows(const double* x, int64_t step, int64_t parts, int64_t lanes, const double* weights,
                            const double* offset, double w, double* p, double* mean, double* out) {
    root_row(x, step, parts, lanes, weights, offset, w, p, mean, out);
}

}  // namespace

double weighing_loss(AnyMatrix x, Codes y, Doubles w, Doubles weights, Doubles offset, int64_t classes, OutDoubles gradient,
                     int threads) {
    const Matrix lines(x);
    const int64_t rows = y.shape(0), width = lines.cols, lanes = offset.shape(0);
    const std::vector<double> ones(classes, 1.0);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    if (const float* single = lines.rows_in_place<float>(0, 0)) {
        const std::vector<float> rounded(weights.data(), weights.data() + width);
        return loss_of(single, lines.row_stride, width, lanes, rounded.data(), offset.data(), y.data(), w.data(), ones.data(), rows, classes,
                       gradient.data(), threads);
    }
    const double* whole = lines.rows_in_place<double>(0, 0);
    if (!whole) throw std::invalid_argument("scores must be floats, laid out line by line");
    return loss_of(whole, lines.row_stride, width, lanes, weights.data(), offset.data(), y.data(), w.data(), ones.data(), rows, classes,
                   gradient.data(), threads);
}

void weighing_roots(AnyMatrix x, Doubles w, Doubles weights, Doubles offset, int64_t parts, int64_t every, double factor,
                    OutAnyMatrix out) {
    const Matrix lines(x);
    const int64_t rows = w.shape(0), lanes = offset.shape(0), side = parts + lanes;
    nb::gil_scoped_release nogil;
    const auto write = [&](auto* from, auto* to) {
        using T = std::remove_pointer_t<decltype(to)>;
        const std::vector<T> rounded(weights.data(), weights.data() + weights.shape(0));
        std::vector<double> p(lanes);
        std::vector<T> mean(parts);
        for (int64_t r = 0; r < rows; r += every, to += lanes * side)
            root_rows(from + r * lanes * lines.row_stride, lines.row_stride, parts, lanes, rounded.data(), offset.data(),
                      factor * w.data()[r], p.data(), mean.data(), to);
    };
    if (const float* single = lines.rows_in_place<float>(0, 0)) write(single, static_cast<float*>(out.data()));
    else if (const double* whole = lines.rows_in_place<double>(0, 0)) write(whole, static_cast<double*>(out.data()));
    else throw std::invalid_argument("scores must be floats, laid out line by line");
}

}  // namespace suffice
