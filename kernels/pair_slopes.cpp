// Screens pairs of columns: slope and curvature of the log-likelihood of the rows along the score of each pair.
#include "kernels.hpp"

#include "pairs.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

// Eight numbers in single precision, which is enough to rank pairs.
using Eight = Lane<float>::Of;
constexpr int64_t kRows = 64;  // whose sums are single too

SUFFICE_INLINE double sum_of_eight(Eight x) {
    return static_cast<double>(((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7])));
}

// Rows, shared by all pairs: stride places a row, or one for two classes, that of the second.
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

// Two classes: said (own class, cells) is the score of the second less that of the first.
SUFFICE_SIMD Slope of_two(const Left& left, const int32_t* place, const double* said) {
    Slope out;
    for (int64_t r = 0; r < left.rows; ++r) {
        const double t = said[place[r]];
        out.first += left.excess[r] * t;
        out.second += left.mass[r] * t * t;
    }
    return out;
}

// own (class, cells), others (cells, stride)
SUFFICE_SIMD Slope of_many(const Left& left, const int32_t* place, int32_t cells, const int32_t* y, const double* w, const double* own,
                           const float* others) {
    const int64_t stride = left.stride;
    Slope out;
    for (int64_t begin = 0; begin < left.rows; begin += kRows) {
        Eight along{}, square{};
        double first = 0, second = 0;
        for (int64_t r = begin; r < std::min(left.rows, begin + kRows); ++r) {
            const int64_t mine = y[r], cell = place[r] - mine * cells;
            if (place[r] >= left.classes * cells || w[r] <= 0) continue;
            const float *t = others + cell * stride, *e = left.excess.data() + r * stride, *q = left.mass.data() + r * stride;
            Eight mean{};
            for (int64_t c = 0; c < stride; c += 8) {
                const Eight said = lane_at(t + c), held = lane_at(q + c) * said;
                mean += held;
                square += held * said;
                along += lane_at(e + c) * said;
            }
            const double was = t[mine], is = own[place[r]], middle = sum_of_eight(mean) + q[mine] * (is - was);
            first += e[mine] * (is - was);
            second += q[mine] * (is * is - was * was) - middle * middle / w[r];
        }
        out.first += first + sum_of_eight(along);
        out.second += second + sum_of_eight(square);
    }
    return out;
}

struct Work {  // of one thread
    PairCounts pair;
    std::vector<int32_t> place;
    std::vector<double> own, others;
    std::vector<float> single;
};

}  // namespace

// Levels are merged into groups (columns, levels). excess: weight · (1[class] − p); p: posterior; w: weight.
void pair_slopes(DoubleRows counts, Integers sizes, IntegerRows pairs, Integers start, CodeRows groups, Integers grouped,
                 Doubles unit, double constant, CodeRows codes, Codes y, DoubleRows excess, DoubleRows p, Doubles w,
                 OutDoubles slope, OutDoubles curvature, int threads) {
    const int64_t rows = codes.shape(0), cols = codes.shape(1), classes = counts.shape(0), cells = counts.shape(1);
    const int64_t levels = groups.shape(1);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    check_codes_by_column("codes of column", codes.data(), rows, cols, -1, sizes.data());
    for (int64_t j = 0; j < cols; ++j)
        check_codes("groups of column " + std::to_string(j), groups.data() + j * levels, sizes.data()[j], 0, grouped.data()[j]);
    check_pairs(pairs, sizes, start, cells);
    const Left what(excess, p, w);
    const CodeColumns columns(codes.data(), rows, cols, groups.data(), levels);
    std::vector<Work> of_worker(threads);
    parallel(pairs.shape(0), threads, rows * classes * static_cast<int64_t>(pairs.shape(0)), [&](int64_t k, int worker) {
        auto& [pair, place, own, others, single] = of_worker[worker];
        const int64_t i = pairs.data()[2 * k], j = pairs.data()[2 * k + 1];
        const int32_t *left = groups.data() + i * levels, *right = groups.data() + j * levels;
        pair.of_shape(classes, grouped.data()[i], grouped.data()[j]).read(
            counts.data() + start.data()[k], cells, sizes.data()[i], sizes.data()[j], [=](int64_t u) { return left[u]; },
            [=](int64_t v) { return right[v]; });
        place.resize(rows);
        places(columns[i], columns[j], y.data(), rows, classes, pair.left, pair.right, place.data());
        const int64_t size = pair.cells();
        pair.table(unit.data(), true, constant, 1, size, own);
        Slope found;
        if (what.stride == 1) {
            pair.table(unit.data(), false, constant, 1, size, others);
            own.resize(2 * size + 1);
            for (int64_t cell = 0; cell < size; ++cell) {
                own[cell] = others[size + cell] - own[cell];
                own[size + cell] -= others[cell];
            }
            own[2 * size] = 0;
            found = of_two(what, place.data(), own.data());
        } else {
            pair.table(unit.data(), false, constant, what.stride, 1, others);
            single.assign(others.begin(), others.end());
            found = of_many(what, place.data(), size, y.data(), w.data(), own.data(), single.data());
        }
        slope.data()[k] = found.first;
        curvature.data()[k] = found.second;
    });
}

}  // namespace suffice
