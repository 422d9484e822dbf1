// Levels of one column, each class shrunk toward all classes together, and what that would be without one of the rows.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace suffice {
namespace {

struct Node {  // a set of levels: how often they occur in a class and in all classes
    double mine, all;
};

// log of the class's share of a part of a node over the share that part has in all classes.
double log_ratio(Node part, Node whole, double strength) {
    if (part.all <= 0 || whole.all <= 0) return 0.0;  // seen in no row: it says nothing
    const double share = part.all / whole.all;
    return std::log((std::max(part.mine, 0.0) + strength * share) / (std::max(whole.mine, 0.0) + strength) / share);
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

    // out += log_ratio of every part of every whole; what is taken out of the class and of all: gone(c) as a node
    template <class Gone>
    void add_to(double* out, double strength, Gone gone) const {
        for (int64_t w = 0; w < wholes; ++w) {
            const int64_t first = start[w], end = start[w + 1];
            if (!binary) {
                for (int64_t b = first; end - first > 1 && b < end; ++b) add_part(out, strength, gone, b, b + 1, first, end);
                continue;
            }
            int64_t width = 1;
            while (width < end - first) width *= 2;
            for (int64_t span = width; span > 1; span /= 2)
                for (int64_t from = first; from < end; from += span) {
                    const int64_t middle = std::min(end, from + span / 2), to = std::min(end, from + span);
                    if (middle == to) continue;  // nothing to halve
                    add_part(out, strength, gone, from, middle, from, to);
                    add_part(out, strength, gone, middle, to, from, to);
                }
        }
    }
    // Σ over the rows of −log p(class | level), each row left out.
    double loss(const double* own, const double* others, const double* log_prior) const {
        std::vector<double> score(classes);
        double loss = 0;
        for (int64_t b = 0; b < levels; ++b) {
            double top = -INFINITY;
            for (int64_t c = 0; c < classes; ++c) {
                score[c] = others[c * levels + b] + log_prior[c];
                top = std::max({top, score[c], own[c * levels + b] + log_prior[c]});
            }
            double sum = 0;
            for (int64_t c = 0; c < classes; ++c) sum += score[c] = std::exp(score[c] - top);
            for (int64_t c = 0; c < classes; ++c) {
                const double n = counts[c * levels + b];
                if (n <= 0) continue;
                const double mine = own[c * levels + b] + log_prior[c] - top;
                loss += n * (std::log(std::max(sum - score[c], 0.0) + std::exp(mine)) - mine);
            }
        }
        return loss;
    }

  private:
    template <class Gone>
    void add_part(double* out, double strength, Gone gone, int64_t low, int64_t high, int64_t from, int64_t to) const {
        const double* all = upto.data() + classes * (levels + 1);
        for (int64_t c = 0; c < classes; ++c) {
            const double* mine = upto.data() + c * (levels + 1);
            const Node less = gone(c);
            const double ratio = log_ratio({mine[high] - mine[low] - less.mine, all[high] - all[low] - less.all},
                                           {mine[to] - mine[from] - less.mine, all[to] - all[from] - less.all}, strength);
            for (int64_t b = low; b < high; ++b) out[c * levels + b] += ratio;
        }
    }
};

}  // namespace

// counts, full, own, others: (classes, levels), the last three added to. unit: what one row of each class counts for. start:
// of each whole that levels are parts of. Binary: its levels are halved again and again, each half shrunk on its own.
nb::tuple shrunk_tables(DoubleRows counts, Doubles unit, Integers start, bool binary, Doubles strengths, Doubles log_prior,
                        OutDoubleRows full, OutDoubleRows own, OutDoubleRows others) {
    int64_t best = 0;
    double least = INFINITY;
    {
        nb::gil_scoped_release nogil;
        const Counted all(counts, unit, start, binary);
        const std::vector<double> before(own.data(), own.data() + own.size()), beside(others.data(), others.data() + others.size());
        std::vector<double> mine, theirs;
        for (int64_t s = 0; s < static_cast<int64_t>(strengths.shape(0)); ++s) {
            const double strength = strengths.data()[s];
            mine = before, theirs = beside;
            all.add_to(mine.data(), strength, [&](int64_t c) { return Node{all.unit[c], all.unit[c]}; });
            all.add_to(theirs.data(), strength, [](int64_t) { return Node{0.0, 1.0}; });
            const double loss = all.loss(mine.data(), theirs.data(), log_prior.data());
            if (s > 0 && !(loss < least)) continue;
            best = s, least = loss;
            std::copy(mine.begin(), mine.end(), own.data());
            std::copy(theirs.begin(), theirs.end(), others.data());
        }
        all.add_to(full.data(), strengths.data()[best], [](int64_t) { return Node{0.0, 0.0}; });
    }
    return nb::make_tuple(best, least);
}

}  // namespace suffice
