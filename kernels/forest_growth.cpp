// Growing a forest: trees on bags of rows, each cut the best of a few columns that are drawn at its node.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "bags.hpp"
#include "bounds.hpp"
#include "forest.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int64_t kCodes = 256, kCopies = 64;
// Weights are whole ticks, so that sums are exact in any order: observations, or thousandths of a row, or more where rows are very
// heavy.
constexpr double kTicks = 1024, kMostTicks = 1u << 31;
constexpr int64_t kTabled = 1 << 16;

// x log x, looked up for the sizes that nodes mostly have: Σ over classes less that of the total is what rows lose by −log share.
class Surprise {
  public:
    explicit Surprise(int64_t most) : table_(std::min(most + 1, kTabled)), step_(table_.size()) {
        for (size_t x = 1; x < table_.size(); ++x) table_[x] = static_cast<double>(x) * std::log(static_cast<double>(x));
        for (size_t x = 0; x + 1 < table_.size(); ++x) step_[x] = table_[x + 1] - table_[x];
    }
    double operator()(int64_t x) const {
        return x < static_cast<int64_t>(table_.size()) ? table_[x] : static_cast<double>(x) * std::log(static_cast<double>(x));
    }
    // f(x + w) − f(x)
    double step(int64_t x, int64_t w) const {
        return w == 1 && x + 1 < static_cast<int64_t>(step_.size()) ? step_[x] : (*this)(x + w) - (*this)(x);
    }

  private:
    std::vector<double> table_, step_;
};

struct Table {
    const uint8_t* codes;  // by column
    int64_t rows, columns;
    const uint8_t* is_level;
    const int64_t* size;  // codes of each column
    const int64_t* order;  // columns to draw from, in an order that does not depend on theirs
    int64_t drawable;
    const uint64_t* keys;
    const int32_t* y;
    const double* weight;
    int64_t classes;
    double share, ticks;
    const Surprise& f;
    bool observed;
    int64_t tried;
};

// How much of a row is in the bag of a tree. Weights that count observations are drawn one by one.
double bagged(const Table& table, int64_t r, uint64_t tree) {
    const uint64_t seed = mix(table.keys[r] ^ tree) + kStride * (static_cast<uint64_t>(table.y[r]) + 1);
    const double weight = table.weight[r];
    if (!table.observed) return uniform(mix(seed)) < table.share ? weight : 0.0;
    const int64_t copies = std::llround(weight);
    if (copies > kCopies) {  // nearly normal
        double z = -6.0;
        for (uint64_t i = 0; i < 12; ++i) z += uniform(mix(seed + kStride * i));
        const double mean = weight * table.share, sd = std::sqrt(mean * (1 - table.share));
        return std::clamp(std::round(mean + sd * z), 0.0, weight);
    }
    double in = 0.0;
    for (int64_t i = 0; i < copies; ++i) in += uniform(mix(seed + kStride * static_cast<uint64_t>(i))) < table.share;
    return std::min(in, weight);
}

struct Tree {
    std::vector<uint16_t> column;
    std::vector<uint8_t> cut;
    std::vector<uint32_t> sets;  // of the nodes that cut levels
    std::vector<uint16_t> leaf_size, leaf_class;
    std::vector<float> leaf_weight;
    std::vector<int32_t> leaf_of;  // of the first rows, −1 of those in the bag
    std::vector<float> outside;    // how much of them is not
};

struct Split {
    float score = 0.0f;  // Σ n log share on both sides: the first of those that are equal but for rounding is taken
    int64_t column = -1;
    uint8_t cut = 0;
    uint32_t set = 0, seen = 0;
    bool saw_missing = false;
};

class Grower {
  public:
    explicit Grower(const Table& table)
        : t_(table), bag_(table.rows), row_(table.rows), class_(table.rows), weight_(table.rows), held_row_(table.rows),
          held_class_(table.rows), held_weight_(table.rows), sorted_(table.rows), counts_(table.classes), left_(table.classes),
          right_(table.classes), columns_(table.order, table.order + table.drawable), half_(table.classes), cells_(kCodes * table.classes) {}

