// Pairs of columns: how often two levels occur together in each class, and what that says beyond the two of them alone.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "labels.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

struct Cell {  // of a pair of levels (u, v): both together, each alone, and all rows
    double both, left, right, rows;

    Cell without(double unit) const {
        return {std::max(both - unit, 0.0), std::max(left - unit, 0.0), std::max(right - unit, 0.0), std::max(rows - unit, 0.0)};
    }
    // how many times more often they meet than if they were independent
    double lift() const { return left > 0 && right > 0 ? both * rows / (left * right) : 0.0; }
};

// log of how often the two meet in a class over how often they would with the dependence that all classes have together.
double surprise(const Cell& mine, const Cell& all, double constant) {
    const double expected = mine.rows > 0 ? mine.left * mine.right / mine.rows * all.lift() : 0.0;
    return std::log((mine.both + constant) / (expected + constant));
}

// What is known of one pair: counts (classes, left, right) and their sums.
struct Pair {
    int64_t classes, left, right;
    std::vector<double> both, of_left, of_right, rows;  // by class, and at the end of all classes together

    Pair(int64_t classes, int64_t left, int64_t right)
        : classes(classes), left(left), right(right), both((classes + 1) * left * right, 0.0),
          of_left((classes + 1) * left, 0.0), of_right((classes + 1) * right, 0.0), rows(classes + 1, 0.0) {}

    void add(int64_t c, int64_t u, int64_t v, double n) {
        for (const int64_t k : {c, classes}) {
            both[(k * left + u) * right + v] += n;
            of_left[k * left + u] += n;
            of_right[k * right + v] += n;
            rows[k] += n;
        }
    }
    Cell cell(int64_t k, int64_t u, int64_t v) const {
        return {both[(k * left + u) * right + v], of_left[k * left + u], of_right[k * right + v], rows[k]};
    }
    // tables (cells, classes): with all rows, for a row of the class itself left out, and for one of another class
    void tables(const double* unit, double constant, double* full, double* own, double* others) const {
        for (int64_t u = 0; u < left; ++u)
            for (int64_t v = 0; v < right; ++v) {
                const Cell all = cell(classes, u, v), less = all.without(1.0);
                for (int64_t c = 0; c < classes; ++c, ++own, ++others) {
                    const Cell mine = cell(c, u, v);
                    if (full) *full++ = surprise(mine, all, constant);
                    *own = surprise(mine.without(unit[c]), all.without(unit[c]), constant);
                    *others = surprise(mine, less, constant);
                }
            }
    }
};

}  // namespace

// codes (rows, columns), −1 a missing cell; pair p of columns (pairs[p, 0], pairs[p, 1]) has cells start[p] + u · sizes[right] + v.
void pair_counts(CodeRows codes, Integers sizes, IntegerRows pairs, Integers start, Codes y, Weights w, OutDoubleRows table,
                 int threads) {
    const int64_t rows = codes.shape(0), cols = codes.shape(1), classes = table.shape(0), cells = table.shape(1);
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    parallel(pairs.shape(0), threads, rows * static_cast<int64_t>(pairs.shape(0)), [&](int64_t p) {
        const int64_t i = pairs.data()[2 * p], j = pairs.data()[2 * p + 1], right = sizes.data()[j];
        double* into = table.data() + start.data()[p];
        const int32_t* code = codes.data();
        for (int64_t r = 0; r < rows; ++r, code += cols) {
            if (code[i] < 0 || code[j] < 0) continue;
            into[y.data()[r] * cells + code[i] * right + code[j]] += weights ? weights[r] : 1.0;
        }
    });
}

// Slope and curvature of the log likelihood of rows along each pair, its levels brought together as groups (columns, levels)
// say. excess: weight · (1[class] − p); p: posterior; w: weight of each row.
void pair_slopes(DoubleRows counts, Integers sizes, IntegerRows pairs, Integers start, CodeRows groups, Integers grouped,
                 Doubles unit, double constant, CodeRows codes, Codes y, DoubleRows excess, DoubleRows p, Doubles w,
                 OutDoubles slope, OutDoubles curvature, int threads) {
    const int64_t rows = codes.shape(0), cols = codes.shape(1), classes = counts.shape(0), cells = counts.shape(1);
    const int64_t levels = groups.shape(1);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    parallel(pairs.shape(0), threads, rows * classes * static_cast<int64_t>(pairs.shape(0)), [&](int64_t k) {
        const int64_t i = pairs.data()[2 * k], j = pairs.data()[2 * k + 1];
        const int32_t *left = groups.data() + i * levels, *right = groups.data() + j * levels;
        Pair pair(classes, grouped.data()[i], grouped.data()[j]);
        for (int64_t c = 0; c < classes; ++c) {
            const double* n = counts.data() + c * cells + start.data()[k];
            for (int64_t u = 0; u < sizes.data()[i]; ++u)
                for (int64_t v = 0; v < sizes.data()[j]; ++v, ++n)
                    if (*n) pair.add(c, left[u], right[v], *n);
        }
        std::vector<double> own(pair.left * pair.right * classes), others(own.size()), f(classes);
        pair.tables(unit.data(), constant, nullptr, own.data(), others.data());
        double g = 0, h = 0;
        for (int64_t r = 0; r < rows; ++r) {
            const int32_t u = codes.data()[r * cols + i], v = codes.data()[r * cols + j];
            if (u < 0 || v < 0) continue;
            const int64_t at = (left[u] * pair.right + right[v]) * classes, mine = y.data()[r];
            const double *e = excess.data() + r * classes, *q = p.data() + r * classes, *t = others.data() + at;
            double mean = 0, square = 0, along = 0;
            for (int64_t c = 0; c < classes; ++c) {
                mean += q[c] * t[c];
                square += q[c] * t[c] * t[c];
                along += e[c] * t[c];
            }
            const double was = t[mine], is = own[at + mine];
            mean += q[mine] * (is - was);
            square += q[mine] * (is * is - was * was);
            g += along + e[mine] * (is - was);
            h += w.data()[r] * (square - mean * mean);
        }
        slope.data()[k] = g;
        curvature.data()[k] = h;
    });
}

// The three tables of each pair, (cells of all pairs, classes); pair p has sizes[p, 0] × sizes[p, 1] cells from start[p].
void pair_tables(DoubleRows counts, IntegerRows sizes, Integers start, Doubles unit, double constant, OutDoubleRows full,
                 OutDoubleRows own, OutDoubleRows others, int threads) {
    const int64_t classes = counts.shape(0), cells = counts.shape(1);
    nb::gil_scoped_release nogil;
    parallel(sizes.shape(0), threads, cells * classes * 8, [&](int64_t k) {
        Pair pair(classes, sizes.data()[2 * k], sizes.data()[2 * k + 1]);
        for (int64_t c = 0; c < classes; ++c) {
            const double* n = counts.data() + c * cells + start.data()[k];
            for (int64_t u = 0; u < pair.left; ++u)
                for (int64_t v = 0; v < pair.right; ++v, ++n)
                    if (*n) pair.add(c, u, v, *n);
        }
        const int64_t at = start.data()[k] * classes;
        pair.tables(unit.data(), constant, full.data() + at, own.data() + at, others.data() + at);
    });
}

}  // namespace suffice
