// The product of two 64-bit numbers in 128 bits.
#pragma once

#include <cstdint>

#include "simd.hpp"

#if !defined(__SIZEOF_INT128__)
#include <intrin.h>
#endif

namespace suffice {

struct WideProduct {
    uint64_t low, high;
};

SUFFICE_INLINE WideProduct wide_product(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    const auto product = static_cast<unsigned __int128>(a) * b;
    return {static_cast<uint64_t>(product), static_cast<uint64_t>(product >> 64)};
#elif defined(_M_X64)
    WideProduct product;
    product.low = _umul128(a, b, &product.high);
    return product;
#else
    return {a * b, __umulh(a, b)};
#endif
}

}  // namespace suffice