    void grow(uint64_t seed, int64_t scored, Tree& tree) {
        int64_t rows = 0;
        for (int64_t r = 0; r < t_.rows; ++r) {
            bag_[r] = bagged(t_, r, seed);
            if (bag_[r] <= 0) continue;
            row_[rows] = static_cast<int32_t>(r);
            class_[rows] = t_.y[r];
            weight_[rows++] = std::max<uint32_t>(1, static_cast<uint32_t>(std::llround(bag_[r] * t_.ticks)));
        }
        struct Open {
            int64_t begin, end;
            uint64_t seed;
            int64_t parent;
        };
        std::vector<Open> open{{0, rows, mix(seed), -1}};
        std::vector<int32_t> right;
        while (!open.empty()) {
            const Open node = open.back();
            open.pop_back();
            const int64_t here = static_cast<int64_t>(tree.column.size());
            if (node.parent >= 0) right[node.parent] = static_cast<int32_t>(here);
            right.push_back(-1);
            const Split best = choose(node.begin, node.end, node.seed);
            if (best.column < 0) {
                right[here] = static_cast<int32_t>(tree.leaf_size.size());
                add_leaf(tree);
                continue;
            }
            const int64_t middle = divide(node.begin, node.end, best, tree);
            open.push_back({middle, node.end, mix(node.seed + kStride), here});
            open.push_back({node.begin, middle, mix(node.seed + 2 * kStride), -1});
        }
        leave_out(scored, right, tree);
    }

  private:
    // The best cut of the columns drawn at a node; none if it is pure or nothing varies.
    Split choose(int64_t begin, int64_t end, uint64_t seed) {
        std::fill(counts_.begin(), counts_.end(), 0);
        for (int64_t i = begin; i < end; ++i) counts_[class_[i]] += weight_[i];
        Split best;
        int64_t present = 0;
        for (const int64_t count : counts_) present += count > 0;
        if (present < 2) return best;
        if (t_.classes > 2) prepare(seed);
        int64_t tried = 0, drawn = 0;
        for (; drawn < t_.drawable && tried < t_.tried; ++drawn) {
            const uint64_t left = static_cast<uint64_t>(t_.drawable - drawn);
            const int64_t pick = drawn + static_cast<int64_t>((mix(seed + kStride * (drawn + 3)) >> 32) * left >> 32);
            std::swap(columns_[drawn], columns_[pick]);
            swapped_.push_back(pick);
            const int64_t column = columns_[drawn];
            tried += t_.classes == 2                                  ? try_two(column, begin, end, best)
                     : end - begin > t_.size[column] * t_.classes     ? try_cells(column, begin, end, best)
                                                                      : try_rows(column, begin, end, best);
        }
        while (!swapped_.empty()) {  // the draws of a node depend on nothing before it
            std::swap(columns_[--drawn], columns_[swapped_.back()]);
            swapped_.pop_back();
        }
        return best;
    }

    // All rows are on the right; levels are ordered by the share of a random half of the classes there are.
    void prepare(uint64_t seed) {
        int64_t in = 0, out = 0, last = 0;
        size_ = 0;
        surprise_ = 0.0;
        for (int64_t c = 0; c < t_.classes; ++c) {
            left_[c] = 0;
            right_[c] = counts_[c];
            size_ += counts_[c];
            surprise_ += t_.f(counts_[c]);
            half_[c] = mix(seed ^ (kStride * (c + 1))) & 1;
            if (counts_[c] <= 0) continue;
            (half_[c] ? in : out) += 1;
            last = c;
        }
        if (in == 0 || out == 0) half_[last] ^= 1;
    }

    // Codes in the order in which they are cut: their own, or, of levels, that of the upper of their sums over the lower.
    int64_t in_order(bool is_level, uint8_t* codes) {
        int64_t count = 0;
        for (int64_t word = 0; word < 4; ++word)
            for (uint64_t bits = seen_[word]; bits; bits &= bits - 1)
                codes[count++] = static_cast<uint8_t>(64 * word + __builtin_ctzll(bits));
        saw_missing_ = seen_[0] & 1;
        if (!is_level || count < 3) return count;
        double shares[kSetSize];
        for (int64_t k = 0; k < count; ++k) {
            const uint8_t code = codes[k];
            const double share = static_cast<double>(sums_[code] >> 32) / static_cast<double>(static_cast<uint32_t>(sums_[code]));
            int64_t at = k;
            for (; at > 0 && shares[at - 1] > share; --at) {
                shares[at] = shares[at - 1];
                codes[at] = codes[at - 1];
            }
            shares[at] = share;
            codes[at] = code;
        }
        return count;
    }

    void clear(const uint8_t* codes, int64_t count) {
        for (int64_t k = 0; k < count; ++k) sums_[codes[k]] = 0, many_[codes[k]] = 0;
    }

