// Growing a forest: trees on bags of rows, each cut the best over a few columns drawn at its node.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bags.hpp"
#include "bounds.hpp"
#include "forest_cuts.hpp"
#include "kernels.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int64_t kCopies = 64;
// Weights are whole ticks, so that sums are exact in any order: observations, or 16ths of a row, finer for light rows and
// coarser for very heavy ones. With fewer ticks, more of the x log x table is in the first-level cache.
constexpr double kTicks = 16, kFinestTicks = 256, kMostTicks = 1u << 31;

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

// The weight of a row in the bag of a tree. Weights that count observations are drawn one by one.
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

// Ticks of a row of weight one; the lightest row has at least half as many.
double ticks_of(const double* weight, double total, int64_t rows, bool observed) {
    double least = 1.0;
    for (int64_t r = 0; r < rows; ++r)
        if (weight[r] > 0) least = std::min(least, weight[r]);
    double ticks = observed ? 1.0 : kTicks;
    while (!observed && 2 * ticks * least < kTicks && ticks < kFinestTicks) ticks *= 2;
    return std::min(ticks, (kMostTicks - static_cast<double>(rows)) / std::max(total, 1.0));
}

struct Tree {
    std::vector<uint16_t> column;
    std::vector<uint8_t> cut;
    std::vector<uint32_t> sets;  // of the nodes that cut levels
    std::vector<uint16_t> leaf_size, leaf_class;
    std::vector<float> leaf_weight;
    std::vector<int32_t> leaf_of;  // of the first rows, −1 of those in the bag
    std::vector<float> outside;    // their out-of-bag weight
};

class Grower {
  public:
    explicit Grower(const Table& table)
        : t_(table), cuts_(table.classes, table.rows, table.f), rows_(table.rows), held_rows_(table.rows), outside_(table.rows),
          held_outside_(table.rows), columns_(table.order, table.order + table.drawable) {}

    void grow(uint64_t seed, int64_t scored, Tree& tree) {
        int64_t rows = 0, outside = 0;
        tree.leaf_of.assign(scored, -1);
        tree.outside.assign(scored, 0.0f);
        for (int64_t r = 0; r < t_.rows; ++r) {
            const double in = bagged(t_, r, seed);
            if (in > 0)
                rows_[rows++] = {static_cast<int32_t>(r), static_cast<uint16_t>(t_.y[r]), static_cast<uint16_t>(t_.y[r]),
                                 std::max<uint32_t>(1, static_cast<uint32_t>(std::llround(in * t_.ticks)))};
            if (r >= scored || t_.weight[r] - in <= 0) continue;
            outside_[outside++] = static_cast<int32_t>(r);
            tree.outside[r] = static_cast<float>(t_.weight[r] - in);
        }
        struct Node {
            Range rows, outside;
            uint64_t seed;
        };
        std::vector<Node> open{{{0, rows}, {0, outside}, mix(seed)}};
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            Cut best = choose(node.rows, node.seed);
            if (best.column < 0) {
                add_leaf(node.outside, tree);
                continue;
            }
            const ForestNode cut = add_node(best, tree);
            const int64_t row = divide(rows_, held_rows_, node.rows, cut), out = divide(outside_, held_outside_, node.outside, cut);
            open.push_back({{row, node.rows.end}, {out, node.outside.end}, mix(node.seed + kStride)});
            open.push_back({{node.rows.begin, row}, {node.outside.begin, out}, mix(node.seed + 2 * kStride)});
        }
    }

  private:
    struct Range {
        int64_t begin, end;
    };

    // The best cut of the columns drawn at a node; none if the node is pure or its columns are constant.
    Cut choose(Range rows, uint64_t seed) {
        cuts_.open(rows_.data() + rows.begin, rows_.data() + rows.end, seed);
        Cut best;
        if (!cuts_.mixed()) return best;
        int64_t tried = 0, drawn = 0;
        for (; drawn < t_.drawable && tried < t_.tried && !best.is_perfect(); ++drawn) {
            const uint64_t left = static_cast<uint64_t>(t_.drawable - drawn);
            const int64_t pick = drawn + static_cast<int64_t>((mix(seed + kStride * (drawn + 3)) >> 32) * left >> 32);
            std::swap(columns_[drawn], columns_[pick]);
            swapped_.push_back(pick);
            const int64_t j = columns_[drawn];
            tried += cuts_.try_column({j, t_.codes + j * t_.rows, t_.is_level[j] != 0, t_.size[j]}, best);
        }
        while (!swapped_.empty()) {  // the draws of a node do not depend on earlier nodes
            std::swap(columns_[--drawn], columns_[swapped_.back()]);
            swapped_.pop_back();
        }
        return best;
    }

    // A code that no row of the node has goes to the heavier side.
    ForestNode add_node(const Cut& best, Tree& tree) const {
        const bool is_level = t_.is_level[best.column], to_left = 2 * best.left >= cuts_.size();
        const bool missing_right = !is_level && !best.saw_missing && !to_left;
        const uint32_t set = is_level && to_left ? best.set | ~best.seen : best.set;
        tree.column.push_back(static_cast<uint16_t>(best.column | (missing_right ? kMissingRight : 0)));
        tree.cut.push_back(is_level ? 0 : best.last);
        if (is_level) tree.sets.push_back(set);
        return {static_cast<uint16_t>(best.column), static_cast<uint8_t>(best.last - missing_right), missing_right, set, {0, 1}};
    }

    static int64_t number(const BagRow& row) { return row.row; }
    static int64_t number(int32_t row) { return row; }

    // Rows to either side of a cut, in their order.
    template <class Row>
    int64_t divide(std::vector<Row>& rows, std::vector<Row>& held, Range range, const ForestNode& cut) {
        const uint8_t* cells = t_.codes + cut.column * t_.rows;
        int64_t middle = range.begin, right = 0;
        for (int64_t i = range.begin; i < range.end; ++i) {
            const Row row = rows[i];
            const int32_t side = cut.side(cells[number(row)]);
            rows[middle] = held[right] = row;  // writes both, keeps one: a branch would be mispredicted half of the time
            middle += 1 - side;
            right += side;
        }
        std::copy_n(held.begin(), right, rows.begin() + middle);
        return middle;
    }

    void add_leaf(Range outside, Tree& tree) {
        for (int64_t i = outside.begin; i < outside.end; ++i)
            tree.leaf_of[outside_[i]] = static_cast<int32_t>(tree.leaf_size.size());
        tree.column.push_back(kLeaf);
        tree.cut.push_back(0);
        uint16_t size = 0;
        for (int64_t c = 0; c < t_.classes; ++c) {
            const int64_t count = cuts_.total()[c];
            if (count <= 0) continue;
            tree.leaf_class.push_back(static_cast<uint16_t>(c));
            tree.leaf_weight.push_back(static_cast<float>(static_cast<double>(count) / t_.ticks));
            ++size;
        }
        tree.leaf_size.push_back(size);
    }

    const Table& t_;
    NodeCuts cuts_;
    std::vector<BagRow> rows_, held_rows_;
    std::vector<int32_t> outside_, held_outside_;  // rows wholly or partly out of bag
    std::vector<int64_t> columns_, swapped_;
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
        const double total = std::accumulate(weight.data(), weight.data() + rows, 0.0);
        const double ticks = ticks_of(weight.data(), total, rows, observed);
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
