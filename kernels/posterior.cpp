// log joint → log evidence, posterior or log posterior, a row at a time, without underflow.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exp_log.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 1024;
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// The largest value B and Σ exp(b − B); an all −inf row gives B = −inf and 0.
struct Shifted { double largest, sum; };

inline Shifted shifted_sum(const double* b, int64_t n) {
    double largest = kImpossible, sum = 0.0;
    for (int64_t c = 0; c < n; ++c) largest = b[c] > largest ? b[c] : largest;
    if (std::isfinite(largest))
        for (int64_t c = 0; c < n; ++c) sum += std::exp(b[c] - largest);
    return {largest, sum};
}

// eˣ for x ≤ 709; results below e⁻⁷⁰⁸, about the smallest normal double, are zero.
SUFFICE_INLINE Four exp_or_zero(Four x) { return select(x < -708.0, Four{}, exp4(x)); }

// Posteriors in place of log joints. Exponentials run over all cells of the rows, four at a time for any number of classes.
SUFFICE_SIMD void to_posteriors(double* joint, int64_t rows, int64_t classes, const double* fallback) {
    const int64_t cells = rows * classes;
    for (double* b = joint; b < joint + cells; b += classes) {
        const double largest = *std::max_element(b, b + classes);
        const bool possible = std::isfinite(largest);  // under some class
        for (int64_t c = 0; c < classes; ++c) b[c] = possible ? b[c] - largest : kImpossible;
    }
    int64_t i = 0;
    for (; i + 4 <= cells; i += 4) store<Four>(joint + i, exp_or_zero(load<Four>(joint + i)));
    Four rest{};
    std::memcpy(&rest, joint + i, (cells - i) * sizeof(double));
    rest = exp_or_zero(rest);
    std::memcpy(joint + i, &rest, (cells - i) * sizeof(double));
    for (double* b = joint; b < joint + cells; b += classes) {
        double sum = 0.0;
        for (int64_t c = 0; c < classes; ++c) sum += b[c];
        const bool possible = sum != 0.0;  // else at least one, the largest
        for (int64_t c = 0; c < classes; ++c) b[c] = possible ? b[c] / sum : fallback[c];
    }
}

void to_log_posteriors(double* joint, int64_t rows, int64_t classes, const double* fallback) {
    for (double* b = joint; b < joint + rows * classes; b += classes) {
        const double largest = *std::max_element(b, b + classes);
        if (std::isfinite(largest)) {
            // subtract the largest first: added to it, the logarithm of the sum would be rounded away
            const double log_sum = std::log(shifted_sum(b, classes).sum);
            for (int64_t c = 0; c < classes; ++c) b[c] = (b[c] - largest) - log_sum;
        } else {
            std::copy(fallback, fallback + classes, b);
        }
    }
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
    const int64_t run = std::clamp<int64_t>(2048 / classes, 1, kRows);  // rows that stay in the first-level cache
    parallel(ceil_div(rows, kRows), threads, rows * classes * 8, [&](int64_t task) {
        const int64_t end = std::min(rows, (task + 1) * kRows);
        for (int64_t r = task * kRows; r < end; r += run)
            (log ? to_log_posteriors : to_posteriors)(joint.data() + r * classes, std::min(run, end - r), classes,
                                                      fallback.data());
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
