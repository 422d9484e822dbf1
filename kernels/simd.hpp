// One portable binary: the hot loops are compiled for AVX2+FMA and for the baseline, and the loader picks one.
// Callees of a cloned function must be inlined, or they would stay at the baseline.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__GNUC__)
#define SUFFICE_INLINE inline __attribute__((always_inline))
#define SUFFICE_INLINED __attribute__((always_inline))  // a lambda
#define SUFFICE_PREFETCH(address) __builtin_prefetch(address)
#define SUFFICE_UNROLL(count) SUFFICE_PRAGMA(GCC unroll count)
#define SUFFICE_PRAGMA(text) _Pragma(#text)
#else
#define SUFFICE_INLINE inline
#define SUFFICE_INLINED
#define SUFFICE_PREFETCH(address) static_cast<void>(address)
#define SUFFICE_UNROLL(count)
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(SUFFICE_NO_CLONES)
#define SUFFICE_SIMD __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SUFFICE_SIMD
#endif

#include "pack.hpp"

// A vector of four doubles.
using Four = Pack<double, 4>;

// A lane of doubles (one, or four) from any address, widened from float where needed.
template <class Lane>
SUFFICE_INLINE Lane load(const double* from) {
    Lane lane;
    std::memcpy(&lane, from, sizeof lane);
    return lane;
}

template <class Lane>
SUFFICE_INLINE Lane load(const float* from) {
    if constexpr (sizeof(Lane) == sizeof(double)) {
        return *from;
    } else {
        Pack<float, 4> lane;
        std::memcpy(&lane, from, sizeof lane);
#if defined(__GNUC__) && !defined(SUFFICE_NO_VECTORS)
        return __builtin_convertvector(lane, Lane);
#else
        return {lane[0], lane[1], lane[2], lane[3]};
#endif
    }
}

template <class Lane>
SUFFICE_INLINE void store(double* to, Lane lane) {
    std::memcpy(to, &lane, sizeof lane);
}

// 32 bytes of numbers in their own precision: eight floats or four doubles.
template <class T>
struct Lane {
    static constexpr int64_t kWidth = 32 / sizeof(T);
    using Of = Pack<T, kWidth>;
};

template <class T>
SUFFICE_INLINE typename Lane<T>::Of lane_at(const T* from) {
    typename Lane<T>::Of lane;
    std::memcpy(&lane, from, sizeof lane);
    return lane;
}
