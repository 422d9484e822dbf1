// Statistics of a pair of columns: joint counts of levels by class, and the interaction score: the log of the joint
// frequency in a class over that expected under the pooled dependence.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bounds.hpp"
#include "column_order.hpp"
#include "exp_log.hpp"
#include "matrix.hpp"

namespace suffice {

// out = log (a / b) of whole numbers of lanes, a and b being 1 at least
SUFFICE_SIMD inline void log_ratios(const double* a, const double* b, int64_t count, double* out) {
    for (int64_t i = 0; i < count; i += 4) store<Four>(out + i, log4(load<Four>(a + i)) - log4(load<Four>(b + i)));
}

SUFFICE_SIMD inline void add(const double* from, int64_t count, double* to) {
    for (int64_t i = 0; i < count; ++i) to[i] += from[i];
}

// Checks that the columns of each pair exist, and that its left · right cells from `start` on do.
inline void check_pairs(const IntegerRows& pairs, const Integers& sizes, const Integers& start, int64_t cells) {
    check_codes("columns of pairs", pairs.data(), pairs.size(), 0, sizes.shape(0));
    for (int64_t k = 0; k < static_cast<int64_t>(pairs.shape(0)); ++k) {
        const int64_t first = start.data()[k];
        const int64_t end = first + sizes.data()[pairs.data()[2 * k]] * sizes.data()[pairs.data()[2 * k + 1]];
        if (first < 0 || end > cells)
            throw std::invalid_argument("pair " + std::to_string(k) + " has cells " + std::to_string(first) + " … " +
                                        std::to_string(end - 1) + " of " + std::to_string(cells));
    }
}

// Codes of rows, column by column, since pairs of columns are processed one after the other.
struct CodeColumns {
    int64_t rows;
    std::vector<int16_t> codes;

    // Unchanged, or merged into groups (columns, levels).
    CodeColumns(const int32_t* from, int64_t rows, int64_t cols, const int32_t* groups = nullptr, int64_t levels = 0)
        : rows(rows), codes(rows * cols) {
        column_by_column(rows, cols, codes.data(), [=](int64_t r, int64_t j) {
            const int32_t code = from[r * cols + j];
            return static_cast<int16_t>(groups && code >= 0 ? groups[j * levels + code] : code);
        });
    }
    const int16_t* operator[](int64_t column) const { return codes.data() + column * rows; }
};

// The cell of each row in the tables (left, right) of two columns, those of all classes end to end; the end of all if a cell
// is missing.
SUFFICE_SIMD inline void places(const int16_t* u, const int16_t* v, const int32_t* y, int64_t rows, int32_t classes, int32_t left,
                                int32_t right, int32_t* out) {
    const int32_t nowhere = classes * left * right;
    for (int64_t r = 0; r < rows; ++r) {
        const int32_t at = (y[r] * left + u[r]) * right + v[r];
        out[r] = (u[r] | v[r]) < 0 ? nowhere : at;
    }
}

// Reusable for one pair after another: its buffers are kept.
struct PairCounts {
    int64_t classes = 0, left = 0, right = 0;
    std::vector<double> both, of_left, of_right, rows;  // by class, and at the end of all classes together

    PairCounts& of_shape(int64_t of_classes, int64_t of_lefts, int64_t of_rights) {
        classes = of_classes, left = of_lefts, right = of_rights;
        return *this;
    }

    // Of tables (left, right) of each class, read with `stride` from one class to the next; levels may be merged.
    template <class Left, class Right>
    void read(const double* n, int64_t stride, int64_t lefts, int64_t rights, Left left_of, Right right_of) {
        both.assign((classes + 1) * cells(), 0.0);
        of_left.assign((classes + 1) * left, 0.0);
        of_right.assign((classes + 1) * right, 0.0);
        rows.assign(classes + 1, 0.0);
        for (int64_t c = 0; c < classes; ++c, n += stride) {
            half.assign(left * rights, 0.0);  // whole rows first: consecutive additions to one place would wait for each other
            for (int64_t u = 0; u < lefts; ++u) add(n + u * rights, rights, half.data() + left_of(u) * rights);
            for (int64_t u = 0; u < left; ++u) {
                double* to = both.data() + (c * left + u) * right;
                for (int64_t v = 0; v < rights; ++v) to[right_of(v)] += half[u * rights + v];
            }
        }
        double* all = both.data() + classes * cells();
        for (int64_t c = 0; c < classes; ++c) add(both.data() + c * cells(), cells(), all);
        for (int64_t k = 0; k <= classes; ++k)
            for (int64_t u = 0; u < left; ++u)
                for (int64_t v = 0; v < right; ++v) {
                    const double here = both[(k * left + u) * right + v];
                    of_left[k * left + u] += here;
                    of_right[k * right + v] += here;
                    rows[k] += here;
                }
    }
    int64_t cells() const { return left * right; }

    // Tables, a cell being `by_cell` and a class `by_class` from the next: with no row left out (units is null), or without one
    // of so many units of weight, which is of the class itself (own) or of another. An empty cell scores zero.
    void table(const double* units, bool own, double constant, int64_t by_cell, int64_t by_class, std::vector<double>& out) {
        const int64_t padded = (std::max(cells() * by_cell, classes * by_class) + 3) / 4 * 4;
        met.assign(padded, 1.0);
        expected.assign(padded, 1.0);
        lift.resize(cells());
        const double scale = 1 / std::min(constant, 1.0);  // for logs of numbers from 1 on
        for (int64_t c = 0; c < classes; ++c) {
            const double gone = !units ? 0.0 : own ? units[c] : 1.0, mine = own && units ? gone : 0.0;
            if (c == 0 || (own && units && units[c] != units[c - 1])) lift_without(gone);
            const double n = std::max(rows[c] - mine, 0.0), of_rows = n > 0 ? 1 / n : 0.0;
            for (int64_t u = 0; u < left; ++u) {
                const double l = std::max(of_left[c * left + u] - mine, 0.0) * of_rows;
                for (int64_t v = 0; v < right; ++v) {
                    const int64_t cell = u * right + v, to = cell * by_cell + c * by_class;
                    if (both[classes * cells() + cell] <= 0) continue;
                    const double r = std::max(of_right[c * right + v] - mine, 0.0);
                    met[to] = (std::max(both[c * cells() + cell] - mine, 0.0) + constant) * scale;
                    expected[to] = (l * r * lift[cell] + constant) * scale;
                }
            }
        }
        out.resize(padded);
        log_ratios(met.data(), expected.data(), padded, out.data());
    }

  private:
    std::vector<double> half, met, expected, lift;

    // The lift of two levels in all classes together: joint frequency over that expected by chance.
    void lift_without(double gone) {
        const double all = std::max(rows[classes] - gone, 0.0);
        for (int64_t u = 0; u < left; ++u) {
            const double any = std::max(of_left[classes * left + u] - gone, 0.0);
            for (int64_t v = 0; v < right; ++v) {
                const double other = any * std::max(of_right[classes * right + v] - gone, 0.0);
                const double together = std::max(both[classes * cells() + u * right + v] - gone, 0.0);
                lift[u * right + v] = other > 0 ? together * all / other : 0.0;
            }
        }
    }
};

}  // namespace suffice
