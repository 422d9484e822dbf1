// exp and log of four doubles at once, good to a few units in the last place. std::exp and std::log take one number a call
// and would dominate the time of a softmax over few classes. A NaN stays a NaN.
#pragma once

#include <cstdint>

#include "simd.hpp"

namespace suffice {

using FourBits = Pack<uint64_t, 4>;

// c[0] xⁿ + c[1] xⁿ⁻¹ + … + c[n]
template <int N>
SUFFICE_INLINE Four polynomial(const double (&c)[N], Four x) {
    Four sum = c[0] - Four{};
SUFFICE_UNROLL(16)
    for (int i = 1; i < N; ++i) sum = sum * x + c[i];
    return sum;
}

// eˣ for x ≤ 709; below −708 it is e⁻⁷⁰⁸.
SUFFICE_INLINE Four exp4(Four x) {
    const Four lowest = -708.0 - Four{};
    x = select(x < lowest, lowest, x);
    // x = k log 2 + r with |r| ≤ log(2) / 2; adding 1.5 · 2⁵² leaves k in the low bits
    const double shift = 6755399441055744.0;
    const Four shifted = x * 1.4426950408889634 + shift, k = shifted - shift;
    const Four r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    constexpr double taylor[] = {1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0, 1 / 362880.0,
                                 1 / 40320.0,      1 / 5040.0,      1 / 720.0,      1 / 120.0,     1 / 24.0,
                                 1 / 6.0,          1 / 2.0,         1.0,            1.0};
    return polynomial(taylor, r) * bits_as<Four>((bits_as<FourBits>(shifted) + 1023) << 52);
}

// log x for x ≥ 1.
SUFFICE_INLINE Four log4(Four x) {
    // x = m · 2ᵏ with m in [√½, √2), and log m = 2 artanh f with f = (m − 1) / (m + 1)
    const FourBits k = (bits_as<FourBits>(x) - 0x3fe6a09e667f3bcdULL) >> 52;
    const Four m = bits_as<Four>(bits_as<FourBits>(x) - (k << 52));
    const Four whole = bits_as<Four>(k | 0x4330000000000000ULL) - 4503599627370496.0;
    const Four f = (m - 1.0) / (m + 1.0);
    constexpr double series[] = {1 / 21.0, 1 / 19.0, 1 / 17.0, 1 / 15.0, 1 / 13.0, 1 / 11.0,
                                 1 / 9.0,  1 / 7.0,  1 / 5.0,  1 / 3.0,  1.0};
    return whole * 6.93147180559945286227e-01 + 2.0 * f * polynomial(series, f * f) + (x - x);
}

}  // namespace suffice
