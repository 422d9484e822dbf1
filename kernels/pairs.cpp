// Pairs of columns: joint counts of two levels by class, and the interaction score beyond the two columns alone.
#include "kernels.hpp"

#include "pairs.hpp"
#include "parallel.hpp"

namespace suffice {

constexpr int64_t kRows = 256;

// codes (rows, columns), −1 a missing cell; pair p of columns (pairs[p, 0], pairs[p, 1]) has cells start[p] + u · sizes[right] + v.
void pair_counts(CodeRows codes, Integers sizes, IntegerRows pairs, Integers start, Codes y, Weights w, OutDoubleRows table,
                 int threads) {
    const int64_t rows = codes.shape(0), cols = codes.shape(1), classes = table.shape(0), cells = table.shape(1);
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    check_codes_by_column("codes of column", codes.data(), rows, cols, -1, sizes.data());
    check_pairs(pairs, sizes, start, cells);
    const CodeColumns columns(codes.data(), rows, cols);
    parallel(pairs.shape(0), threads, rows * static_cast<int64_t>(pairs.shape(0)), [&](int64_t p) {
        const int64_t i = pairs.data()[2 * p], j = pairs.data()[2 * p + 1], left = sizes.data()[i], right = sizes.data()[j];
        const int64_t size = left * right;
        // local sums: threads that write to neighbouring places wait for each other (false sharing)
        std::vector<double> sum(classes * size + 1, 0.0);
        std::vector<int32_t> at(kRows);
        for (int64_t begin = 0; begin < rows; begin += kRows) {
            const int64_t some = std::min(kRows, rows - begin);
            places(columns[i] + begin, columns[j] + begin, y.data() + begin, some, classes, left, right, at.data());
            for (int64_t r = 0; r < some; ++r) sum[at[r]] += weights ? weights[begin + r] : 1.0;
        }
        for (int64_t c = 0; c < classes; ++c) std::copy_n(sum.data() + c * size, size, table.data() + c * cells + start.data()[p]);
    });
}

void pair_cells(CodeRows codes, IntegerRows pairs, CodeRows left, CodeRows right, OutCodeRows out, int threads) {
    const int64_t rows = codes.shape(0), cols = codes.shape(1), count = pairs.shape(0), width = left.shape(1);
    nb::gil_scoped_release nogil;
    check_codes("codes", codes.data(), rows * cols, -1, width - 1);
    check_codes("columns of pairs", pairs.data(), 2 * count, 0, cols);
    parallel(ceil_div(rows, kRows), threads, rows * count, [&](int64_t run) {
        for (int64_t r = run * kRows; r < std::min(rows, (run + 1) * kRows); ++r) {
            const int32_t* code = codes.data() + r * cols;
            int32_t* to = out.data() + r * count;
            for (int64_t k = 0; k < count; ++k) {
                const int32_t u = left.data()[k * width + code[pairs.data()[2 * k]] + 1];
                const int32_t v = right.data()[k * width + code[pairs.data()[2 * k + 1]] + 1];
                to[k] = u < 0 || v < 0 ? -1 : u + v;
            }
        }
    });
}

// The three tables of each pair, (cells of all pairs, classes); pair p has sizes[p, 0] × sizes[p, 1] cells from start[p].
void pair_tables(DoubleRows counts, IntegerRows sizes, Integers start, Doubles unit, double constant, OutDoubleRows full,
                 OutDoubleRows own, OutDoubleRows others, int threads) {
    const int64_t classes = counts.shape(0), cells = counts.shape(1);
    nb::gil_scoped_release nogil;
    std::vector<PairCounts> of_worker(threads);
    parallel(sizes.shape(0), threads, cells * classes * 8, [&](int64_t k, int worker) {
        PairCounts& pair = of_worker[worker].of_shape(classes, sizes.data()[2 * k], sizes.data()[2 * k + 1]);
        const auto same = [](int64_t level) { return level; };
        pair.read(counts.data() + start.data()[k], cells, pair.left, pair.right, same, same);
        std::vector<double> said;
        const auto write = [&](const double* units, bool is_own, OutDoubleRows& to) {
            pair.table(units, is_own, constant, classes, 1, said);
            std::copy_n(said.data(), pair.cells() * classes, to.data() + start.data()[k] * classes);
        };
        write(nullptr, false, full);
        write(unit.data(), true, own);
        write(unit.data(), false, others);
    });
}

}  // namespace suffice
