// Positions of numbers among ordered ones, column by column: the interval between cuts, or linear interpolation between knots.
#include "kernels.hpp"

#include <cmath>
#include <vector>

#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 256;  // searched together: the steps of one search wait for each other, those of many do not

// at[r] = the number of ordered values ≤ x[r]; all of them if x[r] is NaN
SUFFICE_SIMD void search(const double* ordered, int64_t count, const double* x, int64_t rows, int32_t* at) {
    std::fill_n(at, rows, 0);
    int64_t left = count;
    for (; left > 1; left -= left / 2) {
        const int32_t half = static_cast<int32_t>(left / 2);
        const double* middle = ordered + half - 1;
        for (int64_t r = 0; r < rows; ++r) at[r] += middle[at[r]] > x[r] ? 0 : half;
    }
    for (int64_t r = 0; left == 1 && r < rows; ++r) at[r] += ordered[at[r]] > x[r] ? 0 : 1;
}

// Calls write(j, first row, rows, the numbers of column columns[j], their positions in ordered[start[j] … start[j + 1])).
template <class Write>
void for_columns(const Matrix& x, const int64_t* columns, const double* ordered, const int64_t* start, int64_t count, int threads,
                 Write&& write) {
    parallel(ceil_div(x.rows, kRows), threads, x.rows * count * 8, [&](int64_t run) {
        const int64_t row = run * kRows, some = std::min(kRows, x.rows - row);
        double value[kRows];
        int32_t at[kRows];
        for (int64_t j = 0; j < count; ++j) {
            x.gather_columns(row, columns ? columns[j] : j, some, 1, value, some);
            search(ordered + start[j], start[j + 1] - start[j], value, some, at);
            write(j, row, some, value, at);
        }
    });
}

}  // namespace

void intervals(AnyMatrix x, Doubles cuts, Integers start, OutCodeRows out, int threads) {
    const Matrix matrix(x);
    nb::gil_scoped_release nogil;
    for_columns(matrix, nullptr, cuts.data(), start.data(), matrix.cols, threads,
                [&](int64_t j, int64_t row, int64_t some, const double* value, const int32_t* at) {
                    int32_t* to = out.data() + row * matrix.cols + j;
                    for (int64_t r = 0; r < some; ++r) to[r * matrix.cols] = std::isnan(value[r]) ? -1 : at[r];
                });
}

void polylines(AnyMatrix x, Integers columns, Doubles at, Doubles height, Integers start, OutSingles out, int threads) {
    const Matrix matrix(x);
    const int64_t across = out.stride(1), down = out.stride(0);
    nb::gil_scoped_release nogil;
    for_columns(matrix, columns.data(), at.data(), start.data(), columns.shape(0), threads,
                [&](int64_t j, int64_t row, int64_t some, const double* value, const int32_t* place) {
                    const int64_t knots = start.data()[j + 1] - start.data()[j];
                    const double *a = at.data() + start.data()[j], *h = height.data() + start.data()[j];
                    for (int64_t r = 0; r < some; ++r) {
                        const int64_t right = std::clamp<int64_t>(place[r], 1, knots - 1);
                        const double share = std::clamp((value[r] - a[right - 1]) / (a[right] - a[right - 1]), 0.0, 1.0);
                        const double high = h[right - 1] + share * (h[right] - h[right - 1]);
                        out.data()[(row + r) * down + j * across] = std::isnan(high) ? 0.0f : static_cast<float>(high);
                    }
                });
}

}  // namespace suffice
