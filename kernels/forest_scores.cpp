// Class shares in the leaves of a forest, and the scores of rows.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bounds.hpp"
#include "forest.hpp"
#include "kernels.hpp"
#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 128, kLanes = 8;

[[noreturn]] void broken(const char* what) { throw std::invalid_argument(std::string("a forest has ") + what); }

// Where trees, and the leaves, sets and leaf entries of each, begin.
struct Starts {
    std::vector<int64_t> node{0}, leaf{0}, set{0}, entry{0};
};

// Checks that every tree is complete: it ends with its last open subtree.
Starts starts_of(const Shorts& column, const Bytes& is_level, const Shorts& leaf_size, int64_t sets, int64_t entries,
                 int64_t trees) {
    const int64_t nodes = column.shape(0), leaves = leaf_size.shape(0), columns = is_level.shape(0);
    Starts out;
    int64_t node = 0, leaf = 0, set = 0, entry = 0;
    for (int64_t t = 0; t < trees; ++t) {
        for (int64_t open = 1; open > 0; ++node) {
            if (node >= nodes) broken("a tree that does not end");
            if (column.data()[node] == kLeaf) {
                if (leaf >= leaves) broken("more leaves than counts");
                entry += leaf_size.data()[leaf++];
                --open;
                continue;
            }
            const int64_t j = column.data()[node] & ~kMissingRight;
            if (j >= columns) broken("nodes of columns that are not there");
            set += is_level.data()[j] != 0;
            ++open;
        }
        out.node.push_back(node);
        out.leaf.push_back(leaf);
        out.set.push_back(set);
        out.entry.push_back(entry);
    }
    if (node != nodes || leaf != leaves || set != sets || entry != entries) broken("more nodes, leaves or sets than its trees");
    return out;
}

// Descends for a few rows in parallel, to hide memory latency.
SUFFICE_INLINE void walk(const ForestNode* flat, int32_t root, const ByteRows& codes, int64_t begin, int64_t end, int32_t* leaf) {
    const int64_t columns = codes.shape(1);
    const uint8_t* row[kLanes];
    int32_t at[kLanes];
    for (int64_t k = 0; k < kLanes; ++k) row[k] = codes.data() + std::min(begin + k, end - 1) * columns, at[k] = root;
    for (int32_t done = root; done >= 0;) {
        done = -1;
        for (int64_t k = 0; k < kLanes; ++k) {
            const int32_t next = flat[std::max(at[k], 0)].next(row[k]);
            at[k] = at[k] < 0 ? at[k] : next;
            done &= at[k];
        }
    }
    for (int64_t k = 0; k < kLanes; ++k) leaf[k] = ~at[k];
}

}  // namespace

// nodes (nodes that are no leaves, 16 bytes), root (trees), shares (leaves, lanes) and, where asked for, inner shares (as many
// as nodes): p = (n + p of the parent) / (N + 1), that of the root's parent being the prior. One lane for two classes: the second.
void flatten_forest(Shorts column, Bytes cut, Unsigneds sets, Bytes is_level, Shorts leaf_size, Shorts leaf_class, Singles leaf_weight,
                    Doubles prior, OutByteRows nodes, OutCodes root, OutSingles shares, OutSingles inner, int threads) {
    nb::gil_scoped_release nogil;
    const int64_t trees = root.shape(0), classes = prior.shape(0), lanes = shares.shape(1), first = classes - lanes;
    if (lanes != (classes == 2 ? 1 : classes)) broken("shares of other classes");
    const Starts at = starts_of(column, is_level, leaf_size, sets.shape(0), leaf_class.shape(0), trees);
    check_codes("classes of leaves", leaf_class.data(), leaf_class.shape(0), 0, classes);
    auto* flat = reinterpret_cast<ForestNode*>(nodes.data());
    const bool all = inner.shape(0) > 0;
    parallel(trees, threads, column.shape(0) * 4, [&](int64_t t) {
        const int64_t begin = at.node[t], size = at.node[t + 1] - begin;
        std::vector<double> count(size * classes, 0.0), share(size * classes);
        std::vector<int64_t> parent(size, -1), open;
        int64_t leaf = at.leaf[t], set = at.set[t], entry = at.entry[t];
        const int64_t inner_begin = begin - leaf;
        // links to each node: it is the left child of the node before it, or the right child of the last open one
        int64_t inside = inner_begin;
        std::vector<int64_t> place(size);
        for (int64_t i = 0; i < size; ++i) {
            const bool is_leaf = column.data()[begin + i] == kLeaf;
            place[i] = is_leaf ? ~leaf : inside;
            if (i == 0) {
                root.data()[t] = static_cast<int32_t>(place[0]);
            } else {
                const bool left = column.data()[begin + i - 1] != kLeaf;
                parent[i] = left ? i - 1 : open.back();
                if (!left) open.pop_back();
                flat[place[parent[i]]].child[left ? 0 : 1] = static_cast<int32_t>(place[i]);
            }
            if (is_leaf) {
                for (int64_t k = 0; k < leaf_size.data()[leaf]; ++k, ++entry)
                    count[i * classes + leaf_class.data()[entry]] += leaf_weight.data()[entry];
                ++leaf;
                continue;
            }
            open.push_back(i);
            const uint16_t packed = column.data()[begin + i], j = packed & ~kMissingRight;
            const uint8_t shift = packed & kMissingRight ? 1 : 0;
            if (shift > cut.data()[begin + i]) broken("a cut below all codes");
            flat[inside++] = {j, static_cast<uint8_t>(cut.data()[begin + i] - shift), shift,
                              is_level.data()[j] ? sets.data()[set++] : 0, {0, 0}};
        }
        for (int64_t i = size - 1; i > 0; --i)
            for (int64_t c = 0; c < classes; ++c) count[parent[i] * classes + c] += count[i * classes + c];
        for (int64_t i = 0; i < size; ++i) {
            const double* above = i ? share.data() + parent[i] * classes : prior.data();
            double total = 0.0;
            for (int64_t c = 0; c < classes; ++c) total += count[i * classes + c];
            for (int64_t c = 0; c < classes; ++c) share[i * classes + c] = (count[i * classes + c] + above[c]) / (total + 1.0);
            float* to = place[i] < 0 ? shares.data() + ~place[i] * lanes : all ? inner.data() + place[i] * lanes : nullptr;
            for (int64_t c = 0; to && c < lanes; ++c) to[c] = static_cast<float>(share[i * classes + first + c]);
        }
    });
}

