// A short vector of numbers with element-wise operations. GCC and Clang have this built in (vector_size); for other
// compilers, or with SUFFICE_NO_VECTORS, it is a plain array that they may vectorise.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && !defined(SUFFICE_NO_VECTORS)

template <class T, int N>
struct PackOf {
    typedef T Type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int N>
using Pack = typename PackOf<T, N>::Type;

// a where the mask is set, b elsewhere.
template <class Mask, class P>
SUFFICE_INLINE P select(Mask mask, P a, P b) {
    return mask ? a : b;
}

#else

template <class T, int N>
struct Pack {
    T at[N];

    T& operator[](int64_t i) { return at[i]; }
    T operator[](int64_t i) const { return at[i]; }
};

template <class T, int N, class Function>
SUFFICE_INLINE Pack<T, N> each(Function f) {
    Pack<T, N> out;
    for (int i = 0; i < N; ++i) out.at[i] = f(i);
    return out;
}

// A scalar operand is broadcast and converted to the pack's element type.
template <class T>
struct Same {
    typedef T Type;
};

#define SUFFICE_PACK_OPERATOR(op)                                                                      \
    template <class T, int N>                                                                          \
    SUFFICE_INLINE Pack<T, N> operator op(const Pack<T, N>& a, const Pack<T, N>& b) {                  \
        return each<T, N>([&](int i) { return static_cast<T>(a.at[i] op b.at[i]); });                  \
    }                                                                                                  \
    template <class T, int N>                                                                          \
    SUFFICE_INLINE Pack<T, N> operator op(const Pack<T, N>& a, typename Same<T>::Type b) {             \
        return each<T, N>([&](int i) { return static_cast<T>(a.at[i] op b); });                        \
    }                                                                                                  \
    template <class T, int N>                                                                          \
    SUFFICE_INLINE Pack<T, N> operator op(typename Same<T>::Type a, const Pack<T, N>& b) {             \
        return each<T, N>([&](int i) { return static_cast<T>(a op b.at[i]); });                        \
    }
SUFFICE_PACK_OPERATOR(+)
SUFFICE_PACK_OPERATOR(-)
SUFFICE_PACK_OPERATOR(*)
SUFFICE_PACK_OPERATOR(/)
SUFFICE_PACK_OPERATOR(&)
SUFFICE_PACK_OPERATOR(|)
SUFFICE_PACK_OPERATOR(^)
SUFFICE_PACK_OPERATOR(<<)
SUFFICE_PACK_OPERATOR(>>)
#undef SUFFICE_PACK_OPERATOR

#define SUFFICE_PACK_COMPARISON(op)                                                                    \
    template <class T, int N>                                                                          \
    SUFFICE_INLINE Pack<bool, N> operator op(const Pack<T, N>& a, const Pack<T, N>& b) {               \
        return each<bool, N>([&](int i) { return a.at[i] op b.at[i]; });                               \
    }                                                                                                  \
    template <class T, int N>                                                                          \
    SUFFICE_INLINE Pack<bool, N> operator op(const Pack<T, N>& a, typename Same<T>::Type b) {          \
        return each<bool, N>([&](int i) { return a.at[i] op b; });                                     \
    }
SUFFICE_PACK_COMPARISON(<)
SUFFICE_PACK_COMPARISON(>)
SUFFICE_PACK_COMPARISON(==)
#undef SUFFICE_PACK_COMPARISON

template <class T, int N>
SUFFICE_INLINE Pack<T, N> operator-(const Pack<T, N>& a) {
    return each<T, N>([&](int i) { return -a.at[i]; });
}
template <class T, int N>
SUFFICE_INLINE Pack<T, N> operator~(const Pack<T, N>& a) {
    return each<T, N>([&](int i) { return ~a.at[i]; });
}
template <class T, int N, class Other>
SUFFICE_INLINE Pack<T, N>& operator+=(Pack<T, N>& a, const Other& b) {
    return a = a + b;
}

template <class T, int N>
SUFFICE_INLINE Pack<T, N> select(const Pack<bool, N>& mask, const Pack<T, N>& a, const Pack<T, N>& b) {
    return each<T, N>([&](int i) { return mask.at[i] ? a.at[i] : b.at[i]; });
}
SUFFICE_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }

#endif

// The bits of one pack as another.
template <class To, class From>
SUFFICE_INLINE To bits_as(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
