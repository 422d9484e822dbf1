// The compiled functions. Arrays in, arrays out; no state, no policy. Their Python wrapper, suffice/numerics/kernels.py,
// checks shapes and dtypes and allocates outputs.
#pragma once

#include "characters.hpp"
#include "matrix.hpp"

namespace suffice {

// labels.cpp
void int_range(AnyMatrix values, OutIntegers low, OutIntegers high, int threads);
void class_weights(Codes y, Weights w, OutDoubles out, int threads);
// out = values − low, counts of each; returns whether all are in range
bool lookup(AnyVector values, int64_t low, OutCodes out, OutIntegers counts, int threads);

// moments.cpp
void moments(AnyMatrix x, Codes y, Weights w, OutDoubleRows weight, OutDoubleRows mean, OutDoubleRows m2, int threads);

// scatter.cpp: m2 (classes, columns · columns) of the rows without a missing cell
void scatter(AnyMatrix x, Codes y, Weights w, OutDoubles weight, OutDoubleRows mean, OutDoubleRows m2, int threads);

// sums.cpp: with a threshold, the number of cells above it; else their sum. low: the smallest value of each column.
void sums(AnyMatrix x, Codes y, Weights w, std::optional<double> threshold, OutDoubleRows weight, OutDoubleRows total,
          OutDoubles low, int threads);

// counts.cpp: value v of column j falls into cell start[j] + v − low[j], if that lies before start[j + 1].
// Tables of scores, here and for sparse rows, have their rows filled up to a multiple of four.
void counts(AnyMatrix values, Integers low, Integers start, Codes y, Weights w, OutDoubleRows table, int threads);
// Returns whether every value is a known level.
bool table_scores(AnyMatrix values, Integers low, Integers start, DoubleRows table, OutDoubleRows out, int threads);

// grid.cpp: non-empty cells of each column, in order, and their counts (classes, cells)
nb::list grid_counts(AnyMatrix values, Integers bits, Codes y, Weights w, int64_t classes, int threads);

// equal_groups.cpp: the group of each of some ordered cells, `most` groups or hardly more
void equal_groups(Doubles mass, int64_t most, OutIntegers out);

// intervals.cpp: the number of cuts of its column ≤ each cell, −1 where it is missing
void intervals(AnyMatrix x, Doubles cuts, Integers start, OutCodeRows out, int threads);
// linear interpolation between the knots of some columns, constant beyond their ends, zero where a cell is missing
void polylines(AnyMatrix x, Integers columns, Doubles at, Doubles height, Integers start, OutSingles out, int threads);

// waves.cpp: out += Σ a cos(ω · z) + b sin(ω · z) of frequencies (scores, waves) and coefficients (classes, cosines and then sines);
// the number of waves is a multiple of 16
void wave_scores(SingleRows z, DoubleRows frequencies, DoubleRows coefficients, OutDoubleRows out, int threads);

// shrunk.cpp: log p(level | class) / p(level) of one column, with all rows, and with a row left out: of the class itself, of
// another one. Returns the strength with the least leave-one-out log-loss, and that loss
nb::tuple shrunk_tables(DoubleRows counts, Doubles unit, Integers start, bool binary, Doubles strengths, Doubles log_prior,
                        OutDoubleRows full, OutDoubleRows own, OutDoubleRows others);

// pairs.cpp, pair_slopes.cpp
void pair_counts(CodeRows codes, Integers sizes, IntegerRows pairs, Integers start, Codes y, Weights w, OutDoubleRows table,
                 int threads);
// the cell of each row in each pair, −1 where a code is: left and right (pairs, 1 + codes) are the offsets of codes, the
// first that of −1
void pair_cells(CodeRows codes, IntegerRows pairs, CodeRows left, CodeRows right, OutCodeRows out, int threads);
void pair_slopes(DoubleRows counts, Integers sizes, IntegerRows pairs, Integers start, CodeRows groups, Integers grouped,
                 Doubles unit, double constant, CodeRows codes, Codes y, DoubleRows excess, DoubleRows p, Doubles w,
                 OutDoubles slope, OutDoubles curvature, int threads);
void pair_tables(DoubleRows counts, IntegerRows sizes, Integers start, Doubles unit, double constant, OutDoubleRows full,
                 OutDoubleRows own, OutDoubleRows others, int threads);

// left_out.cpp: leave-one-out scores of rows, from the tables (cells of all tables, classes) of their cells (rows, tables;
// −1: none), written to the lines of scores (scored_rows.cpp) from a given place: own for the row's class, others elsewhere
void left_out_scores(CodeRows cells, Integers start, AnyMatrix own, AnyMatrix others, Codes y, OutAnyMatrix lines,
                     int64_t lanes, int64_t first, int threads);

// sparse.cpp: rows in compressed sparse row form
void sparse_sums(AnyVector data, AnyVector indices, AnyVector indptr, Codes y, Weights w, std::optional<double> threshold,
                 OutDoubleRows total, int threads);
// out += start + x · table; start is padded as the rows of the table are
void sparse_scores(AnyVector data, AnyVector indices, AnyVector indptr, std::optional<double> threshold, Doubles start,
                   DoubleRows table, OutDoubleRows out, int threads);
// sparse_product.cpp: out = x · table, both with rows of a multiple of four; x has floats
void sparse_product(AnyVector data, AnyVector indices, AnyVector indptr, DoubleRows table, OutDoubleRows out, int threads);

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

// tokens.cpp: documents to bags of tokens. A document is an address, a length in units and an encoding (characters.hpp); the
// table of characters comes from numerics/characters.py. Returns a bag as indptr, ids, counts, lengths, its tokens as bytes
// and offsets, and the first document that is not text, or −1.
int64_t text_views(nb::list texts, OutAddresses address, OutIntegers length, OutForms form);  // the first that is no str, or −1
enum class Split { kWords, kLongWords, kWordsAndMarks, kPieces, kWhole };  // \w+  \w\w+  \w+|[^\w\s]  \S+  everything
nb::tuple split_words(Addresses address, Integers length, Forms form, Stages stages, Codes cells, Expansions expansions,
                      bool lower, int split, bool counting, int threads);
nb::tuple split_characters(Addresses address, Integers length, Forms form, Stages stages, Codes cells, Expansions expansions,
                           bool lower, int64_t low, int64_t high, bool words, int threads);

// ngrams.cpp: runs of low … high neighbours among the tokens that have a number ≥ 0; how runs are spelled, in an order
nb::tuple ngrams(Integers indptr, Codes ids, Codes numbers, int64_t low, int64_t high, int threads);
nb::tuple join_tokens(Codes runs, Integers run_offsets, Codes order, Bytes bytes, Integers offsets, int threads);

// renumber.cpp: bags in which token i is token numbers[i], or is left out
nb::tuple renumber(Integers indptr, Codes ids, Codes counts, Codes numbers, int threads);

// expand.cpp: bags of the parts of tokens, the parts of token i being row i of another bag, in which part j becomes part
// numbers[j], all distinct
nb::tuple expand(Integers indptr, Codes ids, Codes counts, Integers part_indptr, Codes part_ids, Codes part_counts,
                 Codes numbers, int threads);

// vocabulary.cpp
void index_tokens(Bytes bytes, Integers offsets, int64_t first, OutAddresses index);  // adds the strings from `first` on
void find_tokens(Bytes bytes, Integers offsets, Addresses index, Bytes wanted_bytes, Integers wanted_offsets, OutCodes out,
                 int threads);
void sort_tokens(Bytes bytes, Integers offsets, OutCodes order, int threads);
void hash_tokens(Bytes bytes, Integers offsets, int64_t width, OutCodes out);
nb::list token_strings(Bytes bytes, Integers offsets);
void check_rows(const Integers& offsets, int64_t size);  // from 0 to the size of their target, non-decreasing

// discount.cpp: scores of documents from word counts by class (word_start, word_class, seen: sparse rows over the words);
// a document whose own class is not −1 is left out of the counts
void discounted_scores(Integers indptr, Codes ids, Integers word_start, Codes word_class, Doubles seen, Doubles total,
                       Doubles class_total, Doubles class_words, double discount, Codes own, Doubles weight,
                       OutDoubleRows out, int threads);

// softmax.cpp, sparse_softmax.cpp: Σ_r w_r class_weight[y_r] (−log softmax(scores)[y_r]), and its gradient with respect to
// the table of weights: (columns of x + 1, stride), the intercept last. Of the stride, a multiple of four unless it is
// one, the first `columns` are classes: all of them, or all but the first, whose score is then zero. offset: scores, (rows,
// stride), that those of the table are added to.
double softmax_loss(AnyMatrix x, Codes y, Weights w, Doubles class_weight, DoubleRows table, int64_t columns,
                    OutDoubleRows gradient, int threads);
double sparse_softmax_loss(AnyVector data, AnyVector indices, AnyVector indptr, Codes y, Weights w, Doubles class_weight,
                           std::optional<DoubleRows> offset, DoubleRows table, int64_t columns, OutDoubleRows gradient, int threads);
// The same from scores, (rows, stride), which become the residuals w (p − e_y).
double softmax_residuals(OutDoubleRows scores, Codes y, Weights w, Doubles class_weight, int64_t columns, int threads);

// scored_rows.cpp: Σ_r w_r (−log softmax(offset + Σ_k weights[k] score[k])[y_r]), and its gradient: of the weights, then of the
// offset. x: (rows · lanes, scores), as many lanes as the offset has: one a class, or one if there are two
double weighing_loss(AnyMatrix x, Codes y, Doubles w, Doubles weights, Doubles offset, int64_t classes, OutDoubles gradient,
                     int threads);

// A (lines of every so many rows, parts + lanes) such that AᵀA is its curvature along weights and offset, with row weights
// multiplied by `factor`
void weighing_roots(AnyMatrix x, Doubles w, Doubles weights, Doubles offset, int64_t parts, int64_t every, double factor,
                    OutAnyMatrix out);

// cell_sweeps.cpp: V (cells of all tables, stride), added to; cells (rows, tables), −1 where a row is in none
void cell_sweeps(CodeRows cells, Integers start, Codes y, Doubles w, DoubleRows offset, int64_t lanes, int64_t classes,
                 double ridge, int64_t sweeps, OutDoubleRows out);
// out-of-fold corrections of the scores of each row, (rows, stride), by V fitted on the rows of other folds
void cell_sweeps_by_fold(CodeRows cells, Integers start, Codes y, Doubles w, DoubleRows offset, int64_t lanes, int64_t classes,
                         double ridge, int64_t sweeps, Codes fold, int64_t folds, OutDoubleRows out, int threads);

// forest_growth.cpp: trees on bags of rows of one-byte codes (columns, rows), 0 a missing cell. Every draw is a hash: of the
// keys of rows for bags, of the path to a node for columns, which are drawn from `order`. Returns nodes (forest.hpp), counts
// of the leaves, and for the first rows their out-of-bag leaves and weights in each tree
nb::tuple grow_forest(ByteRows codes, Bytes is_level, Integers order, Addresses keys, Codes y, Doubles weight, int64_t classes,
                      double share, bool observed, int64_t tried, int64_t first, int64_t count,
                      uint64_t seed, int64_t scored, int threads);

// forest_scores.cpp
void flatten_forest(Shorts column, Bytes cut, Unsigneds sets, Bytes is_level, Shorts leaf_size, Shorts leaf_class, Singles leaf_weight,
                    Doubles prior, OutByteRows nodes, OutCodes root, OutSingles shares, OutSingles inner, int threads);
void out_of_bag_shares(CodeRows leaf_of, SingleRows outside, Integers leaf_start, SingleRows shares, OutDoubleRows out,
                       OutDoubles total, int threads);
void forest_shares(ByteRows nodes, Codes root, SingleRows shares, ByteRows codes, OutDoubleRows out, int threads);
void forest_steps(ByteRows nodes, Codes root, SingleRows shares, SingleRows inner, ByteRows codes, OutDoubleRows out, int threads);

// curvature.cpp: second derivatives of that loss, only of the table's class cells, without padding
void softmax_curvature(AnyMatrix x, Codes y, Weights w, Doubles class_weight, DoubleRows table, int64_t columns,
                       OutDoubleRows out, int threads);

// posterior.cpp
void log_sum_exp(DoubleRows joint, OutDoubles out, int threads);
void normalise(OutDoubleRows joint, Doubles fallback, bool log, int threads);
void most_probable(DoubleRows joint, int64_t fallback, OutIntegers out, int threads);
void fill_rows(Doubles row, OutDoubleRows out, int threads);

// risk.cpp: index[r] = the a < actions that minimises Σ_c p[r, c] table[c, a], the first of equals; risk[r] = that minimum
void least_risk(DoubleRows p, DoubleRows table, int64_t actions, OutIntegers index, OutDoubles risk, int threads);

}  // namespace suffice