    void offer(int64_t column, bool is_level, float score, const uint8_t* codes, int64_t cut, int64_t count, Split& best) {
        if (best.column >= 0 && score <= best.score) return;
        best.score = score;
        best.column = column;
        best.saw_missing = saw_missing_;
        best.cut = codes[cut];
        best.set = best.seen = 0;
        for (int64_t k = 0; is_level && k < count; ++k) {
            best.seen |= uint32_t(1) << codes[k];
            if (k <= cut) best.set |= uint32_t(1) << codes[k];
        }
    }

    // Two classes: sums a code, of the second class above those of both.
    bool try_two(int64_t column, int64_t begin, int64_t end, Split& best) {
        const uint8_t* cells = t_.codes + column * t_.rows;
        std::memset(seen_, 0, sizeof seen_);
        for (int64_t i = begin; i < end; ++i) {
            const uint8_t code = cells[row_[i]];
            const uint64_t w = weight_[i];
            seen_[code >> 6] |= uint64_t(1) << (code & 63);
            sums_[code] += w | (w & -static_cast<uint64_t>(class_[i])) << 32;
        }
        uint8_t codes[kCodes];
        const bool is_level = t_.is_level[column];
        const int64_t count = in_order(is_level, codes);
        const int64_t n = counts_[0] + counts_[1], p = counts_[1];
        int64_t left = 0, mine = 0, cut = -1;
        float most = -HUGE_VALF;
        for (int64_t k = 0; k + 1 < count; ++k) {
            left += static_cast<uint32_t>(sums_[codes[k]]);
            mine += static_cast<int64_t>(sums_[codes[k]] >> 32);
            const int64_t right = n - left, others = p - mine;
            const auto score = static_cast<float>(t_.f(mine) + t_.f(left - mine) - t_.f(left) + t_.f(others) +
                                                  t_.f(right - others) - t_.f(right));
            if (score > most) most = score, cut = k;
        }
        clear(codes, count);
        if (cut >= 0) offer(column, is_level, most, codes, cut, count, best);
        return cut >= 0;
    }

    // More classes, and many more rows than there are cells: sums a code and class.
    bool try_cells(int64_t column, int64_t begin, int64_t end, Split& best) {
        const uint8_t* cells = t_.codes + column * t_.rows;
        const bool is_level = t_.is_level[column];
        std::memset(seen_, 0, sizeof seen_);
        for (int64_t i = begin; i < end; ++i) {
            const uint8_t code = cells[row_[i]];
            seen_[code >> 6] |= uint64_t(1) << (code & 63);
            cells_[code * t_.classes + class_[i]] += weight_[i];
        }
        for (int64_t code = 0; is_level && code < kSetSize; ++code)
            for (int64_t c = 0; c < t_.classes; ++c) add_half(code, c, cells_[code * t_.classes + c]);
        uint8_t codes[kCodes];
        const int64_t count = in_order(is_level, codes);
        const bool varies = sweep(column, is_level, codes, count, best, [&](uint8_t code, auto&& move) {
            for (int64_t c = 0; c < t_.classes; ++c)
                if (const int64_t w = cells_[code * t_.classes + c]) move(c, w);
        });
        for (int64_t k = 0; k < count; ++k) std::fill_n(cells_.begin() + codes[k] * t_.classes, t_.classes, 0);
        clear(codes, count);
        return varies;
    }

    // More classes: the rows in the order of their codes, one changing sides at a time.
    bool try_rows(int64_t column, int64_t begin, int64_t end, Split& best) {
        const uint8_t* cells = t_.codes + column * t_.rows;
        const bool is_level = t_.is_level[column];
        std::memset(seen_, 0, sizeof seen_);
        for (int64_t i = begin; i < end; ++i) {
            const uint8_t code = cells[row_[i]];
            seen_[code >> 6] |= uint64_t(1) << (code & 63);
            ++many_[code];
            if (is_level) add_half(code, class_[i], weight_[i]);
        }
        uint8_t codes[kCodes];
        const int64_t count = in_order(is_level, codes);
        int64_t place = 0;
        for (int64_t k = 0; k < count; ++k) {
            begin_[codes[k]] = place;
            place += many_[codes[k]];
        }
        bool varies = count > 1;
        if (varies) {
            for (int64_t i = begin; i < end; ++i)
                sorted_[begin_[cells[row_[i]]]++] = static_cast<uint64_t>(weight_[i]) << 16 | static_cast<uint64_t>(class_[i]);
            varies = sweep(column, is_level, codes, count, best, [&](uint8_t code, auto&& move) {
                for (int64_t i = begin_[code] - many_[code]; i < begin_[code]; ++i)
                    move(static_cast<int64_t>(sorted_[i] & 0xFFFF), static_cast<int64_t>(sorted_[i] >> 16));
            });
        }
        clear(codes, count);
        return varies;
    }

