// Leave-one-out scores of rows from tables of cells, written side by side for the weigher (scored_rows.cpp).
#include "kernels.hpp"

#include "bounds.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 256;

template <class T>
void left_out_rows(const int32_t* cells, const int64_t* start, const T* own, const T* others, const int32_t* y,
                   int64_t rows, int64_t tables, int64_t classes, int64_t lanes, int64_t width, T* lines) {
    for (int64_t r = 0; r < rows; ++r, cells += tables, lines += lanes * width)
        for (int64_t k = 0; k < tables; ++k) {
            const bool there = cells[k] >= 0;
            const int64_t at = (start[k] + cells[k]) * classes, mine = y[r];
            if (lanes == 1) {
                const auto said = [&](int64_t c) { return there ? (c == mine ? own : others)[at + c] : T(0); };
                lines[k] = said(1) - said(0);
                continue;
            }
            for (int64_t c = 0; c < lanes; ++c) lines[c * width + k] = there ? others[at + c] : T(0);
            if (there) lines[mine * width + k] = own[at + mine];
        }
}

}  // namespace

void left_out_scores(CodeRows cells, Integers start, AnyMatrix own, AnyMatrix others, Codes y, OutAnyMatrix lines,
                     int64_t lanes, int64_t first, int threads) {
    const int64_t rows = cells.shape(0), tables = cells.shape(1), classes = own.shape(1), width = lines.shape(1);
    const bool single = lines.dtype() == nb::dtype<float>();
    if (own.dtype() != lines.dtype() || others.dtype() != lines.dtype())
        throw std::invalid_argument("tables must have the precision of the scores");
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    check_cells(cells, start, own.shape(0));
    parallel(ceil_div(rows, kRows), threads, rows * tables * lanes, [&](int64_t run) {
        const int64_t row = run * kRows, some = std::min(kRows, rows - row);
        const auto fill = [&](auto* to) {
            using T = std::remove_pointer_t<decltype(to)>;
            left_out_rows(cells.data() + row * tables, start.data(), static_cast<const T*>(own.data()),
                          static_cast<const T*>(others.data()), y.data() + row, some, tables, classes, lanes, width,
                          to + row * lanes * width + first);
        };
        if (single) fill(static_cast<float*>(lines.data()));
        else fill(static_cast<double*>(lines.data()));
    });
}

}  // namespace suffice
