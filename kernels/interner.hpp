// Byte strings to numbers, by first occurrence: an open-addressing table with the first sixteen bytes of each string in its
// slot, so that most comparisons need no other memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "large_pages.hpp"
#include "simd.hpp"
#include "wide_product.hpp"

namespace suffice {

SUFFICE_INLINE uint64_t load64(const uint8_t* from) {
    uint64_t value;
    std::memcpy(&value, from, 8);
    return value;
}

SUFFICE_INLINE uint64_t mixed(uint64_t a, uint64_t b) {
    const WideProduct product = wide_product(a, b);
    return product.low ^ product.high;
}

constexpr uint32_t kInline = 16;

// The start of a mask for the first n of sixteen bytes: n ones, then zeros.
alignas(32) constexpr uint8_t kOnes[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

// A byte string ready to be looked up. Up to sixteen bytes are stored in head and tail (padded with zeros); of a longer
// string these are hashes. Sixteen bytes are read for any length.
struct Key {
    const uint8_t* bytes;
    uint64_t head, tail, hash;
    uint32_t length;

    SUFFICE_INLINE Key() = default;
    SUFFICE_INLINE Key(const uint8_t* from, uint32_t size, uint64_t seed) : bytes(from), length(size) {
        constexpr uint64_t kOne = 0xf5c7a1e3d9f0fbc1, kTwo = 0xffd2c0f7e5b9f8d5;  // bytes that no text has in a row
        if (size <= kInline) [[likely]] {
            head = load64(from) & load64(kOnes + 16 - size);
            tail = load64(from + 8) & load64(kOnes + 24 - size);
        } else {
            head = seed;
            tail = size;
            for (uint32_t i = 0; i + 16 < size; i += 16) {
                head = mixed(head ^ load64(from + i), kOne ^ load64(from + i + 8));
                tail = mixed(tail ^ load64(from + i + 8), kTwo ^ load64(from + i));
            }
            head = mixed(head ^ load64(from + size - 16), kTwo ^ load64(from + size - 8));
        }
        hash = mixed(mixed(head ^ kOne ^ seed, tail ^ kTwo) ^ size, kOne);
    }
};

struct Slot {
    uint64_t head, tail;
    uint32_t mark;  // number + 1; 0 where there is none
    uint32_t length;
    uint32_t document, place;  // last occurrence: for counting within a document
};

class Interner {
  public:
    explicit Interner(uint64_t seed) : seed_(seed) { resize(10); }

    uint64_t seed() const { return seed_; }
    uint32_t size() const { return static_cast<uint32_t>(hashes_.size()); }
    uint64_t hash(uint32_t i) const { return hashes_[i]; }
    const uint8_t* bytes(uint32_t i) const { return arena_.data() + starts_[i]; }
    uint32_t length(uint32_t i) const { return static_cast<uint32_t>(starts_[i + 1] - starts_[i]); }

    void prefetch(const Key& key) const { SUFFICE_PREFETCH(&slots_[key.hash >> shift_]); }
    // Must be called before adding up to that many new strings.
    void make_room(uint32_t more) {
        if (2 * (uint64_t(size()) + more) > slots_.size()) resize(64 - shift_ + (slots_.size() < (1u << 16) ? 2 : 1));
    }
    SUFFICE_INLINE Slot& slot(const Key& key) {
        const uint64_t mask = slots_.size() - 1;
        Slot* const slots = slots_.data();
        for (uint64_t i = key.hash >> shift_;; i = (i + 1) & mask) {
            Slot& slot = slots[i];
            if (!slot.mark) return add(slot, key);
            if (slot.head == key.head && slot.tail == key.tail && slot.length == key.length &&
                (key.length <= kInline || !std::memcmp(bytes(slot.mark - 1), key.bytes, key.length)))
                return slot;
        }
    }

  private:
    uint64_t seed_;
    int shift_ = 0;
    std::vector<Slot, LargePages<Slot>> slots_;
    std::vector<uint64_t, LargePages<uint64_t>> hashes_, starts_{0};
    std::vector<uint8_t, LargePages<uint8_t>> arena_;

    Slot& add(Slot& slot, const Key& key) {
        if (size() >= 0x7ffffffe) throw std::length_error("there are more than 2,147,483,646 different tokens");
        arena_.insert(arena_.end(), key.bytes, key.bytes + key.length);
        starts_.push_back(arena_.size());
        hashes_.push_back(key.hash);
        slot = {key.head, key.tail, size(), key.length, 0, 0};
        return slot;
    }

    void resize(int bits) {
        std::vector<Slot, LargePages<Slot>> old(size_t(1) << bits);
        old.swap(slots_);
        shift_ = 64 - bits;
        for (const Slot& slot : old)
            if (slot.mark) {
                uint64_t i = hashes_[slot.mark - 1] >> shift_;
                while (slots_[i].mark) i = (i + 1) & (slots_.size() - 1);
                slots_[i] = slot;
            }
    }
};

}  // namespace suffice
