// A vocabulary is strings end to end with their offsets: its order, its hash index, and its strings.
#include <algorithm>
#include <numeric>
#include <string>

#include "interner.hpp"
#include "kernels.hpp"
#include "parallel.hpp"
#include "row_order.hpp"

namespace suffice {

void check_rows(const Integers& offsets, int64_t size) {
    const int64_t count = static_cast<int64_t>(offsets.shape(0)) - 1, *at = offsets.data();
    bool sound = count >= 0 && at[0] == 0 && at[count] == size, rising = true;
    for (int64_t i = 0; i < count; ++i) rising &= at[i] <= at[i + 1];
    if (sound && rising) return;
    const auto number = [](int64_t n) { return std::to_string(n); };
    std::string found = count < 0 ? "there are none" : "found " + number(at[0]) + " … " + number(at[count]);
    if (sound) {
        const int64_t fall = std::is_sorted_until(at, at + count + 1) - at;
        found = "offset " + number(fall - 1) + " is " + number(at[fall - 1]) + ", before " + number(at[fall]);
    }
    throw std::invalid_argument("offsets must begin at 0, never fall and end at " + number(size) + "; " + found);
}

namespace {

struct Strings {
    const uint8_t* bytes;
    const int64_t* offsets;
    int64_t count, size;

    Strings(const Bytes& all, const Integers& starts, bool checked = true)
        : bytes(all.data()), offsets(starts.data()), count(static_cast<int64_t>(starts.shape(0)) - 1), size(all.shape(0)) {
        if (checked) check_rows(starts, size);
    }
    const uint8_t* at(int64_t i) const { return bytes + offsets[i]; }
    int64_t length(int64_t i) const { return offsets[i + 1] - offsets[i]; }

