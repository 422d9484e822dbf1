// Bags of the parts of tokens: the product of a documents × tokens and a tokens × parts matrix, both in sparse rows. Sums
// are indexed by the parts' own numbers, in which frequent parts come early and so share cache lines; output rows use the
// requested numbers, in order.
#include "bags.hpp"
#include "kernels.hpp"
#include "row_order.hpp"

namespace suffice {

nb::tuple expand(Integers indptr, Codes ids, Codes counts, Integers part_indptr, Codes part_ids, Codes part_counts,
                 Codes numbers, int threads) {
    const int64_t size = numbers.shape(0), rows = static_cast<int64_t>(indptr.shape(0)) - 1, tokens = static_cast<int64_t>(part_indptr.shape(0)) - 1;
    check_rows(indptr, ids.shape(0));
    check_rows(part_indptr, part_ids.shape(0));
    if (counts.shape(0) != ids.shape(0) || part_counts.shape(0) != part_ids.shape(0))
        throw std::invalid_argument("every token of a row needs a count");
    Column<int64_t> begin(rows + 1);
    Column<int32_t> out_ids, out_counts;
    {
        nb::gil_scoped_release nogil;
        for (size_t k = 0; k < part_ids.shape(0); ++k)
            if (part_ids.data()[k] < 0 || part_ids.data()[k] >= size) throw std::invalid_argument("a part has no number");
        int32_t highest = 0;
        for (int64_t i = 0; i < size; ++i) highest = std::max(highest, numbers.data()[i]);
        const int bits = 32 + bits_of(highest);
        int64_t most = 0;
        for (size_t k = 0; k < ids.shape(0); ++k) {
            const int64_t id = ids.data()[k];
            if (id < 0 || id >= tokens) throw std::invalid_argument("a token has no parts");
            most += part_indptr.data()[id + 1] - part_indptr.data()[id];
        }
        out_ids = Column<int32_t>(most);  // memory that is never touched costs nothing
        out_counts = Column<int32_t>(most);
        begin[0] = 0;

        struct Scratch { std::vector<int32_t> sums; std::vector<uint32_t> met; std::vector<uint64_t> row, other; };
        std::vector<Scratch> scratch(threads);
        constexpr int64_t kRows = 32, kTasks = 64;  // rows of a task, and tasks whose output is placed together
        std::vector<std::vector<uint64_t>> done(kTasks);
        for (int64_t wave = 0; wave < rows; wave += kTasks * kRows) {
            const int64_t tasks = std::min(kTasks, ceil_div(rows - wave, kRows));
            const int64_t last = std::min(rows, wave + kTasks * kRows);
            const int64_t work = (indptr.data()[last] - indptr.data()[wave]) * 32;
            parallel(tasks, threads, work, [&](int64_t task, int worker) {
                auto& [sums, met, row, other] = scratch[worker];
                sums.resize(size);
                done[task].clear();
                for (int64_t r = wave + task * kRows; r < std::min(rows, wave + (task + 1) * kRows); ++r) {
                    size_t count = 0;
                    for (int64_t k = indptr.data()[r]; k < indptr.data()[r + 1]; ++k) {
                        const int64_t id = ids.data()[k], times = counts.data()[k];
                        const int64_t first = part_indptr.data()[id], end = part_indptr.data()[id + 1];
                        if (met.size() < count + (end - first)) met.resize(2 * (count + (end - first)));
                        for (int64_t p = first; p < end; ++p) {
                            int32_t& sum = sums[part_ids.data()[p]];
                            met[count] = part_ids.data()[p];
                            count += sum == 0;  // new or not is hard to predict, so no branch
                            sum += static_cast<int32_t>(times * part_counts.data()[p]);
                        }
                    }
                    row.resize(count);
                    for (size_t k = 0; k < count; ++k) {
                        int32_t& sum = sums[met[k]];
                        row[k] = static_cast<uint64_t>(numbers.data()[met[k]]) << 32 | static_cast<uint32_t>(sum);
                        sum = 0;
                    }
                    sort_row(row, other, bits);
                    done[task].insert(done[task].end(), row.begin(), row.end());
                    begin[r + 1] = count;
                }
            });
            for (int64_t r = wave; r < last; ++r) begin[r + 1] += begin[r];
            parallel(tasks, threads, begin[last] - begin[wave], [&](int64_t task) {
                int64_t at = begin[wave + task * kRows];
                for (uint64_t entry : done[task]) {
                    out_ids[at] = static_cast<int32_t>(entry >> 32);
                    out_counts[at++] = static_cast<int32_t>(entry);
                }
            });
        }
        out_ids.shrink(begin[rows]);
        out_counts.shrink(begin[rows]);
    }
    return nb::make_tuple(begin.numpy(), out_ids.numpy(), out_counts.numpy());
}

}  // namespace suffice