// Out-of-bag means: over the trees for which a row is wholly or partly out of bag; leaf_of and outside (trees, rows), leaves
// counted a tree.
void out_of_bag_shares(CodeRows leaf_of, SingleRows outside, Integers leaf_start, SingleRows shares, OutDoubleRows out,
                       OutDoubles total, int threads) {
    const int64_t trees = leaf_of.shape(0), rows = leaf_of.shape(1), lanes = shares.shape(1);
    nb::gil_scoped_release nogil;
    check_rows(leaf_start, shares.shape(0));
    for (int64_t t = 0; t < trees; ++t)
        check_codes("leaves", leaf_of.data() + t * rows, rows, -1, leaf_start.data()[t + 1] - leaf_start.data()[t]);
    parallel(ceil_div(rows, kRows), threads, rows * trees, [&](int64_t run) {
        const int64_t begin = run * kRows, end = std::min(rows, begin + kRows);
        for (int64_t t = 0; t < trees; ++t)
            for (int64_t r = begin; r < end; ++r) {
                const int64_t leaf = leaf_of.data()[t * rows + r];
                if (leaf < 0) continue;
                const double w = outside.data()[t * rows + r];
                const float* share = shares.data() + (leaf_start.data()[t] + leaf) * lanes;
                for (int64_t c = 0; c < lanes; ++c) out.data()[r * lanes + c] += w * share[c];
                total.data()[r] += w;
            }
    });
}

// The sum of the shares over all trees: nodes, root and shares come from flatten_forest.
void forest_shares(ByteRows nodes, Codes root, SingleRows shares, ByteRows codes, OutDoubleRows out, int threads) {
    const int64_t trees = root.shape(0), rows = codes.shape(0), columns = codes.shape(1), lanes = shares.shape(1);
    const auto* flat = reinterpret_cast<const ForestNode*>(nodes.data());
    nb::gil_scoped_release nogil;
    // tree by tree, so that it stays in the cache
    parallel(ceil_div(rows, kRows), threads, rows * trees * 8, [&](int64_t run) {
        const int64_t begin = run * kRows, end = std::min(rows, begin + kRows);
        int32_t leaf[kRows + kLanes];
        for (int64_t t = 0; t < trees; ++t) {
            for (int64_t r = begin; r < end; r += kLanes) walk(flat, root.data()[t], codes, r, end, leaf + (r - begin));
            for (int64_t r = begin; r < end; ++r) {
                const float* share = shares.data() + int64_t(leaf[r - begin]) * lanes;
                double* to = out.data() + r * lanes;
                for (int64_t c = 0; c < lanes; ++c) to[c] += share[c];
            }
        }
    });
}

// The same by column: the change of the share at the nodes that cut the column, (rows, columns, lanes).
void forest_steps(ByteRows nodes, Codes root, SingleRows shares, SingleRows inner, ByteRows codes, OutDoubleRows out, int threads) {
    const int64_t trees = root.shape(0), rows = codes.shape(0), columns = codes.shape(1), lanes = shares.shape(1);
    const auto* flat = reinterpret_cast<const ForestNode*>(nodes.data());
    nb::gil_scoped_release nogil;
    parallel(ceil_div(rows, kRows), threads, rows * trees * 32, [&](int64_t run) {
        for (int64_t t = 0; t < trees; ++t)
            for (int64_t r = run * kRows; r < std::min(rows, (run + 1) * kRows); ++r) {
                const uint8_t* row = codes.data() + r * columns;
                for (int32_t at = root.data()[t]; at >= 0;) {
                    const int32_t next = flat[at].next(row);
                    const float* from = inner.data() + int64_t(at) * lanes;
                    const float* to = next < 0 ? shares.data() + int64_t(~next) * lanes : inner.data() + int64_t(next) * lanes;
                    double* sum = out.data() + (r * columns + flat[at].column) * lanes;
                    for (int64_t c = 0; c < lanes; ++c) sum[c] += static_cast<double>(to[c]) - from[c];
                    at = next;
                }
            }
    });
}

}  // namespace suffice
