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
    m.def("sparse_sums", &sparse_sums, "data"_a, "indices"_a, "indptr"_a, "y"_a, "w"_a.none(), "threshold"_a.none(),
          "total"_a, "threads"_a);
    m.def("sparse_scores", &sparse_scores, "data"_a, "indices"_a, "indptr"_a, "threshold"_a.none(), "table"_a, "out"_a,
          "threads"_a);
    m.def("linear_scores", &linear_scores, "x"_a, "constant"_a, "slope"_a, "out"_a, "threads"_a);
    m.def("step_scores", &step_scores, "x"_a, "threshold"_a, "below"_a, "above"_a, "out"_a, "threads"_a);
    m.def("quadratic_scores", &quadratic_scores, "x"_a, "constant"_a, "centre"_a, "curvature"_a, "out"_a, "threads"_a);
    m.def("student_scores", &student_scores, "x"_a, "constant"_a, "centre"_a, "curvature"_a, "power"_a, "out"_a,
          "threads"_a);
    m.def("distances", &distances, "x"_a, "centre"_a, "root"_a, "offset"_a, "out"_a, "threads"_a);
    m.def("affine_scores", &affine_scores, "x"_a, "centre"_a, "slope"_a, "constant"_a, "out"_a, "threads"_a);
    m.def("log_sum_exp", &log_sum_exp, "joint"_a, "out"_a, "threads"_a);
    m.def("normalise", &normalise, "joint"_a, "fallback"_a, "log"_a, "threads"_a);
    m.def("fill_rows", &fill_rows, "row"_a, "out"_a, "threads"_a);
    m.def("most_probable", &most_probable, "joint"_a, "fallback"_a, "out"_a, "threads"_a);
    m.def("least_risk", &least_risk, "p"_a, "table"_a, "actions"_a, "index"_a, "risk"_a, "threads"_a);
}
