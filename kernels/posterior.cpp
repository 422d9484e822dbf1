// log joint → log evidence, posterior or log posterior, a row at a time, without underflow.
#include "kernels.hpp"

#include <cmath>
#include <limits>

#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 1024;

// The largest value B and Σ exp(b − B); an all −inf row gives B = −inf and 0.
struct Shifted { double largest, sum; };

inline Shifted shifted_sum(const double* b, int64_t n) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
    for (int64_t c = 0; c < n; ++c) largest = b[c] > largest ? b[c] : largest;
    if (std::isfinite(largest))
        for (int64_t c = 0; c < n; ++c) sum += std::exp(b[c] - largest);
    return {largest, sum};
}

}  // namespace

void fill_rows(Doubles row, OutDoubleRows out, int threads) {
    const int64_t rows = out.shape(0), width = out.shape(1);
    nb::gil_scoped_release nogil;
    parallel(ceil_div(rows, kRows), threads, rows * width, [&](int64_t task) {
        double* to = out.data() + task * kRows * width;
        for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r, to += width)
            for (int64_t c = 0; c < width; ++c) to[c] = row.data()[c];
    });
}

void log_sum_exp(DoubleRows joint, OutDoubles out, int threads) {
    const int64_t rows = joint.shape(0), classes = joint.shape(1);
    nb::gil_scoped_release nogil;
    parallel(ceil_div(rows, kRows), threads, rows * classes * 8, [&](int64_t task) {
        for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r) {
            const Shifted s = shifted_sum(joint.data() + r * classes, classes);
            out.data()[r] = std::isfinite(s.largest) ? s.largest + std::log(s.sum) : s.largest;
        }
    });
}

void normalise(OutDoubleRows joint, Doubles fallback, bool log, int threads) {
    const int64_t rows = joint.shape(0), classes = joint.shape(1);
    if (classes == 0) return;
    nb::gil_scoped_release nogil;
    parallel(ceil_div(rows, kRows), threads, rows * classes * 8, [&](int64_t task) {
        for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r) {
            double* b = joint.data() + r * classes;
            const double largest = *std::max_element(b, b + classes);
            if (!std::isfinite(largest)) {  // impossible under every class
                for (int64_t c = 0; c < classes; ++c) b[c] = fallback.data()[c];
            } else if (log) {
                // the largest first: beside it the logarithm of the sum would be rounded away
                const double log_sum = std::log(shifted_sum(b, classes).sum);
                for (int64_t c = 0; c < classes; ++c) b[c] = (b[c] - largest) - log_sum;
            } else {
                double sum = 0.0;
                for (int64_t c = 0; c < classes; ++c) sum += b[c] = std::exp(b[c] - largest);
                for (int64_t c = 0; c < classes; ++c) b[c] /= sum;
            }
        }
    });
}

void most_probable(DoubleRows joint, int64_t fallback, OutIntegers out, int threads) {
    const int64_t rows = joint.shape(0), classes = joint.shape(1);
    if (classes == 0) throw std::invalid_argument("there is no class to choose");
    nb::gil_scoped_release nogil;
    parallel(ceil_div(rows, kRows), threads, rows * classes, [&](int64_t task) {
        for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r) {
            const double* b = joint.data() + r * classes;
            const double* best = std::max_element(b, b + classes);  // the first of equals
            out.data()[r] = std::isfinite(*best) ? static_cast<int64_t>(best - b) : fallback;
        }
    });
}

}  // namespace suffice
