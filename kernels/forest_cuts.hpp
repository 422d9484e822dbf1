// The best cut of the rows of a node on one column, by entropy.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "forest.hpp"
#include "surprise.hpp"

namespace suffice {

constexpr int64_t kCodes = 256;

// A row of a bag: its class, that among the classes of the node it is in, and its weight in ticks.
struct BagRow {
    int32_t row;
    uint16_t label, local;
    uint32_t weight;
};

struct CodedColumn {
    int64_t number;
    const uint8_t* cells;
    bool is_level;
    int64_t size;  // codes
};

struct Cut {
    float score = 0.0f;  // Σ n log share on both sides: the first of those that are equal but for rounding is taken
    int64_t column = -1;
    int64_t left = 0;  // weight of the rows that go there
    uint8_t last = 0;  // code that goes left …
    uint32_t set = 0;  // … or, of levels, those that do …
    uint32_t seen = 0;  // … and those there are
    bool saw_missing = false;  // where codes are ordered

    // Both sides are pure, up to rounding: no other cut is better.
    bool is_perfect() const { return column >= 0 && score > -1e-6f; }
};

class NodeCuts {
  public:
    NodeCuts(int64_t classes, int64_t rows, const Surprise& f)
        : f_(f), next_(rows), total_(classes), turn_total_(classes), local_(classes), left_(classes), right_(classes), cells_(kCodes * classes) {
        std::fill_n(first_, kCodes, -1);
    }

    // The rows of a node. Their classes are renumbered, a random half last: levels are ordered by its share.
    void open(BagRow* begin, BagRow* end, uint64_t seed) {
        const int64_t classes = static_cast<int64_t>(total_.size());
        rows_ = begin, count_ = end - begin;
        std::fill(total_.begin(), total_.end(), 0);
        std::fill(turn_total_.begin(), turn_total_.end(), 0);
        for (int64_t i = 0; i < count_; ++i) (i & 1 ? turn_total_ : total_)[rows_[i].label] += rows_[i].weight;
        for (int64_t c = 0; c < classes; ++c) total_[c] += turn_total_[c];
        label_.clear();
        for (int64_t c = 0; c < classes; ++c)
            if (total_[c]) label_.push_back(static_cast<uint16_t>(c));
        if (!mixed()) return;
        const auto in_half = [&](uint16_t c) { return classes == 2 ? c == 1 : (mix(seed ^ (kStride * (c + 1))) & 1) != 0; };
        half_ = std::stable_partition(label_.begin(), label_.end(), [&](uint16_t c) { return !in_half(c); }) - label_.begin();
        if (half_ == 0) std::rotate(label_.begin(), label_.end() - 1, label_.end()), half_ = 1;
        if (half_ == static_cast<int64_t>(label_.size())) --half_;
        size_ = 0, surprise_ = 0.0;
        for (size_t k = 0; k < label_.size(); ++k) {
            local_[label_[k]] = static_cast<uint16_t>(k);
            size_ += total_[label_[k]];
            surprise_ += f_(total_[label_[k]]);
            left_[k] = 0, right_[k] = total_[label_[k]];
        }
        if (classes == 2) return;  // as they are
        for (BagRow* row = begin; row < end; ++row) row->local = local_[row->label];
    }

    bool mixed() const { return label_.size() > 1; }
    int64_t size() const { return size_; }
    const std::vector<int64_t>& total() const { return total_; }

    // Whether the column varies; `best` becomes its best cut if that is better.
    bool try_column(const CodedColumn& column, Cut& best) {
        const int64_t classes = static_cast<int64_t>(label_.size());
        return classes == 2                                      ? try_two(column, best)
               : kWorthCells * count_ > column.size * classes    ? try_cells(column, best)
                                                                 : try_rows(column, best);
    }

  private:
    static constexpr int64_t kWorthCells = 4, kFew = 64;

