// What pairs of columns would add to a posterior: slope and curvature of the log likelihood of rows along each of them.
#include "kernels.hpp"

#include "labels.hpp"
#include "pairs.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

// Eight numbers in single precision: what is told apart here are pairs worth keeping, not digits.
using Eight = Lane<float>::Of;

SUFFICE_INLINE double sum_of_eight(Eight x) {
    return static_cast<double>(((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7])));
}

// Rows as every pair sees them: stride places a row, or one if there are two classes, that of the second.
struct Left {
    int64_t rows, classes, stride;
    std::vector<float> excess, mass;  // weight · (1[class] − p), weight · p; of two classes weight · p (1 − p)

    Left(const DoubleRows& e, const DoubleRows& p, const Doubles& w)
        : rows(e.shape(0)), classes(e.shape(1)), stride(classes == 2 ? 1 : (classes + 7) / 8 * 8),
          excess(rows * stride, 0.0f), mass(rows * stride, 0.0f) {
        for (int64_t r = 0; r < rows; ++r) {
            const double *from = e.data() + r * classes, *q = p.data() + r * classes, weight = w.data()[r];
            if (stride == 1) {
                excess[r] = static_cast<float>(from[1]);
                mass[r] = static_cast<float>(weight * q[0] * q[1]);
                continue;
            }
            for (int64_t c = 0; c < classes; ++c) {
                excess[r * stride + c] = static_cast<float>(from[c]);
                mass[r * stride + c] = static_cast<float>(weight * q[c]);
            }
        }
    }
};

struct Slope {
    double first = 0, second = 0;
};

// Two classes: at (cells, own class) is what the second has more than the first.
SUFFICE_SIMD Slope of_two(const Left& left, const int32_t* cell, const int32_t* y, const double* at) {
    Slope out;
    for (int64_t r = 0; r < left.rows; ++r) {
        if (cell[r] < 0) continue;
        const double t = at[2 * cell[r] + y[r]];
        out.first += left.excess[r] * t;
        out.second += left.mass[r] * t * t;
    }
    return out;
}

SUFFICE_SIMD Slope of_many(const Left& left, const int32_t* cell, const int32_t* y, const double* w, const float* own,
                           const float* others) {
    const int64_t stride = left.stride;
    Slope out;
    for (int64_t r = 0; r < left.rows; ++r) {
        if (cell[r] < 0 || w[r] <= 0) continue;
        const float *t = others + cell[r] * stride, *e = left.excess.data() + r * stride, *q = left.mass.data() + r * stride;
        Eight mean{}, square{}, along{};
        for (int64_t c = 0; c < stride; c += 8) {
            const Eight said = lane_at(t + c), held = lane_at(q + c) * said;
            mean += held;
            square += held * said;
            along += lane_at(e + c) * said;
        }
        const int64_t mine = y[r];
        const double was = t[mine], is = own[cell[r] * stride + mine];
        const double middle = sum_of_eight(mean) + q[mine] * (is - was);
        out.first += sum_of_eight(along) + e[mine] * (is - was);
        out.second += sum_of_eight(square) + q[mine] * (is * is - was * was) - middle * middle / w[r];
    }
    return out;
}

}  // namespace

// Levels are brought together as groups (columns, levels) say. excess: weight · (1[class] − p); p: posterior; w: weight.
void pair_slopes(DoubleRows counts, Integers sizes, IntegerRows pairs, Integers start, CodeRows groups, Integers grouped,
                 Doubles unit, double constant, CodeRows codes, Codes y, DoubleRows excess, DoubleRows p, Doubles w,
                 OutDoubles slope, OutDoubles curvature, int threads) {
    const int64_t rows = codes.shape(0), cols = codes.shape(1), classes = counts.shape(0), cells = counts.shape(1);
    const int64_t levels = groups.shape(1);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    const Left what(excess, p, w);
    const CodeColumns columns(codes.data(), rows, cols);
    const int64_t stride = what.stride == 1 ? classes : what.stride;
    parallel(pairs.shape(0), threads, rows * classes * static_cast<int64_t>(pairs.shape(0)), [&](int64_t k) {
        const int64_t i = pairs.data()[2 * k], j = pairs.data()[2 * k + 1];
        const int32_t *left = groups.data() + i * levels, *right = groups.data() + j * levels;
        PairCounts pair(classes, grouped.data()[i], grouped.data()[j]);
        pair.read(
            counts.data() + start.data()[k], cells, sizes.data()[i], sizes.data()[j], [=](int64_t u) { return left[u]; },
            [=](int64_t v) { return right[v]; });
        std::vector<int32_t> cell(rows);
        const int16_t *u = columns[i], *v = columns[j];
        for (int64_t r = 0; r < rows; ++r)
            cell[r] = u[r] < 0 || v[r] < 0 ? -1 : static_cast<int32_t>(left[u[r]] * pair.right + right[v[r]]);
        std::vector<double> own, others;
        pair.table(unit.data(), true, constant, stride, own);
        pair.table(unit.data(), false, constant, stride, others);
        Slope found;
        if (what.stride == 1) {
            for (int64_t at = 0; at < 2 * pair.cells(); at += 2) {
                const double first = own[at], second = own[at + 1];
                own[at] = others[at + 1] - first;
                own[at + 1] = second - others[at];
            }
            found = of_two(what, cell.data(), y.data(), own.data());
        } else {
            const std::vector<float> mine(own.begin(), own.end()), theirs(others.begin(), others.end());
            found = of_many(what, cell.data(), y.data(), w.data(), mine.data(), theirs.data());
        }
        slope.data()[k] = found.first;
        curvature.data()[k] = found.second;
    });
}

}  // namespace suffice
