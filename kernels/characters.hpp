// The lower-case form and class of a character, and the encodings of documents in memory.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "matrix.hpp"

namespace suffice {

using Forms = Bytes;
using OutForms = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Stages = nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Expansions = nb::ndarray<const uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Bits of a cell; the high bits are the offset from a character to its lower-case form.
enum Trait : int32_t { kWord = 1, kSpace = 2, kCased = 4, kIgnorable = 8, kExpands = 16 };
constexpr int kTraitBits = 5;
constexpr uint32_t kSigma = 0x3a3, kFinalSigma = 0x3c2;

// The table comes from Python (suffice/numerics/characters.py), in two stages: most blocks of 256 characters are alike.
struct Characters {
    const uint16_t* stage;
    const int32_t* cells;
    const uint32_t* expansions;  // rows: a character and its lower-case form (padded with 0)
    int64_t expanding, width;
    bool lower;

    Characters(const Stages& stages, const Codes& all, const Expansions& rows, bool lower)
        : stage(stages.data()), cells(all.data()), expansions(rows.data()), expanding(rows.shape(0)), width(rows.shape(1)),
          lower(lower) {
        uint32_t highest = 0;
        for (size_t i = 0; i < stages.shape(0); ++i) highest = stage[i] > highest ? stage[i] : highest;
        if (stages.shape(0) != 0x1100 || all.shape(0) < 256 * (size_t(highest) + 1))
            throw std::invalid_argument("the table of characters does not fit together");
    }
    int32_t operator[](uint32_t c) const { return cells[stage[c >> 8] << 8 | (c & 255)]; }
};

enum class Form : uint8_t { kMissing, kAscii, kLatin1, kTwoBytes, kFourBytes, kUtf8, kToken };

constexpr uint32_t kNoCharacter = 0xffffffff;

// Characters of one width, as in Python's strings.
template <class UnitType>
struct Fixed {
    using Unit = UnitType;
    const Unit* units;
    int64_t size;
    uint32_t next(int64_t& i) const { return units[i++]; }
    uint32_t before(int64_t& i) const { return units[--i]; }
};

// UTF-8 as in Arrow, which does not validate it: invalid bytes are kNoCharacter. Our own tokens may contain surrogates.
template <bool surrogates>
struct Utf8 {
    using Unit = uint8_t;
    const uint8_t* units;
    int64_t size;

    uint32_t next(int64_t& i) const {
        const uint32_t lead = units[i++];
        if (lead < 0x80) return lead;
        const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        if (lead < 0xc2 || lead > 0xf4 || size - i < more) return kNoCharacter;
        uint32_t c = lead & (0x3f >> more);
        for (int k = 0; k < more; ++k) {
            const uint32_t follows = units[i++];
            if ((follows & 0xc0) != 0x80) return kNoCharacter;
            c = c << 6 | (follows & 0x3f);
        }
        constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
        return c < kLeast[more] || c > 0x10ffff || (!surrogates && (c >> 11) == 0x1b) ? kNoCharacter : c;
    }
    uint32_t before(int64_t& i) const {  // of what `next` has read
        do --i;
        while ((units[i] & 0xc0) == 0x80);
        int64_t j = i;
        return next(j);
    }
};

// Writes the UTF-8 of a character (a lone surrogate like any other) and returns the number of bytes.
inline int put_utf8(uint32_t c, uint8_t* to) {
    if (c < 0x80) return to[0] = static_cast<uint8_t>(c), 1;
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    constexpr uint8_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
    for (int k = more; k > 0; --k, c >>= 6) to[k] = static_cast<uint8_t>(0x80 | (c & 0x3f));
    to[0] = static_cast<uint8_t>(kLead[more] | c);
    return more + 1;
}

// Bytes of the character that a lead byte begins.
inline int utf8_size(uint8_t lead) { return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4; }

}  // namespace suffice
