// Bags of what the tokens consist of: the product of a documents × tokens and a tokens × parts matrix, both in sparse rows.
#include "bags.hpp"
#include "kernels.hpp"
#include "row_order.hpp"

namespace suffice {

nb::tuple expand(Integers indptr, Codes ids, Codes counts, Integers part_indptr, Codes part_ids, Codes part_counts,
                 int64_t size, int threads) {
    const int64_t rows = static_cast<int64_t>(indptr.shape(0)) - 1, tokens = static_cast<int64_t>(part_indptr.shape(0)) - 1;
    check_rows(indptr, ids.shape(0));
    check_rows(part_indptr, part_ids.shape(0));
    if (counts.shape(0) != ids.shape(0) || part_counts.shape(0) != part_ids.shape(0))
        throw std::invalid_argument("every token of a row needs a count");
    Column<int64_t> begin(rows + 1);
    Column<int32_t> out_ids, out_counts;
    {
        nb::gil_scoped_release nogil;
        for (size_t k = 0; k < part_ids.shape(0); ++k)
            if (part_ids.data()[k] < 0 || part_ids.data()[k] >= size) throw std::invalid_argument("a part has no place");
        constexpr int64_t kRows = 64;
        const int64_t tasks = ceil_div(rows, kRows), work = static_cast<int64_t>(ids.shape(0)) * 32;
        struct Rows { std::vector<int32_t> ids, counts; };
        std::vector<Rows> done(tasks);
        struct Scratch { std::vector<int32_t> sums; std::vector<uint32_t> met, other; };
        std::vector<Scratch> scratch(threads);
        const int bits = bits_of(size);
        parallel(tasks, threads, work, [&](int64_t task, int worker) {
            auto& [sums, met, other] = scratch[worker];
            sums.resize(size);
            for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r) {
                met.clear();
                for (int64_t k = indptr.data()[r]; k < indptr.data()[r + 1]; ++k) {
                    const int64_t id = ids.data()[k];
                    if (id < 0 || id >= tokens) throw std::invalid_argument("a token has no parts");
                    for (int64_t p = part_indptr.data()[id]; p < part_indptr.data()[id + 1]; ++p) {
                        int32_t& sum = sums[part_ids.data()[p]];
                        if (sum == 0) met.push_back(part_ids.data()[p]);
                        sum += counts.data()[k] * part_counts.data()[p];
                    }
                }
                sort_row(met, other, bits);
                for (uint32_t part : met) {
                    done[task].ids.push_back(static_cast<int32_t>(part));
                    done[task].counts.push_back(sums[part]);
                    sums[part] = 0;
                }
                begin[r + 1] = static_cast<int64_t>(met.size());
            }
        });
        begin[0] = 0;
        std::partial_sum(&begin[0], &begin[0] + rows + 1, &begin[0]);
        out_ids = Column<int32_t>(begin[rows]);
        out_counts = Column<int32_t>(begin[rows]);
        parallel(tasks, threads, begin[rows], [&](int64_t task) {
            std::copy(done[task].ids.begin(), done[task].ids.end(), &out_ids[begin[task * kRows]]);
            std::copy(done[task].counts.begin(), done[task].counts.end(), &out_counts[begin[task * kRows]]);
            done[task] = {};
        });
    }
    return nb::make_tuple(begin.numpy(), out_ids.numpy(), out_counts.numpy());
}

}  // namespace suffice