    void add_half(int64_t code, int64_t c, int64_t w) {
        sums_[code] += static_cast<uint64_t>(w) | (half_[c] ? static_cast<uint64_t>(w) << 32 : 0);
    }

    // The best cut, as code after code goes left; `rows_of` calls with class and weight of what a code has.
    template <class Rows>
    bool sweep(int64_t column, bool is_level, const uint8_t* codes, int64_t count, Split& best, Rows&& rows_of) {
        int64_t left = 0, right = size_, cut = -1;
        double left_sum = 0.0, right_sum = surprise_;
        float most = -HUGE_VALF;
        for (int64_t k = 0; k + 1 < count; ++k) {
            rows_of(codes[k], [&](int64_t c, int64_t w) {
                left_sum += t_.f.step(left_[c], w);
                right_sum -= t_.f.step(right_[c] - w, w);
                left_[c] += w, left += w;
                right_[c] -= w, right -= w;
            });
            const auto score = static_cast<float>(left_sum - t_.f(left) + right_sum - t_.f(right));
            if (score > most) most = score, cut = k;
        }
        for (int64_t k = 0; k + 1 < count; ++k)  // back to the right
            rows_of(codes[k], [&](int64_t c, int64_t w) { left_[c] = 0, right_[c] += w; });
        if (cut >= 0) offer(column, is_level, most, codes, cut, count, best);
        return cut >= 0;
    }

    // Rows to either side, in their order. A code that no row of the node has goes to the heavier side.
    int64_t divide(int64_t begin, int64_t end, Split best, Tree& tree) {
        const uint8_t* cells = t_.codes + best.column * t_.rows;
        const bool is_level = t_.is_level[best.column], astray = !best.saw_missing;
        int64_t side[2] = {0, 0};
        for (int64_t i = begin; i < end; ++i) {
            const uint8_t code = cells[row_[i]];
            side[is_level ? !(best.set >> code & 1) : code > best.cut] += weight_[i];
        }
        const bool to_left = side[0] >= side[1];
        if (is_level && to_left) best.set |= ~best.seen;
        const bool missing_right = !is_level && astray && !to_left;
        tree.column.push_back(static_cast<uint16_t>(best.column | (missing_right ? kMissingRight : 0)));
        tree.cut.push_back(is_level ? 0 : best.cut);
        if (is_level) tree.sets.push_back(best.set);
        int64_t middle = begin, held = 0;
        for (int64_t i = begin; i < end; ++i) {
            const uint8_t code = cells[row_[i]];
            const bool left = is_level ? best.set >> code & 1 : code == 0 ? !missing_right : code <= best.cut;
            if (left) {
                row_[middle] = row_[i];
                class_[middle] = class_[i];
                weight_[middle++] = weight_[i];
            } else {
                held_row_[held] = row_[i];
                held_class_[held] = class_[i];
                held_weight_[held++] = weight_[i];
            }
        }
        std::copy_n(held_row_.begin(), held, row_.begin() + middle);
        std::copy_n(held_class_.begin(), held, class_.begin() + middle);
        std::copy_n(held_weight_.begin(), held, weight_.begin() + middle);
        return middle;
    }

    void add_leaf(Tree& tree) {
        tree.column.push_back(kLeaf);
        tree.cut.push_back(0);
        uint16_t size = 0;
        for (int64_t c = 0; c < t_.classes; ++c) {
            if (counts_[c] <= 0) continue;
            tree.leaf_class.push_back(static_cast<uint16_t>(c));
            tree.leaf_weight.push_back(static_cast<float>(static_cast<double>(counts_[c]) / t_.ticks));
            ++size;
        }
        tree.leaf_size.push_back(size);
    }

    // The leaves of the first rows that are not, or not wholly, in the bag.
    void leave_out(int64_t scored, const std::vector<int32_t>& right, Tree& tree) {
        std::vector<uint32_t> set(tree.column.size(), 0);
        for (size_t node = 0, k = 0; node < set.size(); ++node)
            if (tree.column[node] != kLeaf && t_.is_level[tree.column[node] & ~kMissingRight]) set[node] = tree.sets[k++];
        tree.leaf_of.assign(scored, -1);
        tree.outside.assign(scored, 0.0f);
        for (int64_t r = 0; r < scored; ++r) {
            const double outside = t_.weight[r] - bag_[r];
            if (outside <= 0) continue;
            int64_t node = 0;
            while (tree.column[node] != kLeaf) {
                const int64_t column = tree.column[node] & ~kMissingRight;
                const uint8_t code = t_.codes[column * t_.rows + r];
                const bool left = t_.is_level[column] ? set[node] >> code & 1
                                  : code == 0         ? !(tree.column[node] & kMissingRight)
                                                      : code <= tree.cut[node];
                node = left ? node + 1 : right[node];
            }
            tree.leaf_of[r] = right[node];
            tree.outside[r] = static_cast<float>(outside);
        }
    }

