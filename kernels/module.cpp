#include "kernels.hpp"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(_kernels, m) {
    using namespace suffice;
    m.def("int_range", &int_range, "values"_a, "low"_a, "high"_a, "threads"_a);
    m.def("class_weights", &class_weights, "y"_a, "w"_a.none(), "out"_a, "threads"_a);
    m.def("lookup", &lookup, "values"_a, "low"_a, "out"_a, "counts"_a, "threads"_a);
    m.def("moments", &moments, "x"_a, "y"_a, "w"_a.none(), "weight"_a, "mean"_a, "m2"_a, "threads"_a);
    m.def("scatter", &scatter, "x"_a, "y"_a, "w"_a.none(), "weight"_a, "mean"_a, "m2"_a, "threads"_a);
    m.def("sums", &sums, "x"_a, "y"_a, "w"_a.none(), "threshold"_a.none(), "weight"_a, "total"_a, "low"_a, "threads"_a);
    m.def("counts", &counts, "values"_a, "low"_a, "start"_a, "y"_a, "w"_a.none(), "table"_a, "threads"_a);
    m.def("table_scores", &table_scores, "values"_a, "low"_a, "start"_a, "table"_a, "out"_a, "threads"_a);
    m.def("grid_counts", &grid_counts, "values"_a, "bits"_a, "y"_a, "w"_a.none(), "classes"_a, "threads"_a);
    m.def("equal_groups", &equal_groups, "mass"_a, "most"_a, "out"_a);
    m.def("wave_scores", &wave_scores, "z"_a, "frequencies"_a, "coefficients"_a, "out"_a, "threads"_a);
    m.def("intervals", &intervals, "x"_a, "cuts"_a, "start"_a, "out"_a, "threads"_a);
    m.def("polylines", &polylines, "x"_a, "columns"_a, "at"_a, "height"_a, "start"_a, "out"_a, "threads"_a);
    m.def("shrunk_tables", &shrunk_tables, "counts"_a, "unit"_a, "start"_a, "binary"_a, "strengths"_a, "log_prior"_a,
          "full"_a, "own"_a, "others"_a);
    m.def("pair_counts", &pair_counts, "codes"_a, "sizes"_a, "pairs"_a, "start"_a, "y"_a, "w"_a.none(), "table"_a, "threads"_a);
    m.def("pair_slopes", &pair_slopes, "counts"_a, "sizes"_a, "pairs"_a, "start"_a, "groups"_a, "grouped"_a, "unit"_a,
          "constant"_a, "codes"_a, "y"_a, "excess"_a, "p"_a, "w"_a, "slope"_a, "curvature"_a, "threads"_a);
    m.def("pair_tables", &pair_tables, "counts"_a, "sizes"_a, "start"_a, "unit"_a, "constant"_a, "full"_a, "own"_a,
          "others"_a, "threads"_a);
    m.def("pair_cells", &pair_cells, "codes"_a, "pairs"_a, "left"_a, "right"_a, "out"_a, "threads"_a);
    m.def("left_out_scores", &left_out_scores, "cells"_a, "start"_a, "own"_a, "others"_a, "y"_a, "lines"_a, "lanes"_a, "first"_a,
          "threads"_a);
    m.def("sparse_sums", &sparse_sums, "data"_a, "indices"_a, "indptr"_a, "y"_a, "w"_a.none(), "threshold"_a.none(),
          "total"_a, "threads"_a);
    m.def("sparse_scores", &sparse_scores, "data"_a, "indices"_a, "indptr"_a, "threshold"_a.none(), "start"_a, "table"_a,
          "out"_a, "threads"_a);
    m.def("sparse_product", &sparse_product, "data"_a, "indices"_a, "indptr"_a, "table"_a, "out"_a, "threads"_a);
    m.def("linear_scores", &linear_scores, "x"_a, "constant"_a, "slope"_a, "out"_a, "threads"_a);
    m.def("step_scores", &step_scores, "x"_a, "threshold"_a, "below"_a, "above"_a, "out"_a, "threads"_a);
    m.def("quadratic_scores", &quadratic_scores, "x"_a, "constant"_a, "centre"_a, "curvature"_a, "out"_a, "threads"_a);
    m.def("student_scores", &student_scores, "x"_a, "constant"_a, "centre"_a, "curvature"_a, "power"_a, "out"_a,
          "threads"_a);
    m.def("distances", &distances, "x"_a, "centre"_a, "root"_a, "offset"_a, "out"_a, "threads"_a);
    m.def("affine_scores", &affine_scores, "x"_a, "centre"_a, "slope"_a, "constant"_a, "out"_a, "threads"_a);
    m.def("text_views", &text_views, "texts"_a, "address"_a, "length"_a, "form"_a);
    m.def("split_words", &split_words, "address"_a, "length"_a, "form"_a, "stages"_a, "cells"_a, "expansions"_a, "lower"_a,
          "split"_a, "counting"_a, "threads"_a);
    m.def("split_characters", &split_characters, "address"_a, "length"_a, "form"_a, "stages"_a, "cells"_a, "expansions"_a,
          "lower"_a, "low"_a, "high"_a, "words"_a, "threads"_a);
    m.def("ngrams", &ngrams, "indptr"_a, "ids"_a, "numbers"_a, "low"_a, "high"_a, "threads"_a);
    m.def("join_tokens", &join_tokens, "runs"_a, "run_offsets"_a, "order"_a, "bytes"_a, "offsets"_a, "threads"_a);
    m.def("renumber", &renumber, "indptr"_a, "ids"_a, "counts"_a, "numbers"_a, "threads"_a);
    m.def("expand", &expand, "indptr"_a, "ids"_a, "counts"_a, "part_indptr"_a, "part_ids"_a, "part_counts"_a, "numbers"_a,
          "threads"_a);
    m.def("index_tokens", &index_tokens, "bytes"_a, "offsets"_a, "first"_a, "index"_a);
    m.def("find_tokens", &find_tokens, "bytes"_a, "offsets"_a, "index"_a, "wanted_bytes"_a, "wanted_offsets"_a, "out"_a,
          "threads"_a);
    m.def("sort_tokens", &sort_tokens, "bytes"_a, "offsets"_a, "order"_a, "threads"_a);
    m.def("hash_tokens", &hash_tokens, "bytes"_a, "offsets"_a, "width"_a, "out"_a);
    m.def("token_strings", &token_strings, "bytes"_a, "offsets"_a);
    m.def("discounted_scores", &discounted_scores, "indptr"_a, "ids"_a, "word_start"_a, "word_class"_a, "seen"_a, "total"_a,
          "class_total"_a, "class_words"_a, "discount"_a, "own"_a, "weight"_a, "out"_a, "threads"_a);
    m.def("softmax_loss", &softmax_loss, "x"_a, "y"_a, "w"_a.none(), "class_weight"_a, "table"_a, "columns"_a,
          "gradient"_a, "threads"_a);
    m.def("sparse_softmax_loss", &sparse_softmax_loss, "data"_a, "indices"_a, "indptr"_a, "y"_a, "w"_a.none(),
          "class_weight"_a, "offset"_a.none(), "table"_a, "columns"_a, "gradient"_a, "threads"_a);
    m.def("softmax_residuals", &softmax_residuals, "scores"_a, "y"_a, "w"_a.none(), "class_weight"_a, "columns"_a,
          "threads"_a);
    m.def("softmax_curvature", &softmax_curvature, "x"_a, "y"_a, "w"_a.none(), "class_weight"_a, "table"_a, "columns"_a,
          "out"_a, "threads"_a);
    m.def("weighing_loss", &weighing_loss, "x"_a, "y"_a, "w"_a, "weights"_a, "offset"_a, "classes"_a, "gradient"_a,
          "threads"_a);
    m.def("weighing_roots", &weighing_roots, "x"_a, "w"_a, "weights"_a, "offset"_a, "parts"_a, "every"_a, "factor"_a, "out"_a);
    m.def("cell_sweeps", &cell_sweeps, "cells"_a, "start"_a, "y"_a, "w"_a, "offset"_a, "lanes"_a, "classes"_a, "ridge"_a,
          "sweeps"_a, "out"_a);
    m.def("cell_sweeps_by_fold", &cell_sweeps_by_fold, "cells"_a, "start"_a, "y"_a, "w"_a, "offset"_a, "lanes"_a,
          "classes"_a, "ridge"_a, "sweeps"_a, "fold"_a, "folds"_a, "out"_a, "threads"_a);
    m.def("grow_forest", &grow_forest, "codes"_a, "is_level"_a, "order"_a, "keys"_a, "y"_a, "weight"_a, "classes"_a, "share"_a,
          "observed"_a, "tried"_a, "first"_a, "count"_a, "seed"_a, "scored"_a, "threads"_a);
    m.def("flatten_forest", &flatten_forest, "column"_a, "cut"_a, "sets"_a, "is_level"_a, "leaf_size"_a, "leaf_class"_a,
          "leaf_weight"_a, "prior"_a, "nodes"_a, "root"_a, "shares"_a, "inner"_a, "threads"_a);
    m.def("out_of_bag_shares", &out_of_bag_shares, "leaf_of"_a, "outside"_a, "leaf_start"_a, "shares"_a, "out"_a, "total"_a,
          "threads"_a);
    m.def("forest_shares", &forest_shares, "nodes"_a, "root"_a, "shares"_a, "codes"_a, "out"_a, "threads"_a);
    m.def("forest_steps", &forest_steps, "nodes"_a, "root"_a, "shares"_a, "inner"_a, "codes"_a, "out"_a, "threads"_a);
    m.def("log_sum_exp", &log_sum_exp, "joint"_a, "out"_a, "threads"_a);
    m.def("normalise", &normalise, "joint"_a, "fallback"_a, "log"_a, "threads"_a);
    m.def("fill_rows", &fill_rows, "row"_a, "out"_a, "threads"_a);
    m.def("most_probable", &most_probable, "joint"_a, "fallback"_a, "out"_a, "threads"_a);
    m.def("least_risk", &least_risk, "p"_a, "table"_a, "actions"_a, "index"_a, "risk"_a, "threads"_a);
}
