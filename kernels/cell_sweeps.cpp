// A ridge correction of the cells of several tables, each row being in one cell of each: softmax(offset + Σ_k V_k[cell in
// k]). Block coordinate descent: each table in turn takes a Newton step for all its cells, the others fixed. Cells of a
// table share no row, so the step needs sums alone. Rows of a cell move by the same step, so one exponential per cell
// multiplies their odds, which are never recomputed.
#include "kernels.hpp"

#include <vector>

#include "bounds.hpp"
#include "column_order.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

struct Rows {
    const int32_t* y;
    const double* weight;
    int64_t rows, stride;
    double* odds;  // (rows, stride), up to a factor a row; of two classes, of the second against the first
};

// Replaces scores by odds, in place.
SUFFICE_SIMD void to_odds(double* z, int64_t rows, int64_t lanes, int64_t stride) {
    if (stride == 1) {
        for (int64_t r = 0; r < rows; r += 4) {
            const int64_t some = std::min<int64_t>(4, rows - r);
            double score[4] = {};
            for (int64_t i = 0; i < some; ++i) score[i] = std::clamp(z[r + i], -600.0, 600.0);
            store<Four>(score, exp4(load<Four>(score)));
            std::copy_n(score, some, z + r);
        }
        return;
    }
    for (int64_t r = 0; r < rows; ++r) {
        double* row = z + r * stride;
        const double top = *std::max_element(row, row + lanes);
        for (int64_t c = 0; c < stride; c += 4) store<Four>(row + c, exp4(load<Four>(row + c) - top));
        std::fill(row + lanes, row + stride, 0.0);
    }
}

// Multiplies the odds of rows by the factors of the previous table (growth, by cell, the first for no cell), and sums the
// residuals by the cells of the next table (sums: slope and curvature side by side, lane by lane). Several classes:
SUFFICE_SIMD void move_lanes(Rows at, const int32_t* before, const double* growth, const int32_t* next, double* sums) {
    const int64_t stride = at.stride;
    for (int64_t r = 0; r < at.rows; ++r) {
        double* odds = at.odds + r * stride;
        Four total{};
        const double* by = growth + before[r] * stride;
        for (int64_t c = 0; c < stride; c += 4) {
            const Four grown = load<Four>(odds + c) * load<Four>(by + c);
            store<Four>(odds + c, grown);
            total += grown;
        }
        const double sum = sum_of(total), w = at.weight[r];
        if (sum < 1e-100 || sum > 1e100)
            for (int64_t c = 0; c < stride; ++c) odds[c] /= sum;
        double *slope = sums + next[r] * 2 * stride, *curved = slope + stride;
        const double share = sum < 1e-100 || sum > 1e100 ? w : w / sum, less = 1 / w;
        for (int64_t c = 0; c < stride; c += 4) {
            const Four mass = load<Four>(odds + c) * share;
            store<Four>(slope + c, load<Four>(slope + c) + mass);
            store<Four>(curved + c, load<Four>(curved + c) + (mass - mass * mass * less));
        }
        slope[at.y[r]] -= w;
    }
}

// Two classes, four rows at a time.
SUFFICE_SIMD void move_one(Rows at, const int32_t* before, const double* growth, const int32_t* next, double* sums) {
    using Two = Pack<double, 2>;
    const auto some_rows = [&](int64_t r, int64_t some) SUFFICE_INLINED {
        Four odds = 1.0 - Four{}, weight{}, y{};
        for (int64_t i = 0; i < some; ++i) {
            odds[i] = at.odds[r + i] *= growth[before[r + i]];
            weight[i] = at.weight[r + i];
            y[i] = at.y[r + i];
        }
        const Four rest = 1.0 / (1.0 + odds), p = 1.0 - rest, slope = weight * (p - y), curved = weight * p * rest;
        for (int64_t i = 0; i < some; ++i) {
            double* to = sums + 2 * next[r + i];
            const Two both = {slope[i], curved[i]};
            store<Two>(to, load<Two>(to) + both);
        }
    };
    const int64_t whole = at.rows / 4 * 4;
    for (int64_t r = 0; r < whole; r += 4) some_rows(r, 4);
    if (whole < at.rows) some_rows(whole, at.rows - whole);
}

// Newton's step of each cell, added to v; growth: its exponential. `more`: the mean factor by which p (1 − p) underestimates
// the curvature when classes move together.
SUFFICE_SIMD void step(const double* sums, int64_t cells, int64_t stride, double ridge, double more, double* v, double* growth) {
    const auto by = [=](auto slope, auto curved, auto now) SUFFICE_INLINED {
        return -(slope + ridge * now) / (more * curved + ridge);
    };
    const int64_t whole = stride == 1 ? 0 : cells * stride;
    for (int64_t i = 0; i < whole; i += 4) {
        const double* sum = sums + i / stride * 2 * stride + i % stride;
        const Four move = by(load<Four>(sum), load<Four>(sum + stride), load<Four>(v + i));
        store<Four>(v + i, load<Four>(v + i) + move);
        store<Four>(growth + i, exp4(move));
    }
    for (int64_t cell = 0; stride == 1 && cell < cells; ++cell) {
        growth[cell] = by(sums[2 * cell], sums[2 * cell + 1], v[cell]);
        v[cell] += growth[cell];
    }
    for (int64_t cell = 0; stride == 1 && cell < cells; cell += 4) {
        double move[4] = {};
        const int64_t some = std::min<int64_t>(4, cells - cell);
        std::copy_n(growth + cell, some, move);
        store<Four>(move, exp4(load<Four>(move)));
        std::copy_n(move, some, growth + cell);
    }
}

