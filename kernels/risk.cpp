// Posteriors and costs → the cheapest action of each row, without storing the table of all risks.
#include "kernels.hpp"

#include <memory>

#include "parallel.hpp"
#include "simd.hpp"

namespace suffice {
namespace {

constexpr int64_t kRows = 1024;

struct Costs {
    const double* table;  // a row of actions for each class, filled up to a multiple of four
    int64_t classes, filled, actions;
};

// Sums run class by class, so a row's risk is the same bytes in any batch.
SUFFICE_SIMD void least_risk_rows(const double* p, int64_t rows, Costs costs, double* risks, int64_t* index, double* risk) {
    for (int64_t r = 0; r < rows; ++r, p += costs.classes) {
        for (int64_t a = 0; a < costs.filled; a += 4) {
            Four sum{};
            for (int64_t c = 0; c < costs.classes; ++c) sum += p[c] * load<Four>(costs.table + c * costs.filled + a);
            store<Four>(risks + a, sum);
        }
        const double* best = std::min_element(risks, risks + costs.actions);  // the first of equals
        index[r] = best - risks;
        risk[r] = *best;
    }
}

}  // namespace

void least_risk(DoubleRows p, DoubleRows table, int64_t actions, OutIntegers index, OutDoubles risk, int threads) {
    const int64_t rows = p.shape(0);
    const Costs costs{table.data(), int64_t(table.shape(0)), int64_t(table.shape(1)), actions};
    nb::gil_scoped_release nogil;
    parallel(ceil_div(rows, kRows), threads, rows * costs.classes * costs.filled, [&](int64_t task) {
        const int64_t first = task * kRows;
        const std::unique_ptr<double[]> risks(new double[costs.filled]);
        least_risk_rows(p.data() + first * costs.classes, std::min(kRows, rows - first), costs, risks.get(),
                        index.data() + first, risk.data() + first);
    });
}

}  // namespace suffice