    const Table& t_;
    std::vector<double> bag_;
    std::vector<int32_t> row_, class_;
    std::vector<uint32_t> weight_;
    std::vector<int32_t> held_row_, held_class_;
    std::vector<uint32_t> held_weight_;
    std::vector<uint64_t> sorted_;  // class, and weight above it
    std::vector<int64_t> counts_, left_, right_;
    int64_t size_ = 0;       // of the node …
    double surprise_ = 0.0;  // … and Σ f over its classes
    std::vector<int64_t> columns_, swapped_;
    std::vector<uint8_t> half_;
    std::vector<int64_t> cells_;  // (codes, classes)
    uint64_t seen_[4] = {};
    bool saw_missing_ = false;
    uint64_t sums_[kCodes] = {};
    int64_t many_[kCodes] = {}, begin_[kCodes] = {};
};

template <class T, class Of>
nb::object joined(const std::vector<Tree>& trees, Of&& of) {
    int64_t size = 0;
    for (const Tree& tree : trees) size += static_cast<int64_t>(of(tree).size());
    Column<T> out(size);
    int64_t at = 0;
    for (const Tree& tree : trees) {
        std::copy(of(tree).begin(), of(tree).end(), &out[0] + at);
        at += static_cast<int64_t>(of(tree).size());
    }
    return nb::cast(out.numpy());
}

}  // namespace

nb::tuple grow_forest(ByteRows codes, Bytes is_level, Integers order, Addresses keys, Codes y, Doubles weight, int64_t classes,
                      double share, bool observed, int64_t tried, int64_t first, int64_t count,
                      uint64_t seed, int64_t scored, int threads) {
    const int64_t columns = codes.shape(0), rows = codes.shape(1);
    std::vector<Tree> trees(count);
    {
        nb::gil_scoped_release nogil;
        check_labels(y.data(), rows, classes);
        check_codes("columns", order.data(), order.shape(0), 0, columns);
        for (int64_t j = 0; j < columns; ++j)
            if (is_level.data()[j]) check_codes("levels", codes.data() + j * rows, rows, 0, kSetSize);
        double total = 0.0;
        for (int64_t r = 0; r < rows; ++r) total += weight.data()[r];
        const double ticks = std::min(observed ? 1.0 : kTicks, (kMostTicks - static_cast<double>(rows)) / std::max(total, 1.0));
        std::vector<int64_t> size(columns);
        for (int64_t j = 0; j < columns; ++j)
            size[j] = rows ? 1 + *std::max_element(codes.data() + j * rows, codes.data() + (j + 1) * rows) : 0;
        const Surprise f(static_cast<int64_t>(total * ticks));
        const Table table{codes.data(), rows, columns, is_level.data(), size.data(), order.data(),
                          static_cast<int64_t>(order.shape(0)), keys.data(),
                          y.data(), weight.data(), classes, share, ticks, f, observed, tried};
        std::vector<std::unique_ptr<Grower>> growers(threads);
        parallel(count, threads, rows * count, [&](int64_t i, int worker) {
            if (!growers[worker]) growers[worker] = std::make_unique<Grower>(table);
            growers[worker]->grow(mix(seed + kStride * static_cast<uint64_t>(first + i + 1)), scored, trees[i]);
        });
    }
    return nb::make_tuple(
        joined<uint16_t>(trees, [](const Tree& t) -> auto& { return t.column; }),
        joined<uint8_t>(trees, [](const Tree& t) -> auto& { return t.cut; }),
        joined<uint32_t>(trees, [](const Tree& t) -> auto& { return t.sets; }),
        joined<uint16_t>(trees, [](const Tree& t) -> auto& { return t.leaf_size; }),
        joined<uint16_t>(trees, [](const Tree& t) -> auto& { return t.leaf_class; }),
        joined<float>(trees, [](const Tree& t) -> auto& { return t.leaf_weight; }),
        joined<int32_t>(trees, [](const Tree& t) -> auto& { return t.leaf_of; }),
        joined<float>(trees, [](const Tree& t) -> auto& { return t.outside; }));
}

}  // namespace suffice