    // A key reads sixteen bytes, which would overrun the end.
    Key key(int64_t i) const {
        if (offsets[i] + kInline <= size) return Key(at(i), static_cast<uint32_t>(length(i)), 0);
        uint8_t last[kInline] = {};
        std::copy_n(at(i), length(i), last);
        Key key(last, static_cast<uint32_t>(length(i)), 0);
        key.bytes = at(i);
        return key;
    }
};

// The index: number + 1 and, above it, half of the hash; 0 where there is nothing.
constexpr uint64_t kNumber = 0xffffffff;

}  // namespace

void index_tokens(Bytes bytes, Integers offsets, int64_t first, OutAddresses index) {
    const Strings strings(bytes, offsets);
    const uint64_t mask = index.shape(0) - 1;
    if (index.shape(0) & mask || index.shape(0) <= static_cast<uint64_t>(strings.count))
        throw std::invalid_argument("an index needs a power of two of places, more than there are strings");
    nb::gil_scoped_release nogil;
    for (int64_t i = std::max<int64_t>(0, first); i < strings.count; ++i) {
        const uint64_t hash = strings.key(i).hash;
        uint64_t place = hash & mask;
        while (index.data()[place]) place = (place + 1) & mask;
        index.data()[place] = (hash & ~kNumber) | static_cast<uint64_t>(i + 1);
    }
}

void find_tokens(Bytes bytes, Integers offsets, Addresses index, Bytes wanted_bytes, Integers wanted_offsets, OutCodes out,
                 int threads) {
    const Strings strings(bytes, offsets, false);  // large and read in a few places, each of which is checked
    const Strings wanted(wanted_bytes, wanted_offsets);
    const uint64_t mask = index.shape(0) - 1;
    if (static_cast<int64_t>(out.shape(0)) != wanted.count) throw std::invalid_argument("every string needs a place");
    nb::gil_scoped_release nogil;
    constexpr int64_t kStrings = 4096;
    parallel(ceil_div(wanted.count, kStrings), threads, wanted.count * 32, [&](int64_t task) {
        for (int64_t i = task * kStrings; i < std::min(wanted.count, (task + 1) * kStrings); ++i) {
            const uint64_t hash = wanted.key(i).hash;
            int32_t found = -1;
            uint64_t entry;
            for (uint64_t place = hash & mask; found < 0 && (entry = index.data()[place]); place = (place + 1) & mask) {
                if ((entry ^ hash) & ~kNumber) continue;
                const int64_t number = static_cast<int64_t>(entry & kNumber) - 1;
                if (number >= strings.count || strings.offsets[number] < 0 || strings.offsets[number + 1] > strings.size)
                    throw std::invalid_argument("the index belongs to another vocabulary");
                if (strings.length(number) == wanted.length(i) &&
                    std::equal(wanted.at(i), wanted.at(i + 1), strings.at(number)))
                    found = static_cast<int32_t>(number);
            }
            out.data()[i] = found;
        }
    });
}

void sort_tokens(Bytes bytes, Integers offsets, OutCodes order, int threads) {
    const Strings strings(bytes, offsets);
    if (static_cast<int64_t>(order.shape(0)) != strings.count) throw std::invalid_argument("every string needs a place");
    nb::gil_scoped_release nogil;
    struct Item { uint64_t prefix; int32_t number; };  // eight bytes decide most comparisons
    std::vector<Item> items(strings.count), other(strings.count);
    const auto before = [&](const Item& a, const Item& b) {
        if (a.prefix != b.prefix) return a.prefix < b.prefix;
        const int64_t la = strings.length(a.number), lb = strings.length(b.number);
        const int64_t shared = std::min(la, lb);
        const int sign = shared > 8 ? std::memcmp(strings.at(a.number) + 8, strings.at(b.number) + 8, shared - 8) : 0;
        return sign ? sign < 0 : la != lb ? la < lb : a.number < b.number;
    };
    constexpr int64_t kItems = 4096;
    const int64_t work = strings.count * 32;
    parallel(ceil_div(strings.count, kItems), threads, work, [&](int64_t task) {
        for (int64_t i = task * kItems; i < std::min(strings.count, (task + 1) * kItems); ++i) {
            uint64_t prefix = 0;
            const int64_t length = std::min<int64_t>(8, strings.length(i));
            for (int64_t k = 0; k < length; ++k) prefix |= static_cast<uint64_t>(strings.at(i)[k]) << (56 - 8 * k);
            items[i] = {prefix, static_cast<int32_t>(i)};
        }
    });
    // distributed to many small buckets, which are sorted one by one
    uint64_t low = ~uint64_t(0), high = 0;
    for (const Item& item : items) low = std::min(low, item.prefix), high = std::max(high, item.prefix);
    const int shift = strings.count ? std::max(0, bits_of(high - low) - std::min(16, bits_of(strings.count))) : 0;
    std::vector<int64_t> end(strings.count ? ((high - low) >> shift) + 2 : 1, 0);
    for (const Item& item : items) ++end[((item.prefix - low) >> shift) + 1];
    std::partial_sum(end.begin(), end.end(), end.begin());
    for (const Item& item : items) other[end[(item.prefix - low) >> shift]++] = item;
    items.swap(other);
    const int64_t buckets = static_cast<int64_t>(end.size()) - 1, some = std::max<int64_t>(1, ceil_div(buckets, 256));
    parallel(ceil_div(buckets, some), threads, work, [&](int64_t task) {
        for (int64_t b = task * some; b < std::min(buckets, (task + 1) * some); ++b)
            std::sort(items.begin() + (b ? end[b - 1] : 0), items.begin() + end[b], before);
    });
    for (int64_t i = 0; i < strings.count; ++i) order.data()[i] = items[i].number;
}

void hash_tokens(Bytes bytes, Integers offsets, int64_t width, OutCodes out) {
    const Strings strings(bytes, offsets);
    if (static_cast<int64_t>(out.shape(0)) != strings.count) throw std::invalid_argument("every string needs a place");
    nb::gil_scoped_release nogil;
    for (int64_t i = 0; i < strings.count; ++i)
        out.data()[i] = static_cast<int32_t>(wide_product(strings.key(i).hash, static_cast<uint64_t>(width)).high);
}

nb::list token_strings(Bytes bytes, Integers offsets) {
    const Strings strings(bytes, offsets);
    nb::list out;
    for (int64_t i = 0; i < strings.count; ++i) {
        PyObject* text = PyUnicode_DecodeUTF8(reinterpret_cast<const char*>(strings.at(i)), strings.length(i), "surrogatepass");
        if (!text) throw nb::python_error();
        out.append(nb::steal(text));
    }
    return out;
}

}  // namespace suffice
