// Tables over levels: how often each level of each column occurs in each class, and the sum of table rows a row picks.
#include "kernels.hpp"

#include <memory>

#include "labels.hpp"
#include "parallel.hpp"
#include "table_rows.hpp"

namespace suffice {
namespace {

// A value outside its column's range is a level nobody knows: it picks no cell.
template <class T>
inline bool cell_of(T value, int64_t low, int64_t start, int64_t end, int64_t& cell) {
    cell = start + (static_cast<int64_t>(value) - low);
    return cell >= start && cell < end;
}

SUFFICE_SIMD void add_rows(const int64_t* cells, int64_t n, const double* table, int64_t stride, int64_t classes, double* out) {
    add_table_rows(cells, nullptr, n, table, stride, classes, out);
}

}  // namespace

void counts(AnyMatrix values, Integers low, Integers start, Codes y, Weights w, OutDoubleRows table, int threads) {
    const Matrix x(values);
    const int64_t classes = table.shape(0), levels = table.shape(1), cells = classes * levels;
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), x.rows, classes);
    const Plan plan(x.rows, x.cols, cells);
    std::vector<double> partial(cells * (plan.chunks - 1), 0.0);
    parallel(plan.tasks(), threads, x.rows * x.cols, [&](int64_t task) {
        const int64_t chunk = task / plan.tiles, col = task % plan.tiles * plan.tile;
        const int64_t cols = std::min(plan.tile, x.cols - col);
        const int64_t end = std::min(x.rows, (chunk + 1) * plan.chunk_rows);
        double* into = chunk == 0 ? table.data() : partial.data() + cells * (chunk - 1);
        const int64_t *lo = low.data() + col, *st = start.data() + col;
        with_type(x.type, [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            for (int64_t r = chunk * plan.chunk_rows; r < end; ++r) {
                const double weight = weights ? weights[r] : 1.0;
                const T* v = static_cast<const T*>(x.data) + r * x.row_stride + col * x.col_stride;
                double* mine = into + y.data()[r] * levels;
                int64_t cell;
                for (int64_t j = 0; j < cols; ++j)
                    if (cell_of(v[j * x.col_stride], lo[j], st[j], st[j + 1], cell)) mine[cell] += weight;
            }
        });
    });
    for (int64_t k = 1; k < plan.chunks; ++k) {
        const double* part = partial.data() + cells * (k - 1);
        for (int64_t i = 0; i < cells; ++i) table.data()[i] += part[i];
    }
}

void table_scores(AnyMatrix values, Integers low, Integers start, DoubleRows table, OutDoubleRows out, int threads) {
    const Matrix x(values);
    const int64_t classes = out.shape(1), stride = table.shape(1);
    nb::gil_scoped_release nogil;
    constexpr int64_t kRows = 1024;
    parallel(ceil_div(x.rows, kRows), threads, x.rows * x.cols * classes, [&](int64_t task) {
        std::vector<int64_t> cells(x.cols);
        with_type(x.type, [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            for (int64_t r = task * kRows; r < std::min(x.rows, (task + 1) * kRows); ++r) {
                const T* v = static_cast<const T*>(x.data) + r * x.row_stride;
                int64_t known = 0, cell;
                for (int64_t j = 0; j < x.cols; ++j) {
                    const bool inside =
                        cell_of(v[j * x.col_stride], low.data()[j], start.data()[j], start.data()[j + 1], cell);
                    cells[known] = cell;
                    known += inside;
                }
                add_rows(cells.data(), known, table.data(), stride, classes, out.data() + r * classes);
            }
        });
    });
}

}  // namespace suffice