    // Two classes: sums by code, the second class in the high bits, both classes in the low bits. Rows alternate between two
    // sums, to break dependency chains.
    bool try_two(const CodedColumn& column, Cut& best) {
        const auto mass = [](const BagRow& row) { return row.weight | (row.weight & -static_cast<uint64_t>(row.local)) << 32; };
        uint8_t codes[kCodes + 1];
        int64_t count = 0;
        if (count_ <= kFew) {
            for (int64_t i = 0; i < count_; ++i) {
                const uint8_t code = column.cells[rows_[i].row];
                see(code);
                sums_[code] += mass(rows_[i]);
            }
            count = seen_codes(codes);
        } else {
            int64_t i = 0;
            for (; i + 1 < count_; i += 2) {
                sums_[column.cells[rows_[i].row]] += mass(rows_[i]);
                turn_[column.cells[rows_[i + 1].row]] += mass(rows_[i + 1]);
            }
            if (i < count_) sums_[column.cells[rows_[i].row]] += mass(rows_[i]);
            for (int64_t code = 0; code < column.size; ++code) {
                sums_[code] += turn_[code], turn_[code] = 0;
                codes[count] = static_cast<uint8_t>(code);
                count += sums_[code] != 0;
            }
        }
        if (column.is_level) order(codes, count);
        // a cut between two codes of one and the same class is never best (Fayyad and Irani 1992)
        uint8_t place[kCodes + 1];
        int64_t cuts = 0, left = 0, mine = 0, before = 0;
        for (int64_t k = 0; k < count; ++k) {
            const int64_t sum = static_cast<uint32_t>(sums_[codes[k]]), own = static_cast<int64_t>(sums_[codes[k]] >> 32);
            const int64_t only = (own == 0) | (own == sum) << 1;
            place[cuts] = static_cast<uint8_t>(k - 1), lefts_[cuts] = left, mines_[cuts] = mine;
            cuts += (k > 0) & ((only & before) == 0);
            before = only, left += sum, mine += own;
        }
        float most = -HUGE_VALF;
        const int64_t found = size_ < f_.tabled() ? best_of(cuts, most, [this](int64_t x) { return f_.looked_up(x); })
                                                  : best_of(cuts, most, [this](int64_t x) { return f_(x); });
        for (int64_t k = 0; k < count; ++k) sums_[codes[k]] = 0;
        return found >= 0 && offer(column, most, codes, place[found], count, lefts_[found], best);
    }

    // The first of the best of some cuts between two classes, −1 if there are none.
    template <class F>
    int64_t best_of(int64_t cuts, float& most, F&& f) const {
        const int64_t n = size_, p = right_[1];
        int64_t found = -1;
        for (int64_t k = 0; k < cuts; ++k) {
            const int64_t left = lefts_[k], mine = mines_[k], right = n - left, others = p - mine;
            const auto score = static_cast<float>(f(mine) + f(left - mine) - f(left) + f(others) + f(right - others) - f(right));
            if (score > most) most = score, found = k;
        }
        return found;
    }

    // More classes, and not many fewer rows than cells: sums by code and class.
    bool try_cells(const CodedColumn& column, Cut& best) {
        const int64_t classes = static_cast<int64_t>(label_.size());
        for (int64_t i = 0; i < count_; ++i)
            cells_[column.cells[rows_[i].row] * classes + rows_[i].local] += rows_[i].weight;
        uint8_t codes[kCodes + 1];
        int64_t count = 0;
        for (int64_t code = 0; code < column.size; ++code) {
            uint64_t sum = 0, in_half = 0;
            const uint32_t* cell = cells_.data() + code * classes;
            for (int64_t c = 0; c < half_; ++c) sum += cell[c];
            for (int64_t c = half_; c < classes; ++c) in_half += cell[c];
            sums_[code] = (sum + in_half) | in_half << 32;
            codes[count] = static_cast<uint8_t>(code);
            count += sums_[code] != 0;
        }
        if (column.is_level) order(codes, count);
        int64_t left = 0, at = -1, there = 0;
        float most = -HUGE_VALF;
        for (int64_t k = 0; k + 1 < count; ++k) {
            left += static_cast<uint32_t>(sums_[codes[k]]);
            const uint32_t* cell = cells_.data() + codes[k] * classes;
            double sum = 0.0;
            for (int64_t c = 0; c < classes; ++c) {
                left_[c] += cell[c];
                sum += f_(left_[c]) + f_(right_[c] - left_[c]);
            }
            const auto score = static_cast<float>(sum - f_(left) - f_(size_ - left));
            if (score > most) most = score, at = k, there = left;
        }
        std::fill_n(left_.begin(), classes, 0);
        std::fill_n(cells_.begin(), column.size * classes, 0);
        std::fill_n(sums_, column.size, 0);
        return offer(column, most, codes, at, count, there, best);
    }

