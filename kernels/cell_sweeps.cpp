// A correction of the cells of several tables, each row being in one cell of each: softmax(offset + Σ_k V_k[cell in k]), with
// V drawn to zero. The tables take turns: each makes Newton's step for all its cells at once, the others being as they are.
// Because cells of a table share no row, that step needs sums alone.
#include "kernels.hpp"

#include <vector>

#include "labels.hpp"
#include "parallel.hpp"
#include "softmax.hpp"

namespace suffice {
namespace {

struct Rows {
    const int32_t* y;
    const double *weight, *ones;
    int64_t rows, classes, lanes, stride;
    double *z, *residual;  // (rows, stride)
};

// What the table before adds to the scores of some rows (its cells; null if there is none), and what is then left of them,
// summed by the cells of the next one (sums: slope and curvature side by side, lane by lane). Several classes:
SUFFICE_SIMD void move_lanes(Rows at, int64_t begin, int64_t end, const int32_t* before, const double* step,
                             const int32_t* next, double* sums) {
    const int64_t stride = at.stride;
    for (int64_t r = begin; before && r < end; ++r) {
        if (before[r] < 0) continue;
        const double* by = step + before[r] * stride;
        double* z = at.z + r * stride;
        for (int64_t c = 0; c < stride; c += 4) store<Four>(z + c, load<Four>(z + c) + load<Four>(by + c));
    }
    std::copy(at.z + begin * stride, at.z + end * stride, at.residual + begin * stride);
    softmax(at.residual + begin * stride, end - begin, {at.y + begin, at.weight + begin, at.ones, at.lanes, stride, 0});
    for (int64_t r = begin; r < end; ++r) {
        if (next[r] < 0) continue;
        double *slope = sums + next[r] * 2 * stride, *curved = slope + stride;
        const double *e = at.residual + r * stride, less = 1 / at.weight[r];
        for (int64_t c = 0; c < stride; c += 4) {
            const Four left = load<Four>(e + c);
            store<Four>(slope + c, load<Four>(slope + c) + left);
            store<Four>(curved + c, load<Four>(curved + c) + (left - left * left * less));
        }
        curved[at.y[r]] -= 2 * e[at.y[r]];  // in its own class w p is e + w, not e
    }
}

// Two classes, four rows at a time.
SUFFICE_SIMD void move_one(Rows at, int64_t begin, int64_t end, const int32_t* before, const double* step, const int32_t* next,
                           double* sums) {
    for (int64_t r = begin; r < end; r += 4) {
        const int64_t some = std::min<int64_t>(4, end - r);
        double z[4] = {}, w[4] = {}, y[4] = {}, slope[4], curved[4];
        for (int64_t i = 0; i < some; ++i) {
            if (before && before[r + i] >= 0) at.z[r + i] += step[before[r + i]];
            z[i] = at.z[r + i], w[i] = at.weight[r + i], y[i] = at.y[r + i];
        }
        const Four score = load<Four>(z), weight = load<Four>(w), zero{};
        const Four small = exp4(score < zero ? score : -score), sum = 1 / (1.0 + small), large = small * sum;
        store<Four>(slope, weight * ((score < zero ? large : sum) - load<Four>(y)));
        store<Four>(curved, weight * large * sum);
        for (int64_t i = 0; i < some; ++i) {
            if (next[r + i] < 0) continue;
            sums[2 * next[r + i]] += slope[i];
            sums[2 * next[r + i] + 1] += curved[i];
        }
    }
}

// Of all rows or of those outside one fold.
struct Chosen {
    std::vector<int32_t> cells, y;  // cells: (tables, rows)
    std::vector<double> weight, z;

