// Scores of a few rows → loss and weighted residuals, in place: with p = softmax(z), the loss of a row is −w log p_y and
// its residual w (p − e_y). Both the dense and the sparse kernel end in this.
//
// There are as many columns of scores as classes, or one fewer: then class 0 is the reference, whose score is zero. A
// row of scores takes `stride` places, a multiple of four, or one place if there is one column only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "exp_log.hpp"

namespace suffice {

struct Targets {
    const int32_t* y;
    const double* weight;        // one a row, or null
    const double* class_weight;  // one a class
    int64_t columns, stride, reference;  // reference: 1 if class 0 has no column

    double weight_of(int64_t r) const { return (weight ? weight[r] : 1.0) * class_weight[y[r]]; }
};

inline int64_t stride_of(int64_t columns) { return columns == 1 ? 1 : (columns + 3) / 4 * 4; }

constexpr int64_t kSoftmaxRows = 128;  // at most so many rows a call

SUFFICE_INLINE double largest_of(Four x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }
SUFFICE_INLINE double sum_of(Four x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// Two classes: four rows at a time.
SUFFICE_INLINE double one_column(double* z, int64_t rows, const Targets& t) {
    double weight[kSoftmaxRows + 4] = {}, truth[kSoftmaxRows + 4] = {}, score[kSoftmaxRows + 4] = {};
    for (int64_t r = 0; r < rows; ++r) weight[r] = t.weight_of(r), truth[r] = t.y[r], score[r] = z[r];
    Four loss{};
    const Four zero{};
    for (int64_t r = 0; r < rows; r += 4) {
        const Four x = load<Four>(score + r), w = load<Four>(weight + r), y = load<Four>(truth + r);
        const Four small = exp4(select(x < zero, x, -x)), sum = 1.0 + small;
        const Four p = select(x < zero, small, 1.0 - zero) / sum;
        loss += w * (log4(sum) + select(x < zero, zero, x) - y * x);
        store<Four>(score + r, w * (p - y));
    }
    std::copy_n(score, rows, z);
    return sum_of(loss);
}

// V lanes a row if known at compile time; else 0.
template <int V>
SUFFICE_INLINE double many_columns(double* z, int64_t rows, const Targets& t) {
    const double infinity = std::numeric_limits<double>::infinity();
    const int64_t lanes = V ? V : t.stride / 4, stride = 4 * lanes, spare = stride - t.columns;
    alignas(32) double weight[kSoftmaxRows + 4], top[kSoftmaxRows + 4], sum[kSoftmaxRows + 4];
    double loss = 0.0;
    for (int64_t r = 0; r < rows; ++r) {
        double* row = z + r * stride;
        for (int64_t c = 1; c <= spare; ++c) row[stride - c] = -infinity;
        Four most = load<Four>(row);
        for (int64_t v = 1; v < lanes; ++v) most = select(load<Four>(row + 4 * v) > most, load<Four>(row + 4 * v), most);
        const int64_t own = t.y[r] - t.reference;
        const double highest = largest_of(most);
        weight[r] = t.weight_of(r);
        top[r] = t.reference && highest < 0.0 ? 0.0 : highest;
        loss += weight[r] * (top[r] - (own < 0 ? 0.0 : row[own]));
    }
    for (int64_t r = rows; r < (rows + 3) / 4 * 4; ++r) top[r] = weight[r] = 0.0;
    for (int64_t r = 0; r < rows; r += 4) store<Four>(sum + r, t.reference ? exp4(-load<Four>(top + r)) : Four{});
    for (int64_t r = 0; r < rows; ++r) {
        double* row = z + r * stride;
        Four total{};
        for (int64_t v = 0; v < lanes; ++v) {
            const Four e = exp4(load<Four>(row + 4 * v) - top[r]);
            store<Four>(row + 4 * v, e);
            total += e;
        }
        sum[r] += sum_of(total);
    }
    for (int64_t r = rows; r < (rows + 3) / 4 * 4; ++r) sum[r] = 1.0;
    Four logs{};
    for (int64_t r = 0; r < rows; r += 4) {
        const Four w = load<Four>(weight + r), s = load<Four>(sum + r);
        logs += w * log4(s);
        store<Four>(sum + r, w / s);
    }
    for (int64_t r = 0; r < rows; ++r) {
        double* row = z + r * stride;
        for (int64_t v = 0; v < lanes; ++v) store<Four>(row + 4 * v, load<Four>(row + 4 * v) * sum[r]);
        for (int64_t c = 1; c <= spare; ++c) row[stride - c] = 0.0;
        if (t.y[r] >= t.reference) row[t.y[r] - t.reference] -= weight[r];
    }
    return loss + sum_of(logs);
}

SUFFICE_INLINE double softmax(double* z, int64_t rows, const Targets& t) {
    switch (t.stride) {
        case 1: return one_column(z, rows, t);
        case 4: return many_columns<1>(z, rows, t);
        default: return many_columns<0>(z, rows, t);
    }
}

}  // namespace suffice
