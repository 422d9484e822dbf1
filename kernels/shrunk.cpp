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

}  // namespace

// counts, full, own, others: (classes, levels). unit: what one row of each class counts for. Binary: levels are halved again
// and again, each half shrunk on its own; else all of them are parts of one whole.
void shrunk_tables(DoubleRows counts, Doubles unit, bool binary, double strength, OutDoubleRows full, OutDoubleRows own,
                   OutDoubleRows others) {
    const int64_t classes = counts.shape(0), levels = counts.shape(1);
    nb::gil_scoped_release nogil;
    std::vector<double> upto((classes + 1) * (levels + 1), 0.0);  // sums of the levels before, the last row of all classes
    double* all = upto.data() + classes * (levels + 1);
    for (int64_t c = 0; c < classes; ++c)
        for (int64_t b = 0; b < levels; ++b) {
            const double n = counts.data()[c * levels + b];
            upto[c * (levels + 1) + b + 1] = upto[c * (levels + 1) + b] + n;
            all[b + 1] += n;
        }
    for (int64_t b = 0; b < levels; ++b) all[b + 1] += all[b];
    int64_t width = 1;
    while (width < levels) width *= 2;
    const auto add = [&](int64_t low, int64_t high, int64_t from, int64_t to) {  // part low … high of the whole from … to
        for (int64_t c = 0; c < classes; ++c) {
            const double* mine = upto.data() + c * (levels + 1);
            const Node part{mine[high] - mine[low], all[high] - all[low]}, whole{mine[to] - mine[from], all[to] - all[from]};
            const double u = unit.data()[c];
            const double f = log_ratio(part, whole, strength);
            const double o = log_ratio({part.mine - u, part.all - u}, {whole.mine - u, whole.all - u}, strength);
            const double t = log_ratio({part.mine, part.all - 1}, {whole.mine, whole.all - 1}, strength);
            for (int64_t b = low; b < high; ++b) {
                full.data()[c * levels + b] += f;
                own.data()[c * levels + b] += o;
                others.data()[c * levels + b] += t;
            }
        }
    };
    if (!binary) {
        for (int64_t b = 0; b < levels; ++b) add(b, b + 1, 0, levels);
        return;
    }
    for (int64_t span = width; span > 1; span /= 2)
        for (int64_t from = 0; from < levels; from += span) {
            const int64_t middle = std::min(levels, from + span / 2), to = std::min(levels, from + span);
            if (middle == to) continue;  // nothing to halve
            add(from, middle, from, to);
            add(middle, to, from, to);
        }
}

// Σ over the rows of −log p(class | level), each row left out.
double left_out_loss(DoubleRows counts, DoubleRows own, DoubleRows others, Doubles log_prior) {
    const int64_t classes = counts.shape(0), levels = counts.shape(1);
    nb::gil_scoped_release nogil;
    std::vector<double> score(classes);
    double loss = 0;
    for (int64_t b = 0; b < levels; ++b) {
        double top = -INFINITY;
        for (int64_t c = 0; c < classes; ++c) {
            score[c] = others.data()[c * levels + b] + log_prior.data()[c];
            top = std::max({top, score[c], own.data()[c * levels + b] + log_prior.data()[c]});
        }
        double sum = 0;
        for (int64_t c = 0; c < classes; ++c) sum += std::exp(score[c] - top);
        for (int64_t c = 0; c < classes; ++c) {
            const double n = counts.data()[c * levels + b];
            if (n <= 0) continue;
            const double mine = own.data()[c * levels + b] + log_prior.data()[c] - top;
            const double rest = std::max(sum - std::exp(score[c] - top), 0.0);
            loss += n * (std::log(rest + std::exp(mine)) - mine);
        }
    }
    return loss;
}

}  // namespace suffice
