// The compiled functions. Arrays in, arrays out; no state, no policy. Their Python door, which checks shapes and dtypes
// and allocates what is written to, is suffice/numerics/kernels.py.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "matrix.hpp"

namespace suffice {

// labels.cpp
void int_range(AnyMatrix values, OutIntegers low, OutIntegers high, int threads);
void class_weights(Codes y, Weights w, OutDoubles out, int threads);
// out = values − low, counts of each; whether all of them have a count to go to
bool lookup(AnyVector values, int64_t low, OutCodes out, OutIntegers counts, int threads);

// moments.cpp
void moments(AnyMatrix x, Codes y, Weights w, OutDoubleRows weight, OutDoubleRows mean, OutDoubleRows m2, int threads);

// scatter.cpp: m2 (classes, columns · columns) of the rows without a missing cell
void scatter(AnyMatrix x, Codes y, Weights w, OutDoubles weight, OutDoubleRows mean, OutDoubleRows m2, int threads);

// sums.cpp: threshold given → how many cells lie above it; else their sum. low: the smallest value of each column.
void sums(AnyMatrix x, Codes y, Weights w, std::optional<double> threshold, OutDoubleRows weight, OutDoubleRows total,
          OutDoubles low, int threads);

// counts.cpp: value v of column j falls into cell start[j] + v − low[j], if that lies before start[j + 1].
// Tables of scores, here and for sparse rows, have their rows filled up to a multiple of four.
void counts(AnyMatrix values, Integers low, Integers start, Codes y, Weights w, OutDoubleRows table, int threads);
// Whether every value was known.
bool table_scores(AnyMatrix values, Integers low, Integers start, DoubleRows table, OutDoubleRows out, int threads);

// sparse.cpp: rows in compressed sparse row form
void sparse_sums(AnyVector data, AnyVector indices, AnyVector indptr, Codes y, Weights w, std::optional<double> threshold,
                 OutDoubleRows total, int threads);
void sparse_scores(AnyVector data, AnyVector indices, AnyVector indptr, std::optional<double> threshold, DoubleRows table,
                   OutDoubleRows out, int threads);

// scores.cpp: out[r, c] += Σ_j f(x[r, j]; the cell's parameters), a missing cell adding nothing
void linear_scores(AnyMatrix x, DoubleRows constant, DoubleRows slope, OutDoubleRows out, int threads);
void step_scores(AnyMatrix x, double threshold, DoubleRows below, DoubleRows above, OutDoubleRows out, int threads);
void quadratic_scores(AnyMatrix x, DoubleRows constant, DoubleRows centre, DoubleRows curvature, OutDoubleRows out, int threads);
void student_scores(AnyMatrix x, DoubleRows constant, DoubleRows centre, DoubleRows curvature, DoubleRows power,
                    OutDoubleRows out, int threads);

// gaussian.cpp: out[r, c] = |root (x[r] − centre) − offset[c]|², one upper triangular root and centre for all classes or one
// each; and out[r, c] += constant[c] + slope[c] · (x[r] − centre). A missing cell makes its row NaN.
void distances(AnyMatrix x, DoubleRows centre, DoubleRows root, DoubleRows offset, OutDoubleRows out, int threads);
void affine_scores(AnyMatrix x, Doubles centre, DoubleRows slope, Doubles constant, OutDoubleRows out, int threads);

// posterior.cpp
void log_sum_exp(DoubleRows joint, OutDoubles out, int threads);
void normalise(OutDoubleRows joint, Doubles fallback, bool log, int threads);
void most_probable(DoubleRows joint, int64_t fallback, OutIntegers out, int threads);
void fill_rows(Doubles row, OutDoubleRows out, int threads);

// risk.cpp: index[r] = the a < actions that minimises Σ_c p[r, c] table[c, a], the first of equals; risk[r] = that minimum
void least_risk(DoubleRows p, DoubleRows table, int64_t actions, OutIntegers index, OutDoubles risk, int threads);

}  // namespace suffice
