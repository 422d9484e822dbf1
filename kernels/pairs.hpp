// What is known of a pair of columns: how often their levels occur together in each class, and what that says beyond the two
// of them alone: the log of how often two levels meet in a class over how often they would with the dependence that all
// classes have together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exp_log.hpp"

namespace suffice {

// out = log (a / b) of whole numbers of lanes, a and b being 1 at least
SUFFICE_SIMD inline void log_ratios(const double* a, const double* b, int64_t count, double* out) {
    for (int64_t i = 0; i < count; i += 4) store<Four>(out + i, log4(load<Four>(a + i)) - log4(load<Four>(b + i)));
}

// Codes of rows, column by column: pairs of columns are walked one after the other.
struct CodeColumns {
    int64_t rows;
    std::vector<int16_t> codes;

    CodeColumns(const int32_t* from, int64_t rows, int64_t cols) : rows(rows), codes(rows * cols) {
        constexpr int64_t kBlock = 64;
        for (int64_t begin = 0; begin < rows; begin += kBlock)
            for (int64_t j = 0; j < cols; ++j)
                for (int64_t r = begin; r < std::min(rows, begin + kBlock); ++r)
                    codes[j * rows + r] = static_cast<int16_t>(from[r * cols + j]);
    }
    const int16_t* operator[](int64_t column) const { return codes.data() + column * rows; }
};

struct PairCounts {
    int64_t classes, left, right;
    std::vector<double> both, of_left, of_right, rows;  // by class, and at the end of all classes together

    PairCounts(int64_t classes, int64_t left, int64_t right)
        : classes(classes), left(left), right(right), both((classes + 1) * left * right, 0.0),
          of_left((classes + 1) * left, 0.0), of_right((classes + 1) * right, 0.0), rows(classes + 1, 0.0) {}

    // Of tables (left, right) of each class, read with `stride` from one class to the next; levels may be brought together.
    template <class Left, class Right>
    void read(const double* n, int64_t stride, int64_t lefts, int64_t rights, Left left_of, Right right_of) {
        for (int64_t c = 0; c < classes; ++c, n += stride)
            for (int64_t u = 0; u < lefts; ++u) {
                double* to = both.data() + (c * left + left_of(u)) * right;
                for (int64_t v = 0; v < rights; ++v) to[right_of(v)] += n[u * rights + v];
            }
        double* all = both.data() + classes * cells();
        for (int64_t c = 0; c < classes; ++c)
            for (int64_t cell = 0; cell < cells(); ++cell) all[cell] += both[c * cells() + cell];
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

    // Tables (cells, stride): with no row left out (units is null), or without one of so many units of weight, which is of
    // the class itself (own) or of another. A cell that no row is in says nothing.
    void table(const double* units, bool own, double constant, int64_t stride, std::vector<double>& out) const {
        const int64_t padded = (cells() * stride + 3) / 4 * 4;
        std::vector<double> met(padded, 1.0), expected(padded, 1.0);
        const double scale = 1 / std::min(constant, 1.0);  // for logs of numbers from 1 on
        for (int64_t c = 0; c < classes; ++c) {
            const double gone = !units ? 0.0 : own ? units[c] : 1.0, mine = own && units ? gone : 0.0;
            const double n = std::max(rows[c] - mine, 0.0), of_rows = n > 0 ? 1 / n : 0.0, all = std::max(rows[classes] - gone, 0.0);
            for (int64_t u = 0; u < left; ++u) {
                const double l = std::max(of_left[c * left + u] - mine, 0.0), any = std::max(of_left[classes * left + u] - gone, 0.0);
                for (int64_t v = 0; v < right; ++v) {
                    const int64_t cell = u * right + v;
                    const double together = both[classes * cells() + cell] - gone;
                    if (both[classes * cells() + cell] <= 0) continue;
                    const double r = std::max(of_right[c * right + v] - mine, 0.0);
                    const double other = any * std::max(of_right[classes * right + v] - gone, 0.0);
                    const double lift = other > 0 ? std::max(together, 0.0) * all / other : 0.0;
                    met[cell * stride + c] = (std::max(both[c * cells() + cell] - mine, 0.0) + constant) * scale;
                    expected[cell * stride + c] = (l * r * of_rows * lift + constant) * scale;
                }
            }
        }
        out.resize(padded);
        log_ratios(met.data(), expected.data(), padded, out.data());
    }
};

}  // namespace suffice
