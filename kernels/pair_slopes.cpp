// What pairs of columns would add to a posterior: slope and curvature of the log likelihood of rows along each of them.
#include "kernels.hpp"

#include "labels.hpp"
#include "pairs.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

// Rows as every pair sees them: stride places a row, or one if there are two classes, that of the second.
struct Left {
    int64_t rows, classes, stride;
    std::vector<double> excess, mass;  // weight · (1[class] − p), weight · p; of two classes weight · p (1 − p)

    Left(const DoubleRows& e, const DoubleRows& p, const Doubles& w)
        : rows(e.shape(0)), classes(e.shape(1)), stride(classes == 2 ? 1 : stride_of(classes)), excess(rows * stride, 0.0),
          mass(rows * stride, 0.0) {
        for (int64_t r = 0; r < rows; ++r) {
            const double *from = e.data() + r * classes, *q = p.data() + r * classes, weight = w.data()[r];
            if (stride == 1) {
                excess[r] = from[1];
                mass[r] = weight * q[0] * q[1];
                continue;
            }
            for (int64_t c = 0; c < classes; ++c) {
                excess[r * stride + c] = from[c];
                mass[r * stride + c] = weight * q[c];
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

SUFFICE_SIMD Slope of_many(const Left& left, const int32_t* cell, const int32_t* y, const double* w, const double* own,
                           const double* others) {
    const int64_t stride = left.stride;
    Four first{}, second{};
    Slope out;
    for (int64_t r = 0; r < left.rows; ++r) {
        if (cell[r] < 0 || w[r] <= 0) continue;
        const double *t = others + cell[r] * stride, *e = left.excess.data() + r * stride, *q = left.mass.data() + r * stride;
        Four mean{};
        for (int64_t c = 0; c < stride; c += 4) {
            const Four said = load<Four>(t + c), held = load<Four>(q + c) * said;
            mean += held;
            second += held * said;
            first += load<Four>(e + c) * said;
        }
        const int64_t mine = y[r];
        const double was = t[mine], is = own[cell[r] * stride + mine];
        const double middle = sum_of(mean) + q[mine] * (is - was);
        out.first += e[mine] * (is - was);
        out.second += q[mine] * (is * is - was * was) - middle * middle / w[r];
    }
    out.first += sum_of(first);
    out.second += sum_of(second);
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
            found = of_many(what, cell.data(), y.data(), w.data(), own.data(), others.data());
        }
        slope.data()[k] = found.first;
        curvature.data()[k] = found.second;
    });
}

}  // namespace suffice
