// A tree is a run of nodes, each before its left subtree and that before its right one. A node cuts one column of one-byte
// codes, 0 a missing cell: codes up to a cut go left, or, of levels, those in a set of 32.
#pragma once

#include <cstdint>

namespace suffice {

constexpr uint16_t kLeaf = 0xFFFF;
constexpr uint16_t kMissingRight = 0x8000;  // beside the number of the column
constexpr int64_t kSetSize = 32;

// The form used in scoring: child ~i is leaf i.
struct ForestNode {
    uint16_t column;
    uint8_t cut, shift;  // code − shift ≤ cut goes left: a shift of one puts missing cells above all others
    uint32_t set;        // of codes that go left; zero if the column is ordered
    int32_t child[2];

    // 0 is the left one.
    uint32_t side(uint8_t code) const {
        // computes both and selects: a branch would be mispredicted half of the time
        const uint32_t by_set = set >> (code & 31) & 1, by_cut = static_cast<uint8_t>(code - shift) <= cut;
        const uint32_t is_set = -static_cast<uint32_t>(set != 0);
        return 1 ^ ((by_set & is_set) | (by_cut & ~is_set));
    }
    int32_t next(const uint8_t* codes) const { return child[side(codes[column])]; }
};
static_assert(sizeof(ForestNode) == 16);

// splitmix64's finaliser: a draw is a hash of its purpose.
inline uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

constexpr uint64_t kStride = 0x9E3779B97F4A7C15u;

inline double uniform(uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

}  // namespace suffice
