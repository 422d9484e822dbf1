// Renumbers bags: tokens without a new number are dropped, equal numbers are summed, and rows are sorted.
#include "bags.hpp"
#include "kernels.hpp"
#include "row_order.hpp"

namespace suffice {
nb::tuple renumber(Integers indptr, Codes ids, Codes counts, Codes numbers, int threads) {
    const int64_t rows = static_cast<int64_t>(indptr.shape(0)) - 1, entries = ids.shape(0), known = numbers.shape(0);
    check_rows(indptr, entries);
    if (counts.shape(0) != ids.shape(0)) throw std::invalid_argument("every token of a row needs a count");
    Column<int64_t> begin(rows + 1);
    Column<int32_t> out_ids(entries), out_counts(entries);
    {
        nb::gil_scoped_release nogil;
        int32_t highest = 0;
        for (int64_t i = 0; i < known; ++i) highest = std::max(highest, numbers.data()[i]);
        const int bits = bits_of(highest);
        constexpr int64_t kRows = 256;
        parallel(ceil_div(rows, kRows), threads, entries * 8, [&](int64_t task) {
            std::vector<uint64_t> row, other;
            for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r) {
                row.clear();
                for (int64_t k = indptr.data()[r]; k < indptr.data()[r + 1]; ++k) {
                    const int64_t id = ids.data()[k];
                    if (id < 0 || id >= known) throw std::invalid_argument("a token has no number");
                    const int32_t number = numbers.data()[id];
                    if (number >= 0) row.push_back(static_cast<uint64_t>(number) << 32 | static_cast<uint32_t>(counts.data()[k]));
                }
                sort_row(row, other, 32 + bits);
                int64_t at = indptr.data()[r] - 1;
                int32_t last = -1;
                for (uint64_t entry : row) {
                    const int32_t number = static_cast<int32_t>(entry >> 32), count = static_cast<int32_t>(entry);
                    if (number == last) {
                        out_counts[at] += count;
                    } else {
                        out_ids[++at] = last = number;
                        out_counts[at] = count;
                    }
                }
                begin[r + 1] = at + 1 - indptr.data()[r];
            }
        });
        begin[0] = 0;
        std::partial_sum(&begin[0], &begin[0] + rows + 1, &begin[0]);
        if (begin[rows] < entries) {  // close the gaps
            Column<int32_t> less_ids(begin[rows]), less_counts(begin[rows]);
            parallel(ceil_div(rows, kRows), threads, entries, [&](int64_t task) {
                for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r) {
                    const int64_t from = indptr.data()[r], size = begin[r + 1] - begin[r];
                    std::copy_n(&out_ids[from], size, &less_ids[begin[r]]);
                    std::copy_n(&out_counts[from], size, &less_counts[begin[r]]);
                }
            });
            out_ids = std::move(less_ids);
            out_counts = std::move(less_counts);
        }
    }
    return nb::make_tuple(begin.numpy(), out_ids.numpy(), out_counts.numpy());
}

}  // namespace suffice
