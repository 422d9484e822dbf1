// Documents to bags of tokens: words, characters, or each document as a whole.
#include <bit>

#include "bags.hpp"
#include "kernels.hpp"
#include "text.hpp"

namespace suffice {
namespace {

// Calls f(begin, end) for every run of bits. The edges of a few thousand bytes are listed first: branches of a loop over a
// list are easier to predict than over the bits of every word.
template <class Mask, class F>
SUFFICE_INLINE void runs(int64_t masks, int64_t size, Mask&& mask, F&& f) {
    constexpr int64_t kMasks = 32;
    uint32_t edges[64 * kMasks + 8];
    int64_t count = 0;
    uint64_t carry = 0;
    for (int64_t k = 0; k < masks;) {
        for (const int64_t stop = std::min(masks, k + kMasks); k < stop; ++k) {
            const uint64_t bits = mask(k);
            uint64_t left = bits ^ (bits << 1 | carry);
            carry = bits >> 63;
            const int64_t next = count + std::popcount(left);
            for (; count < next; count += 8)
                for (int j = 0; j < 8; ++j, left &= left - 1)  // may write too many, which are ignored
                    edges[count + j] = static_cast<uint32_t>(64 * k + std::countr_zero(left | uint64_t(1) << 63));
            count = next;
        }
        for (int64_t i = 0; i + 2 <= count; i += 2) f(edges[i], edges[i + 1]);
        if (count & 1) edges[0] = edges[count - 1];
        count &= 1;
    }
    if (count) f(edges[0], size);
}

// \w\w+ for least = 2, \w+ for least = 1.
struct Words {
    int least;

    void operator()(const Text& text, Bag& bag) const {
        Put put(bag);
        const auto word = [&](int64_t k) { return text.word(k); };
        runs(text.masks(), text.size(), word, [&](int64_t begin, int64_t end) {
            const uint8_t* bytes = text.bytes() + begin;
            put(bytes, end - begin, least == 1 || end - begin > utf8_size(*bytes));
        });
    }
};

// \w+|[^\w\s]
struct WordsAndMarks {
    void operator()(const Text& text, Bag& bag) const {
        Put put(bag);
        int64_t begin = -1;
        uint64_t carry = 0;
        for (int64_t k = 0; k < text.masks(); ++k) {
            const uint64_t word = text.word(k), mark = text.other(k);
            const uint64_t edges = word ^ (word << 1 | carry);
            carry = word >> 63;
            for (uint64_t events = edges | mark; events; events &= events - 1) {
                const int64_t at = 64 * k + std::countr_zero(events);
                if (begin >= 0) {
                    put(text.bytes() + begin, at - begin);
                    begin = -1;
                }
                const uint64_t bit = events & -events;
                if (word & bit) begin = at;
                else if (mark & bit && (text.bytes()[at] & 0xc0) != 0x80) put(text.bytes() + at, utf8_size(text.bytes()[at]));
            }
        }
        if (begin >= 0) put(text.bytes() + begin, text.size() - begin);
    }
};

// \S+
struct Pieces {
    void operator()(const Text& text, Bag& bag) const {
        Put put(bag);
        const auto there = [&](int64_t k) { return text.word(k) | text.other(k); };
        runs(text.masks(), text.size(), there, [&](int64_t begin, int64_t end) { put(text.bytes() + begin, end - begin); });
    }
};

struct Whole {
    void operator()(const Text& text, Bag& bag) const { Put{bag}(text.bytes(), text.size()); }
};

// Every run of low … high characters. White space of more than one character counts as one space. Or, for documents that are
// words: every such run of the word between two spaces, and the whole once if it is too short for the longest.
struct CharacterRuns {
    int64_t low, high;
    bool words;
    std::vector<uint8_t> bytes{};
    std::vector<uint32_t> starts{};  // of the characters
    int64_t size = 0, characters = 0;

    void operator()(const Text& text, Bag& bag) {
        Put put(bag);
        bytes.resize(text.size() + kPadding);
        starts.resize(text.size() + 3);
        size = characters = 0;
        if (words) append(kBlank, 1);
        int64_t done = 0;
        const auto space = [&](int64_t k) { return text.space(k); };
        runs(text.masks(), text.size(), space, [&](int64_t begin, int64_t end) {
            if (end - begin <= utf8_size(text.bytes()[begin])) return;
            append(text.bytes() + done, begin - done);
            append(kBlank, 1);
            done = end;
        });
        append(text.bytes() + done, text.size() - done);
        if (words) append(kBlank, 1);
        const int64_t longest = words && characters <= high ? characters - 1 : high;
        for (int64_t i = 0; i < characters; ++i)
            for (int64_t n = low; n <= std::min(longest, characters - i); ++n)
                put(bytes.data() + starts[i], starts[i + n] - starts[i]);
        if (longest < high) put(bytes.data(), size);
    }

