// Runs of neighbouring tokens. A run is interned as the bytes of its tokens' numbers, most significant first, so that byte
// order of runs is the order of their token numbers. Each run is spelled once.
#include "bags.hpp"
#include "kernels.hpp"

namespace suffice {
namespace {

uint32_t highest_byte_first(uint32_t x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }

}  // namespace

nb::tuple ngrams(Integers indptr, Codes ids, Codes numbers, int64_t low, int64_t high, int threads) {
    const int64_t documents = static_cast<int64_t>(indptr.shape(0)) - 1, known = numbers.shape(0);
    check_rows(indptr, ids.shape(0));
    Bags bags;
    {
        nb::gil_scoped_release nogil;
        std::vector<int64_t> sizes(documents);
        for (int64_t d = 0; d < documents; ++d) sizes[d] = 8 * (indptr.data()[d + 1] - indptr.data()[d]);
        std::vector<std::vector<uint32_t>> scratch(threads);
        const int64_t work = static_cast<int64_t>(ids.shape(0)) * 8 * (high - low + 1);
        bags = fill_bags(sizes.data(), documents, work, true, threads, [&](int64_t d, int worker, Bag& bag) {
            std::vector<uint32_t>& kept = scratch[worker];
            kept.clear();
            for (int64_t k = indptr.data()[d]; k < indptr.data()[d + 1]; ++k) {
                const int64_t id = ids.data()[k];
                if (id < 0 || id >= known) throw std::invalid_argument("a token has no number");
                if (numbers.data()[id] >= 0) kept.push_back(highest_byte_first(numbers.data()[id]));
            }
            const int64_t size = static_cast<int64_t>(kept.size());
            kept.resize(size + 4);  // a key reads sixteen bytes
            Put put(bag);
            for (int64_t i = 0; i < size; ++i)
                for (int64_t n = low; n <= std::min(high, size - i); ++n)
                    put(reinterpret_cast<const uint8_t*>(kept.data() + i), 4 * n);
        });
    }
    return bags.numpy();
}

nb::tuple join_tokens(Codes runs, Integers run_offsets, Codes order, Bytes bytes, Integers offsets, int threads) {
    const int64_t count = order.shape(0), all = static_cast<int64_t>(run_offsets.shape(0)) - 1, known = static_cast<int64_t>(offsets.shape(0)) - 1;
    check_rows(run_offsets, runs.shape(0));
    check_rows(offsets, bytes.shape(0));
    Column<int64_t> joined_offsets(count + 1);
    Column<uint8_t> joined;
    {
        nb::gil_scoped_release nogil;
        constexpr int64_t kRuns = 4096;
        const int64_t *begin = run_offsets.data(), *start = offsets.data();
        std::atomic<bool> sound{true};
        for (int64_t i = 0; i < count; ++i)
            if (order.data()[i] < 0 || order.data()[i] >= all) throw std::invalid_argument("a run is not there");
        const auto run_at = [&](int64_t i) {  // random access, so prefetched
            SUFFICE_PREFETCH(begin + order.data()[std::min(i + 24, count - 1)]);
            SUFFICE_PREFETCH(runs.data() + begin[order.data()[std::min(i + 12, count - 1)]]);
            return static_cast<int64_t>(order.data()[i]);
        };
        parallel(ceil_div(count, kRuns), threads, count * 16, [&](int64_t task) {
            for (int64_t i = task * kRuns; i < std::min(count, (task + 1) * kRuns); ++i) {
                const int64_t r = run_at(i);
                int64_t size = std::max<int64_t>(0, begin[r + 1] - begin[r] - 1);
                for (int64_t k = begin[r]; k < begin[r + 1]; ++k) {
                    const int64_t id = runs.data()[k];
                    if (id < 0 || id >= known) sound = false;
                    else size += start[id + 1] - start[id];
                }
                joined_offsets[i + 1] = size;
            }
        });
        if (!sound) throw std::invalid_argument("a token is not there");
        joined_offsets[0] = 0;
        std::partial_sum(&joined_offsets[0], &joined_offsets[0] + count + 1, &joined_offsets[0]);
        joined = Column<uint8_t>(joined_offsets[count]);
        parallel(ceil_div(count, kRuns), threads, joined.size, [&](int64_t task) {
            for (int64_t i = task * kRuns; i < std::min(count, (task + 1) * kRuns); ++i) {
                const int64_t r = run_at(i);
                uint8_t* to = &joined[joined_offsets[i]];
                for (int64_t k = begin[r]; k < begin[r + 1]; ++k) {
                    if (k > begin[r]) *to++ = ' ';
                    const int64_t id = runs.data()[k];
                    to = std::copy(bytes.data() + start[id], bytes.data() + start[id + 1], to);
                }
            }
        });
    }
    return nb::make_tuple(joined.numpy(), joined_offsets.numpy());
}

}  // namespace suffice
