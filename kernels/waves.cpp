// A sum of waves over rows of numbers: Σ a cos(ω · z) + b sin(ω · z).
#include "kernels.hpp"

#include <vector>

#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 64;      // a task
constexpr int64_t kFours = 4;      // waves summed together, in registers
constexpr int64_t kTogether = 2;   // rows that share a read of the frequencies
using FourIntegers = Pack<int64_t, 4>;

SUFFICE_INLINE Four horner(Four at, std::initializer_list<double> from_the_highest) {
    Four sum = at - at;
    for (const double each : from_the_highest) sum = sum * at + each;
    return sum;
}

// Multiples of π/2 are subtracted in two steps; the remainder is within π/4, where the Taylor series are exact to 1e-16.
SUFFICE_INLINE void sin_cos(Four x, Four& sine, Four& cosine) {
    constexpr double kWhole = 0x1.8p52;  // adding it leaves an integer in the last bits
    const Four shifted = x * 0.6366197723675814 + kWhole, n = shifted - kWhole;
    const Four r = (x - n * 1.5707963267341256) - n * 6.077100506506192e-11, q = r * r;
    const Four s = r * horner(q, {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120,
                                  -1.0 / 6, 1.0});
    const Four c = horner(q, {1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720,
                              1.0 / 24, -0.5, 1.0});
    const FourIntegers quarter = bits_as<FourIntegers>(shifted), odd = -(quarter & 1);
    const FourIntegers is = bits_as<FourIntegers>(s), ic = bits_as<FourIntegers>(c);
    sine = bits_as<Four>(((is & ~odd) | (ic & odd)) ^ ((quarter & 2) << 62));
    cosine = bits_as<Four>(((ic & ~odd) | (is & odd)) ^ (((quarter + 1) & 2) << 62));
}

// The cosines and then the sines of some rows, each line (2 · waves).
template <int64_t Rows>
SUFFICE_INLINE void fill(const float* z, int64_t scores, const double* frequencies, int64_t waves, double* lines) {
    for (int64_t k = 0; k < waves; k += 4 * kFours) {
        Four angle[Rows][kFours] = {};
        for (int64_t j = 0; j < scores; ++j)
            for (int64_t i = 0; i < kFours; ++i) {
                const Four frequency = load<Four>(frequencies + j * waves + k + 4 * i);
                for (int64_t r = 0; r < Rows; ++r) angle[r][i] += static_cast<double>(z[r * scores + j]) * frequency;
            }
        for (int64_t r = 0; r < Rows; ++r)
            for (int64_t i = 0; i < kFours; ++i) {
                Four sine, cosine;
                sin_cos(angle[r][i], sine, cosine);
                store(lines + r * 2 * waves + k + 4 * i, cosine);
                store(lines + r * 2 * waves + waves + k + 4 * i, sine);
            }
    }
}

SUFFICE_SIMD void score(const float* z, int64_t rows, int64_t scores, const double* frequencies, int64_t waves,
                        const double* coefficients, int64_t classes, double* lines, double* out) {
    for (int64_t row = 0; row < rows; row += kTogether) {
        const int64_t some = std::min(kTogether, rows - row);
        if (some == kTogether) fill<kTogether>(z + row * scores, scores, frequencies, waves, lines);
        else fill<1>(z + row * scores, scores, frequencies, waves, lines);
        for (int64_t r = 0; r < some; ++r)
            for (int64_t c = 0; c < classes; ++c) {
                const double *line = lines + r * 2 * waves, *own = coefficients + c * 2 * waves;
                Four sum[kFours] = {};
                for (int64_t k = 0; k < 2 * waves; k += 4 * kFours)
                    for (int64_t i = 0; i < kFours; ++i) sum[i] += load<Four>(line + k + 4 * i) * load<Four>(own + k + 4 * i);
                const Four total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
                out[(row + r) * classes + c] += (total[0] + total[1]) + (total[2] + total[3]);
            }
    }
}

}  // namespace

void wave_scores(SingleRows z, DoubleRows frequencies, DoubleRows coefficients, OutDoubleRows out, int threads) {
    const int64_t rows = z.shape(0), scores = z.shape(1), waves = frequencies.shape(1), classes = out.shape(1);
    nb::gil_scoped_release nogil;
    parallel(ceil_div(rows, kRows), threads, rows * waves * (scores + 64), [&](int64_t run) {
        const int64_t row = run * kRows;
        std::vector<double> lines(kTogether * 2 * waves);
        score(z.data() + row * scores, std::min(kRows, rows - row), scores, frequencies.data(), waves, coefficients.data(),
              classes, lines.data(), out.data() + row * classes);
    });
}

}  // namespace suffice