  private:
    static constexpr uint8_t kBlank[] = {' '};

    void append(const uint8_t* from, int64_t count) {
        for (int64_t k = 0; k < count; ++k) {
            bytes[size] = from[k];
            starts[characters] = static_cast<uint32_t>(size++);
            characters += (from[k] & 0xc0) != 0x80;
        }
        starts[characters] = static_cast<uint32_t>(size);
    }
};

template <class Tokens>
nb::tuple read_bags(Addresses address, Integers length, Forms form, const Characters& characters, const Tokens& tokens,
                    bool counting, int threads) {
    const int64_t documents = length.shape(0);
    std::atomic<int64_t> bad{documents};
    Bags bags;
    {
        nb::gil_scoped_release nogil;
        struct Scratch { Text text; Tokens tokens; };
        std::vector<std::unique_ptr<Scratch>> scratch(threads);
        const int64_t work = std::accumulate(length.data(), length.data() + documents, documents * 16);
        bags = fill_bags(length.data(), documents, work, counting, threads, [&](int64_t d, int worker, Bag& bag) {
            if (!scratch[worker]) scratch[worker].reset(new Scratch{{}, tokens});
            auto& [text, split] = *scratch[worker];
            const Form kind = static_cast<Form>(form.data()[d]);
            if (kind == Form::kMissing) return;
            if (text.read(reinterpret_cast<const void*>(address.data()[d]), length.data()[d], kind, characters)) {
                split(text, bag);
            } else {
                for (int64_t first = bad; d < first && !bad.compare_exchange_weak(first, d);) {}
            }
        });
    }
    return nb::make_tuple(bags.numpy(), bad < documents ? static_cast<int64_t>(bad) : -1);
}

}  // namespace

nb::tuple split_words(Addresses address, Integers length, Forms form, Stages stages, Codes cells, Expansions expansions,
                      bool lower, int split, bool counting, int threads) {
    const Characters characters(stages, cells, expansions, lower);
    const auto read = [&](auto tokens) { return read_bags(address, length, form, characters, tokens, counting, threads); };
    switch (static_cast<Split>(split)) {
        case Split::kWords: return read(Words{1});
        case Split::kLongWords: return read(Words{2});
        case Split::kWordsAndMarks: return read(WordsAndMarks{});
        case Split::kPieces: return read(Pieces{});
        case Split::kWhole: return read(Whole{});
    }
    throw std::invalid_argument("there is no such way to split a document");
}

nb::tuple split_characters(Addresses address, Integers length, Forms form, Stages stages, Codes cells, Expansions expansions,
                           bool lower, int64_t low, int64_t high, bool words, int threads) {
    const Characters characters(stages, cells, expansions, lower);
    return read_bags(address, length, form, characters, CharacterRuns{low, high, words}, true, threads);
}

int64_t text_views(nb::list texts, OutAddresses address, OutIntegers length, OutForms form) {
    const int64_t count = static_cast<int64_t>(texts.size());
    for (int64_t i = 0; i < count; ++i) {
        PyObject* text = PyList_GET_ITEM(texts.ptr(), i);
        address.data()[i] = 0;
        length.data()[i] = 0;
        form.data()[i] = static_cast<uint8_t>(Form::kMissing);
        if (text == Py_None) continue;
        if (!PyUnicode_Check(text)) return i;
#if PY_VERSION_HEX < 0x030c0000
        if (PyUnicode_READY(text)) throw nb::python_error();
#endif
        const int kind = PyUnicode_KIND(text);
        address.data()[i] = reinterpret_cast<uint64_t>(PyUnicode_DATA(text));
        length.data()[i] = PyUnicode_GET_LENGTH(text);
        form.data()[i] = static_cast<uint8_t>(PyUnicode_IS_ASCII(text)              ? Form::kAscii
                                              : kind == PyUnicode_1BYTE_KIND        ? Form::kLatin1
                                              : kind == PyUnicode_2BYTE_KIND        ? Form::kTwoBytes
                                                                                    : Form::kFourBytes);
    }
    return -1;
}

}  // namespace suffice