    Chosen(const CodeRows& all, const Codes& labels, const Doubles& w, const DoubleRows& offset, const int32_t* fold,
           int64_t without) {
        const int64_t rows = all.shape(1), stride = offset.shape(1);
        std::vector<int64_t> index;
        for (int64_t r = 0; r < rows; ++r)
            if ((!fold || fold[r] != without) && w.data()[r] > 0) index.push_back(r);
        for (const int64_t r : index) {
            y.push_back(labels.data()[r]);
            weight.push_back(w.data()[r]);
            z.insert(z.end(), offset.data() + r * stride, offset.data() + (r + 1) * stride);
        }
        cells.reserve(all.shape(0) * index.size());
        for (int64_t k = 0; k < static_cast<int64_t>(all.shape(0)); ++k)
            for (const int64_t r : index) cells.push_back(all.data()[k * rows + r]);
    }
};

// v (cells of all tables, stride): what is added to zero.
void fit(Chosen chosen, const int64_t* start, int64_t tables, int64_t lanes, int64_t stride, int64_t classes, double ridge,
         int64_t sweeps, double* v) {
    const int64_t rows = chosen.y.size(), turns = sweeps * tables;
    const std::vector<double> ones(classes, 1.0);
    std::vector<double> residual(chosen.z), step, sums;
    const Rows at{chosen.y.data(), chosen.weight.data(), ones.data(), rows, classes, lanes, stride, chosen.z.data(),
                  residual.data()};
    // p (1 − p) of several classes that move at once is too little by this, on average
    const double more = lanes > 1 ? static_cast<double>(classes) / (classes - 1) : 1.0;
    for (int64_t turn = 0; turn < turns; ++turn) {
        const int64_t k = turn % tables, size = start[k + 1] - start[k];
        const int32_t* before = turn > 0 ? chosen.cells.data() + (turn - 1) % tables * rows : nullptr;
        sums.assign(size * 2 * stride, 0.0);
        const auto move = stride == 1 ? move_one : move_lanes;
        for (int64_t r = 0; r < rows; r += kSoftmaxRows)
            move(at, r, std::min(rows, r + kSoftmaxRows), before, step.data(), chosen.cells.data() + k * rows, sums.data());
        step.resize(size * stride);
        double* mine = v + start[k] * stride;
        for (int64_t cell = 0; cell < size; ++cell)
            for (int64_t c = 0; c < stride; ++c) {
                const double *sum = sums.data() + cell * 2 * stride, now = mine[cell * stride + c];
                const double by = -(sum[c] + ridge * now) / (more * sum[stride + c] + ridge);
                step[cell * stride + c] = by;
                mine[cell * stride + c] = now + by;
            }
    }
}

}  // namespace

void cell_sweeps(CodeRows cells, Integers start, Codes y, Doubles w, DoubleRows offset, int64_t lanes, int64_t classes,
                 double ridge, int64_t sweeps, OutDoubleRows out) {
    nb::gil_scoped_release nogil;
    check_labels(y.data(), cells.shape(1), classes);
    fit({cells, y, w, offset, nullptr, 0}, start.data(), cells.shape(0), lanes, offset.shape(1), classes, ridge, sweeps,
        out.data());
}

void cell_sweeps_by_fold(CodeRows cells, Integers start, Codes y, Doubles w, DoubleRows offset, int64_t lanes, int64_t classes,
                         double ridge, int64_t sweeps, Codes fold, int64_t folds, OutDoubleRows out, int threads) {
    const int64_t tables = cells.shape(0), rows = cells.shape(1), stride = offset.shape(1);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    parallel(folds, threads, rows * tables * stride * 8, [&](int64_t f) {
        std::vector<double> v(start.data()[tables] * stride, 0.0);
        fit({cells, y, w, offset, fold.data(), f}, start.data(), tables, lanes, stride, classes, ridge, sweeps, v.data());
        for (int64_t k = 0; k < tables; ++k)
            for (int64_t r = 0; r < rows; ++r) {
                const int32_t cell = cells.data()[k * rows + r];
                if (fold.data()[r] != f || cell < 0) continue;
                const double* add = v.data() + (start.data()[k] + cell) * stride;
                for (int64_t c = 0; c < stride; ++c) out.data()[r * stride + c] += add[c];
            }
    });
}

}  // namespace suffice
