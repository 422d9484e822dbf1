// Large pages for large allocations, where the system has them: random access to a big table is dominated by TLB misses.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace suffice {

constexpr size_t kLargePage = size_t(1) << 21;

inline void* allocate_large(size_t size) {
#if defined(__linux__)
    if (size >= 2 * kLargePage) {
        const size_t rounded = (size + kLargePage - 1) / kLargePage * kLargePage;
        void* memory = std::aligned_alloc(kLargePage, rounded);
        if (!memory) throw std::bad_alloc();
        madvise(memory, rounded, MADV_HUGEPAGE);  // advice: may be ignored
        return memory;
    }
#endif
    void* memory = std::malloc(size ? size : 1);
    if (!memory) throw std::bad_alloc();
    return memory;
}

// For vectors.
template <class T>
struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <class U>
    LargePages(const LargePages<U>&) {}
    T* allocate(size_t n) { return static_cast<T*>(allocate_large(n * sizeof(T))); }
    void deallocate(T* memory, size_t) { std::free(memory); }
    template <class U>
    bool operator==(const LargePages<U>&) const { return true; }
    template <class U>
    bool operator!=(const LargePages<U>&) const { return false; }
};

}  // namespace suffice