    // More classes: the rows of each code are a list, and change sides one at a time.
    bool try_rows(const CodedColumn& column, Cut& best) {
        for (int64_t i = 0; i < count_; ++i) {
            const uint8_t code = column.cells[rows_[i].row];
            see(code);
            next_[i] = first_[code];
            first_[code] = static_cast<int32_t>(i);
            if (column.is_level)
                sums_[code] += rows_[i].weight | static_cast<uint64_t>(rows_[i].local >= half_ ? rows_[i].weight : 0) << 32;
        }
        uint8_t codes[kCodes];
        const int64_t count = seen_codes(codes);
        if (column.is_level) order(codes, count);
        int64_t left = 0, at = -1, there = 0;
        double sum = surprise_;
        float most = -HUGE_VALF;
        for (int64_t k = 0; k + 1 < count; ++k) {
            for (int64_t i = first_[codes[k]]; i >= 0; i = next_[i]) {
                const int64_t c = rows_[i].local, w = rows_[i].weight;
                sum += f_.step(left_[c], w) - f_.step(right_[c] - left_[c] - w, w);
                left_[c] += w, left += w;
            }
            const auto score = static_cast<float>(sum - f_(left) - f_(size_ - left));
            if (score > most) most = score, at = k, there = left;
        }
        std::fill_n(left_.begin(), label_.size(), 0);
        for (int64_t k = 0; k < count; ++k) sums_[codes[k]] = 0, first_[codes[k]] = -1;
        return offer(column, most, codes, at, count, there, best);
    }

    void see(uint8_t code) { seen_[code >> 6] |= uint64_t(1) << (code & 63); }

    // In their order; clears the codes seen.
    int64_t seen_codes(uint8_t* codes) {
        int64_t count = 0;
        for (int64_t word = 0; word < 4; ++word) {
            for (uint64_t bits = seen_[word]; bits; bits &= bits - 1)
                codes[count++] = static_cast<uint8_t>(64 * word + std::countr_zero(bits));
            seen_[word] = 0;
        }
        return count;
    }

    // Of levels: by the share of the upper sum.
    void order(uint8_t* codes, int64_t count) const {
        double shares[kSetSize];
        for (int64_t k = 0; k < count && count > 2; ++k) {
            const uint8_t code = codes[k];
            const double share = static_cast<double>(sums_[code] >> 32) / static_cast<double>(static_cast<uint32_t>(sums_[code]));
            int64_t at = k;
            for (; at > 0 && shares[at - 1] > share; --at) shares[at] = shares[at - 1], codes[at] = codes[at - 1];
            shares[at] = share, codes[at] = code;
        }
    }

    bool offer(const CodedColumn& column, float score, const uint8_t* codes, int64_t at, int64_t count, int64_t left, Cut& best) {
        if (at < 0) return false;
        if (best.column >= 0 && score <= best.score) return true;
        best = {score, column.number, left, codes[at], 0, 0, codes[0] == 0};
        for (int64_t k = 0; column.is_level && k < count; ++k) {
            best.seen |= uint32_t(1) << codes[k];
            if (k <= at) best.set |= uint32_t(1) << codes[k];
        }
        return true;
    }

    const Surprise& f_;
    BagRow* rows_ = nullptr;
    int64_t count_ = 0, half_ = 0;
    int64_t size_ = 0;       // weight of the node …
    double surprise_ = 0.0;  // … and Σ f over its classes
    std::vector<int32_t> next_;
    int32_t first_[kCodes];
    std::vector<int64_t> total_, turn_total_;  // by class
    std::vector<uint16_t> label_, local_;   // of a class of the node, and the inverse
    std::vector<int64_t> left_, right_;     // weights of the node's classes, on the left so far and in all
    std::vector<uint32_t> cells_;           // (codes, classes of the node)
    uint64_t seen_[4] = {};
    uint64_t sums_[kCodes] = {}, turn_[kCodes] = {};
    int64_t lefts_[kCodes + 1], mines_[kCodes + 1];  // weights left of the cuts of two classes, and of the second there
};

}  // namespace suffice
