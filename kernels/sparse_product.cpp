// Sparse rows times a table, without the handling of missing cells and thresholds in scores of densities.
#include "kernels.hpp"

#include "parallel.hpp"
#include "sparse_lanes.hpp"

namespace suffice {
namespace {

SUFFICE_SIMD void some_rows(SparseMatrix x, int64_t begin, int64_t end, const double* table, int64_t stride,
                            const double* start, double* out) {
    products(x, begin, end, table, stride, start, out);
}

}  // namespace

void sparse_product(AnyVector data, AnyVector indices, AnyVector indptr, DoubleRows table, OutDoubleRows out, int threads) {
    const SparseMatrix x(data, indices, indptr);
    const int64_t rows = out.shape(0), stride = out.shape(1);
    const std::vector<double> zeros(stride, 0.0);
    constexpr int64_t kRows = 128;
    nb::gil_scoped_release nogil;
    with_indices(indices, indptr, [&](auto* idx, auto* ptr) {
        check_indices(idx, ptr, rows, x.entries, static_cast<int64_t>(table.shape(0)), threads);
    });
    parallel(ceil_div(rows, kRows), threads, x.entries * stride, [&](int64_t run) {
        const int64_t begin = run * kRows, end = std::min(rows, begin + kRows);
        some_rows(x, begin, end, table.data(), stride, zeros.data(), out.data() + begin * stride);
    });
}

}  // namespace suffice
