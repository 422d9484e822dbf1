// Sorts the entries of a row: a bucket sort by their first bits, with about as many buckets as entries, leaves each near its
// place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace suffice {

inline int bits_of(uint64_t highest) { return highest ? 64 - std::countl_zero(highest) : 0; }

template <class Entry>
void insertion_sort(Entry* begin, Entry* end) {
    for (Entry* at = begin; at < end; ++at) {
        const Entry entry = *at;
        Entry* to = at;
        for (; to > begin && to[-1] > entry; --to) *to = to[-1];
        *to = entry;
    }
}

// No entry has more than `bits` bits.
template <class Entry>
void sort_row(std::vector<Entry>& row, std::vector<Entry>& other, int bits) {
    constexpr size_t kFew = 16;
    const size_t size = row.size();
    if (size <= kFew) return insertion_sort(row.data(), row.data() + size);
    const int first = std::min({bits, 12, bits_of(size)}), shift = bits - first;
    uint32_t end[(1 << 12) + 1], most = 0;
    std::fill_n(end, (size_t(1) << first) + 1, 0);
    for (const Entry entry : row) ++end[(entry >> shift) + 1];
    for (size_t bucket = 1; bucket <= size_t(1) << first; ++bucket) {
        most = std::max(most, end[bucket]);
        end[bucket] += end[bucket - 1];
    }
    other.resize(size);
    for (const Entry entry : row) other[end[entry >> shift]++] = entry;
    row.swap(other);
    if (most > kFew)
        for (size_t bucket = 0, begin = 0; bucket < size_t(1) << first; begin = end[bucket++])
            if (end[bucket] - begin > kFew) std::sort(row.begin() + begin, row.begin() + end[bucket]);
    insertion_sort(row.data(), row.data() + size);  // entries are near their places
}

}  // namespace suffice