// All rows or those outside one fold, table by table. Cells are numbered from 1 on, 0 being none.
struct Chosen {
    std::vector<int32_t> cells, y;  // cells: (tables, rows)
    std::vector<double> weight, z;

    Chosen(const CodeRows& all, const Codes& labels, const Doubles& w, const DoubleRows& offset, const int32_t* fold,
           int64_t without) {
        const int64_t rows = all.shape(0), tables = all.shape(1), stride = offset.shape(1);
        std::vector<int64_t> index;
        for (int64_t r = 0; r < rows; ++r)
            if ((!fold || fold[r] != without) && w.data()[r] > 0) index.push_back(r);
        const int64_t count = index.size();
        for (const int64_t r : index) {
            y.push_back(labels.data()[r]);
            weight.push_back(w.data()[r]);
            z.insert(z.end(), offset.data() + r * stride, offset.data() + (r + 1) * stride);
        }
        cells.resize(tables * count);
        column_by_column(count, tables, cells.data(), [&](int64_t i, int64_t k) { return all.data()[index[i] * tables + k] + 1; });
    }
};

// v (cells of all tables, stride): the correction, initially zero.
void fit(Chosen chosen, const int64_t* start, int64_t tables, int64_t lanes, int64_t stride, int64_t classes, double ridge,
         int64_t sweeps, double* v) {
    const int64_t rows = chosen.y.size(), turns = sweeps * tables;
    const Rows at{chosen.y.data(), chosen.weight.data(), rows, stride, chosen.z.data()};
    to_odds(at.odds, rows, lanes, stride);
    const double more = lanes > 1 ? static_cast<double>(classes) / (classes - 1) : 1.0;
    const std::vector<int32_t> nowhere(rows, 0);
    std::vector<double> growth(stride, 1.0), sums;
    for (int64_t turn = 0; turn < turns; ++turn) {
        const int64_t k = turn % tables, size = start[k + 1] - start[k];
        const int32_t *before = turn > 0 ? chosen.cells.data() + (turn - 1) % tables * rows : nowhere.data();
        sums.assign((size + 1) * 2 * stride, 0.0);
        (stride == 1 ? move_one : move_lanes)(at, before, growth.data(), chosen.cells.data() + k * rows, sums.data());
        growth.resize((size + 1) * stride);
        step(sums.data() + 2 * stride, size, stride, ridge, more, v + start[k] * stride, growth.data() + stride);
    }
}

}  // namespace

void cell_sweeps(CodeRows cells, Integers start, Codes y, Doubles w, DoubleRows offset, int64_t lanes, int64_t classes,
                 double ridge, int64_t sweeps, OutDoubleRows out) {
    nb::gil_scoped_release nogil;
    check_labels(y.data(), cells.shape(0), classes);
    check_cells(cells, start, out.shape(0));
    fit({cells, y, w, offset, nullptr, 0}, start.data(), cells.shape(1), lanes, offset.shape(1), classes, ridge, sweeps,
        out.data());
}

void cell_sweeps_by_fold(CodeRows cells, Integers start, Codes y, Doubles w, DoubleRows offset, int64_t lanes, int64_t classes,
                         double ridge, int64_t sweeps, Codes fold, int64_t folds, OutDoubleRows out, int threads) {
    const int64_t rows = cells.shape(0), tables = cells.shape(1), stride = offset.shape(1);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    check_cells(cells, start, start.data()[tables]);
    parallel(folds, threads, rows * tables * stride * 8, [&](int64_t f) {
        std::vector<double> v(start.data()[tables] * stride, 0.0);
        fit({cells, y, w, offset, fold.data(), f}, start.data(), tables, lanes, stride, classes, ridge, sweeps, v.data());
        std::vector<double> sum(stride);  // a local buffer: neighbouring rows belong to different folds
        for (int64_t r = 0; r < rows; ++r) {
            if (fold.data()[r] != f) continue;
            std::fill(sum.begin(), sum.end(), 0.0);
            for (int64_t k = 0; k < tables; ++k) {
                const int32_t cell = cells.data()[r * tables + k];
                const double* add = v.data() + (start.data()[k] + cell) * stride;
                for (int64_t c = 0; cell >= 0 && c < stride; ++c) sum[c] += add[c];
            }
            std::copy(sum.begin(), sum.end(), out.data() + r * stride);
        }
    });
}

}  // namespace suffice
