// A document in UTF-8, in lower case if wanted, with a bit for every byte of a word and a bit for every byte of white space.
#pragma once

#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "characters.hpp"
#include "simd.hpp"

namespace suffice {

constexpr int64_t kBlock = 64;  // units processed together, one bit of a mask each
constexpr int64_t kPadding = 2 * kBlock;  // bytes that may be read or written beyond the end

// Lower-cases 64 ASCII characters in place and sets the masks of \w and \s.
SUFFICE_INLINE void classify(uint8_t* block, bool lower, uint64_t& word, uint64_t& space) {
    word = space = 0;
#if defined(__SSE2__)
    const auto within = [](__m128i v, char low, char high) {
        return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8(low - 1)), _mm_cmplt_epi8(v, _mm_set1_epi8(high + 1)));
    };
    for (int k = 0; k < 4; ++k) {
        __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * k));
        const __m128i small = _mm_or_si128(v, _mm_set1_epi8(0x20));
        const __m128i letter = within(small, 'a', 'z'), upper = within(v, 'A', 'Z');
        const __m128i other = _mm_or_si128(within(v, '0', '9'), _mm_cmpeq_epi8(v, _mm_set1_epi8('_')));
        const __m128i blank = _mm_or_si128(within(v, '\t', '\r'), within(v, 0x1c, ' '));
        word |= static_cast<uint64_t>(_mm_movemask_epi8(_mm_or_si128(letter, other))) << 16 * k;
        space |= static_cast<uint64_t>(_mm_movemask_epi8(blank)) << 16 * k;
        if (lower) v = _mm_or_si128(v, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(block + 16 * k), v);
    }
#else
    for (int k = 0; k < 64; ++k) {
        const uint8_t c = block[k], small = c | 0x20;
        const bool letter = small >= 'a' && small <= 'z';
        word |= static_cast<uint64_t>(letter || (c >= '0' && c <= '9') || c == '_') << k;
        space |= static_cast<uint64_t>((c >= '\t' && c <= '\r') || (c >= 0x1c && c <= ' ')) << k;
        if (lower && letter) block[k] = small;
    }
#endif
}

class Text {
  public:
    const uint8_t* bytes() const { return bytes_.data(); }
    int64_t size() const { return size_; }
    int64_t masks() const { return (size_ + 63) / 64; }
    uint64_t word(int64_t k) const { return word_[k]; }
    uint64_t space(int64_t k) const { return space_[k]; }
    // A bit for every byte that is neither.
    uint64_t other(int64_t k) const {
        const uint64_t there = size_ - 64 * k >= 64 ? ~uint64_t(0) : (uint64_t(1) << (size_ - 64 * k)) - 1;
        return ~(word_[k] | space_[k]) & there;
    }

    // Whether all of it was text; a missing document is empty.
    bool read(const void* from, int64_t size, Form form, const Characters& characters) {
        switch (form) {
            case Form::kAscii:
            case Form::kLatin1: return read(Fixed<uint8_t>{static_cast<const uint8_t*>(from), size}, characters);
            case Form::kTwoBytes: return read(Fixed<uint16_t>{static_cast<const uint16_t*>(from), size}, characters);
            case Form::kFourBytes: return read(Fixed<uint32_t>{static_cast<const uint32_t*>(from), size}, characters);
            case Form::kUtf8: return read(Utf8<false>{static_cast<const uint8_t*>(from), size}, characters);
            case Form::kToken: return read(Utf8<true>{static_cast<const uint8_t*>(from), size}, characters);
            default: return read(Fixed<uint8_t>{nullptr, 0}, characters);
        }
    }

  private:
    std::vector<uint8_t> bytes_;
    std::vector<uint64_t> word_, space_;
    int64_t size_ = 0;

    void make_room() {
        if (size_ + kPadding <= static_cast<int64_t>(bytes_.size())) return;
        bytes_.resize(2 * size_ + 16 * kPadding);
        word_.resize(bytes_.size() / 64 + 2);
        space_.resize(bytes_.size() / 64 + 2);
    }

    static void append_bits(std::vector<uint64_t>& mask, int64_t at, uint64_t bits) {
        const int shift = at & 63;
        mask[at >> 6] |= bits << shift;
        mask[(at >> 6) + 1] = shift ? bits >> (64 - shift) : 0;
    }

    void take(int64_t count, uint64_t word, uint64_t space) {
        append_bits(word_, size_, word);
        append_bits(space_, size_, space);
        size_ += count;
    }

    void put(uint32_t c, int32_t cell) {
        make_room();
        const int count = put_utf8(c, bytes_.data() + size_);
        const uint64_t all = (1 << count) - 1;
        take(count, cell & kWord ? all : 0, cell & kSpace ? all : 0);
    }

    template <class Source>
    bool read(const Source& source, const Characters& characters) {
        size_ = 0;
        make_room();
        word_[0] = space_[0] = 0;
        for (int64_t i = 0; i < source.size;) {
            const int64_t end = i + kBlock < source.size ? i + kBlock : source.size;
            if (read_ascii(source.units + i, end - i, characters.lower)) {
                i = end;
                continue;
            }
            while (i < end)
                if (!read_character(source, i, characters)) return false;
        }
        return true;
    }

    template <class Unit>
    bool read_ascii(const Unit* from, int64_t count, bool lower) {
        make_room();
        uint8_t* to = bytes_.data() + size_;
        uint64_t word, space;
        if (count == kBlock) {
            if (!narrow(from, kBlock, to)) return false;
        } else {
            std::memset(to, 0, kBlock);  // zero is neither of a word nor white space
            if (!narrow(from, count, to)) return false;
        }
        classify(to, lower, word, space);
        take(count, word, space);
        return true;
    }

    template <class Unit>
    static SUFFICE_INLINE bool narrow(const Unit* from, int64_t count, uint8_t* to) {
        Unit any = 0;
        for (int64_t k = 0; k < count; ++k) {
            any |= from[k];
            to[k] = static_cast<uint8_t>(from[k]);
        }
        return any < 0x80;
    }

    template <class Source>
    bool read_character(const Source& source, int64_t& i, const Characters& characters) {
        const int64_t at = i;
        const uint32_t c = source.next(i);
        if (c == kNoCharacter) return false;
        const int32_t cell = characters[c];
        if (!(cell & kExpands)) {
            const uint32_t becomes = c + (cell >> kTraitBits);
            put(c == kSigma && characters.lower && ends_word(source, at, i, characters) ? kFinalSigma : becomes, cell);
            return true;
        }
        const uint32_t* row = characters.expansions;
        for (int64_t k = 0; k < characters.expanding; ++k, row += characters.width)
            if (row[0] == c)
                for (int64_t j = 1; j < characters.width && row[j]; ++j) put(row[j], characters[row[j]]);
        return true;
    }

    // Whether a capital sigma is word-final by the rule of str.lower: after a cased character and not before one, skipping
    // case-ignorable characters.
    template <class Source>
    static bool ends_word(const Source& source, int64_t at, int64_t after, const Characters& characters) {
        int32_t cell = 0;
        while (at > 0 && (cell = characters[source.before(at)]) & kIgnorable) cell = 0;
        if (!(cell & kCased)) return false;
        for (cell = 0; after < source.size;) {
            const uint32_t c = source.next(after);
            cell = c == kNoCharacter ? 0 : characters[c];
            if (!(cell & kIgnorable)) break;
            cell = 0;
        }
        return !(cell & kCased);
    }
};

}  // namespace suffice
