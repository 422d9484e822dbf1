// Tables over levels: counts of each level of each column by class, and the sum of the table rows that a row selects.
#include "kernels.hpp"

#include <memory>

#include "bounds.hpp"
#include "parallel.hpp"
#include "table_rows.hpp"

namespace suffice {
namespace {

constexpr int64_t kPicked = 64;

// A value outside its column's range is an unknown level and selects no cell. (Unsigned, so that overflow wraps around to a
// value far outside.)
template <class T>
SUFFICE_INLINE bool cell_of(T value, int64_t low, int64_t start, int64_t end, int64_t& cell) {
    const uint64_t place = static_cast<uint64_t>(static_cast<int64_t>(value)) - static_cast<uint64_t>(low);
    const bool known = place < static_cast<uint64_t>(end - start);
    cell = start + static_cast<int64_t>(known ? place : 0);
    return known;
}

struct Picks {  // a block of rows of level codes, and the table they index
    int64_t rows, cols, row_stride;
    const int64_t *low, *start;
    const double* table;
    int64_t nowhere, stride, classes;
    double* out;
};

template <class T>
SUFFICE_INLINE bool add_picked(const T* values, const Picks& p) {
    bool all_known = true;
    int64_t cells[kPicked];
    for (int64_t r = 0; r < p.rows; ++r)
        for (int64_t col = 0; col < p.cols; col += kPicked) {
            const int64_t cols = std::min(kPicked, p.cols - col);
            const T* v = values + r * p.row_stride + col;
            const int64_t *low = p.low + col, *start = p.start + col;
            for (int64_t j = 0; j < cols; ++j) {
                int64_t cell;
                const bool known = cell_of(v[j], low[j], start[j], start[j + 1], cell);
                cells[j] = known ? cell : p.nowhere;
                all_known &= known;
            }
            add_table_rows(cells, cols, p.table, p.stride, p.classes, p.out + r * p.classes);
        }
    return all_known;
}

SUFFICE_SIMD bool add_picked_by(const int64_t* values, Picks p) { return add_picked(values, p); }
SUFFICE_SIMD bool add_picked_by(const int32_t* values, Picks p) { return add_picked(values, p); }

}  // namespace

void counts(AnyMatrix values, Integers low, Integers start, Codes y, Weights w, OutDoubleRows table, int threads) {
    const Matrix x(values);
    const int64_t classes = table.shape(0), levels = table.shape(1), cells = classes * levels;
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), x.rows, classes);
    check_rows(start, levels);
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

bool table_scores(AnyMatrix values, Integers low, Integers start, DoubleRows table, OutDoubleRows out, int threads) {
    const Matrix x(values);
    const int64_t classes = out.shape(1);
    nb::gil_scoped_release nogil;
    check_rows(start, static_cast<int64_t>(table.shape(0)) - 1);
    constexpr int64_t kRows = 256;
    std::atomic<bool> all_known{true};
    parallel(ceil_div(x.rows, kRows), threads, x.rows * x.cols * classes, [&](int64_t task) {
        const int64_t row = task * kRows;
        Picks p{std::min(kRows, x.rows - row), x.cols, x.row_stride, low.data(), start.data(), table.data(),
                static_cast<int64_t>(table.shape(0)) - 1, static_cast<int64_t>(table.shape(1)), classes,
                out.data() + row * classes};
        bool known;
        if (const int64_t* here = x.rows_in_place<int64_t>(row, 0)) {
            known = add_picked_by(here, p);
        } else if (const int32_t* here = x.rows_in_place<int32_t>(row, 0)) {
            known = add_picked_by(here, p);
        } else {
            std::vector<int64_t> copy(p.rows * x.cols);
            x.gather_rows(row, 0, p.rows, x.cols, copy.data());
            p.row_stride = x.cols;
            known = add_picked_by(copy.data(), p);
        }
        if (!known) all_known = false;
    });
    return all_known;
}

}  // namespace suffice
