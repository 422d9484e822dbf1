// Scores of the levels of one column, each class shrunk toward the pooled counts, with all rows and leave-one-out.
#include "kernels.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

namespace suffice {
namespace {

struct Node {  // a set of levels: its counts in a class and in all classes
    double mine, all;
};

// The share of a part of a node in the class over its share in all classes.
double ratio_of(Node part, Node whole, double strength) {
    if (part.all <= 0 || whole.all <= 0) return 1.0;  // unseen: no evidence
    const double share = part.all / whole.all;
    return (std::max(part.mine, 0.0) + strength * share) / ((std::max(whole.mine, 0.0) + strength) * share);
}

struct Counted {  // (classes, levels), and their sums up to each level; the last row is of all classes together
    const double *counts, *unit;
    const int64_t* start;  // of each whole that levels are parts of, and the end of the last
    int64_t classes, levels, wholes;
    bool binary;
    std::vector<double> upto;

    Counted(const DoubleRows& table, const Doubles& units, const Integers& starts, bool binary)
        : counts(table.data()), unit(units.data()), start(starts.data()), classes(table.shape(0)), levels(table.shape(1)),
          wholes(static_cast<int64_t>(starts.shape(0)) - 1), binary(binary), upto((classes + 1) * (levels + 1), 0.0) {
        double* all = upto.data() + classes * (levels + 1);
        for (int64_t c = 0; c < classes; ++c)
            for (int64_t b = 0; b < levels; ++b) {
                upto[c * (levels + 1) + b + 1] = upto[c * (levels + 1) + b] + counts[c * levels + b];
                all[b + 1] += counts[c * levels + b];
            }
        for (int64_t b = 0; b < levels; ++b) all[b + 1] += all[b];
    }

    // out += log ratio of every part of every whole; gone(c), a node: the counts left out of the class and of the total
    template <class Gone>
    void add_to(double* out, double strength, Gone gone) const {
        each_part(strength, gone, [](double ratio) { return std::log(ratio); }, [&](int64_t i, double part) { out[i] += part; });
    }
    // out *= the ratios
    template <class Gone>
    void multiply(double* out, double strength, Gone gone) const {
        each_part(strength, gone, [](double ratio) { return ratio; }, [&](int64_t i, double part) { out[i] *= part; });
    }
    // Σ over the rows of −log p(class | level), leave-one-out, of ratios times the prior; both are changed.
    double loss(double* own, double* others, const double* prior) const {
        double loss = 0;
        for (int64_t b = 0; b < levels; ++b) {
            double sum = 0;
            for (int64_t c = 0; c < classes; ++c) sum += others[c * levels + b] *= prior[c];
            for (int64_t c = 0; c < classes; ++c) {
                const double n = counts[c * levels + b];
                if (n <= 0) continue;
                const double mine = std::max(own[c * levels + b] * prior[c], DBL_MIN);  // a product may be too small
                loss += n * std::log1p(std::max(sum - others[c * levels + b], 0.0) / mine);
            }
        }
        return loss;
    }

  private:
    // Applies `of` to the ratio of every part of every whole, for each of its levels.
    template <class Gone, class Of, class Put>
    void each_part(double strength, Gone gone, Of of, Put put) const {
        const double* all = upto.data() + classes * (levels + 1);
        const auto one = [&](int64_t low, int64_t high, int64_t from, int64_t to) {
            for (int64_t c = 0; c < classes; ++c) {
                const double* mine = upto.data() + c * (levels + 1);
                const Node less = gone(c);
                const double part = of(ratio_of({mine[high] - mine[low] - less.mine, all[high] - all[low] - less.all},
                                                {mine[to] - mine[from] - less.mine, all[to] - all[from] - less.all}, strength));
                for (int64_t b = low; b < high; ++b) put(c * levels + b, part);
            }
        };
        for (int64_t w = 0; w < wholes; ++w) {
            const int64_t first = start[w], end = start[w + 1];
            if (!binary) {
                for (int64_t b = first; end - first > 1 && b < end; ++b) one(b, b + 1, first, end);
                continue;
            }
            int64_t width = 1;
            while (width < end - first) width *= 2;
            for (int64_t span = width; span > 1; span /= 2)
                for (int64_t from = first; from < end; from += span) {
                    const int64_t middle = std::min(end, from + span / 2), to = std::min(end, from + span);
                    if (middle == to) continue;  // nothing to halve
                    one(from, middle, from, to);
                    one(middle, to, from, to);
                }
        }
    }
};

}  // namespace

// counts, full, own, others: (classes, levels), the last three added to. unit: the weight of one row of each class. start:
// of each whole that levels are parts of. Binary: its levels are halved again and again, each half shrunk on its own.
nb::tuple shrunk_tables(DoubleRows counts, Doubles unit, Integers start, bool binary, Doubles strengths, Doubles log_prior,
                        OutDoubleRows full, OutDoubleRows own, OutDoubleRows others) {
    int64_t best = 0;
    double least = INFINITY;
    {
        nb::gil_scoped_release nogil;
        const Counted all(counts, unit, start, binary);
        const auto own_gone = [&](int64_t c) { return Node{all.unit[c], all.unit[c]}; };
        const auto other_gone = [](int64_t) { return Node{0.0, 1.0}; };
        const auto exps = [](const double* x, int64_t n) {
            std::vector<double> out(n);
            std::transform(x, x + n, out.begin(), [](double v) { return std::exp(v); });
            return out;
        };
        const auto prior = exps(log_prior.data(), all.classes);
        const auto before = exps(own.data(), own.size()), beside = exps(others.data(), others.size());
        // products while strengths are tried, logarithms of the best one
        std::vector<double> mine, theirs;
        for (int64_t s = 0; s < static_cast<int64_t>(strengths.shape(0)); ++s) {
            const double strength = strengths.data()[s];
            mine = before, theirs = beside;
            all.multiply(mine.data(), strength, own_gone);
            all.multiply(theirs.data(), strength, other_gone);
            const double loss = all.loss(mine.data(), theirs.data(), prior.data());
            if (s == 0 || loss < least) best = s, least = loss;
        }
        all.add_to(own.data(), strengths.data()[best], own_gone);
        all.add_to(others.data(), strengths.data()[best], other_gone);
        all.add_to(full.data(), strengths.data()[best], [](int64_t) { return Node{0.0, 0.0}; });
    }
    return nb::make_tuple(best, least);
}

}  // namespace suffice
