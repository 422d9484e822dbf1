// What tables say of rows in some of their cells, each row left out of them, written as scores side by side (weighing.cpp).
#include "kernels.hpp"

#include "labels.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 256;

template <class T>
void left_out_rows(const int32_t* cells, const int64_t* start, const double* own, const double* others, const int32_t* y,
                   int64_t rows, int64_t tables, int64_t classes, int64_t lanes, int64_t width, T* lines) {
    for (int64_t r = 0; r < rows; ++r, cells += tables, lines += lanes * width)
        for (int64_t k = 0; k < tables; ++k) {
            const bool there = cells[k] >= 0;
            const int64_t at = (start[k] + cells[k]) * classes, mine = y[r];
            const auto said = [&](int64_t c) { return there ? (c == mine ? own : others)[at + c] : 0.0; };
            if (lanes == 1) lines[k] = static_cast<T>(said(1) - said(0));
            else
                for (int64_t c = 0; c < lanes; ++c) lines[c * width + k] = static_cast<T>(said(c));
        }
}

}  // namespace

void left_out_scores(CodeRows cells, Integers start, DoubleRows own, DoubleRows others, Codes y, OutAnyMatrix lines,
                   int64_t lanes, int64_t first, int threads) {
    const int64_t rows = cells.shape(0), tables = cells.shape(1), classes = own.shape(1), width = lines.shape(1);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    parallel(ceil_div(rows, kRows), threads, rows * tables * lanes, [&](int64_t run) {
        const int64_t row = run * kRows, some = std::min(kRows, rows - row);
        const auto fill = [&](auto* to) {
            left_out_rows(cells.data() + row * tables, start.data(), own.data(), others.data(), y.data() + row, some, tables,
                          classes, lanes, width, to + row * lanes * width + first);
        };
        if (lines.dtype() == nb::dtype<float>()) fill(static_cast<float*>(lines.data()));
        else fill(static_cast<double*>(lines.data()));
    });
}

}  // namespace suffice
