// One portable binary: the hot loops are compiled for AVX2+FMA and for the baseline, and the loader picks one.
// What a cloned function calls must be inlined into it, or it would stay at the baseline.
#pragma once

#if defined(__GNUC__)
#define SUFFICE_INLINE inline __attribute__((always_inline))
#else
#define SUFFICE_INLINE inline
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SUFFICE_SIMD __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SUFFICE_SIMD
#endif

// Four doubles worked on together.
typedef double Four __attribute__((vector_size(32)));

// A lane of doubles (one, or four) from any address, widened from float on the way where that is what lies there.
template <class Lane>
SUFFICE_INLINE Lane load(const double* from) {
    Lane lane;
    __builtin_memcpy(&lane, from, sizeof lane);
    return lane;
}

template <class Lane>
SUFFICE_INLINE Lane load(const float* from) {
    if constexpr (sizeof(Lane) == sizeof(double)) {
        return *from;
    } else {
        typedef float FourFloats __attribute__((vector_size(16)));
        FourFloats lane;
        __builtin_memcpy(&lane, from, sizeof lane);
        return __builtin_convertvector(lane, Lane);
    }
}

template <class Lane>
SUFFICE_INLINE void store(double* to, Lane lane) {
    __builtin_memcpy(to, &lane, sizeof lane);
}

// 32 bytes of numbers in their own precision: eight floats or four doubles.
template <class T>
struct Lane {
    typedef T Of __attribute__((vector_size(32)));
    static constexpr int64_t kWidth = 32 / sizeof(T);
};

template <class T>
SUFFICE_INLINE typename Lane<T>::Of lane_at(const T* from) {
    typename Lane<T>::Of lane;
    __builtin_memcpy(&lane, from, sizeof lane);
    return lane;
}
