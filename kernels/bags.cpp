// Merges the numberings of several workers.
#include "bags.hpp"

namespace suffice {

std::vector<Chunk> cut(const int64_t* sizes, int64_t documents) {
    constexpr int64_t kSize = 1 << 18, kDocuments = 1 << 14;
    std::vector<Chunk> chunks;
    int64_t begin = 0, size = 0;
    for (int64_t document = 0; document < documents; ++document) {
        size += sizes[document];
        if (size >= kSize || document - begin >= kDocuments || document + 1 == documents) {
            chunks.push_back({begin, document + 1});
            begin = document + 1;
            size = 0;
        }
    }
    return chunks;
}

namespace {

using Workers = std::vector<std::unique_ptr<Bag>>;

// Number `id` of a worker in one word.
constexpr uint64_t named(int worker, uint32_t id) { return static_cast<uint64_t>(worker) << 32 | id; }

// Calls f(id) for each numbered string in `part` of `parts` (a power of two), in the order of the chunks.
template <class F>
void walk(const std::vector<Chunk>& chunks, const Workers& workers, uint64_t part, uint64_t parts, F&& f) {
    for (const Chunk& chunk : chunks) {
        const Interner& mine = workers[chunk.worker]->interner;
        for (uint32_t id = chunk.first; id < chunk.last; ++id)
            if ((mine.hash(id) & (parts - 1)) == part) f(chunk.worker, mine, id);
    }
}

// For every number of every worker, the first number of the same string in the order of the chunks. Strings are partitioned
// among the threads by the last bits of their hashes; the first bits give the slot in a table.
std::vector<std::vector<uint64_t>> find_leaders(const std::vector<Chunk>& chunks, const Workers& workers, int threads) {
    std::vector<std::vector<uint64_t>> leaders(workers.size());
    int64_t total = 0;
    int busy = 0;
    for (size_t w = 0; w < workers.size(); ++w)
        if (workers[w]) {
            leaders[w].resize(workers[w]->interner.size());
            std::iota(leaders[w].begin(), leaders[w].end(), named(static_cast<int>(w), 0));
            total += workers[w]->interner.size();
            ++busy;
        }
    if (busy < 2) return leaders;
    uint64_t parts = 1;
    while (static_cast<int>(parts) < threads && parts < 64) parts *= 2;
    parallel(parts, threads, total * 16, [&](int64_t part) {
        uint64_t mine_count = 0;
        walk(chunks, workers, part, parts, [&](int, const Interner&, uint32_t) { ++mine_count; });
        int bits = 1;
        while ((uint64_t(1) << bits) < 2 * mine_count) ++bits;
        constexpr uint64_t kNone = ~uint64_t(0);
        std::vector<uint64_t> table(size_t(1) << bits, kNone);
        walk(chunks, workers, part, parts, [&](int worker, const Interner& mine, uint32_t id) {
            uint64_t i = mine.hash(id) >> (64 - bits);
            for (; table[i] != kNone; i = (i + 1) & (table.size() - 1)) {
                const Interner& other = workers[table[i] >> 32]->interner;
                const uint32_t theirs = static_cast<uint32_t>(table[i]);
                if (other.hash(theirs) == mine.hash(id) && other.length(theirs) == mine.length(id) &&
                    !std::memcmp(other.bytes(theirs), mine.bytes(id), mine.length(id)))
                    break;
            }
            if (table[i] == kNone) table[i] = named(worker, id);
            leaders[worker][id] = table[i];
        });
    });
    return leaders;
}

}  // namespace

Bags merge(std::vector<Chunk>& chunks, Workers& workers, Bags bags, bool counting, int threads) {
    const int64_t documents = bags.lengths.size, many = static_cast<int64_t>(chunks.size());
    bags.indptr[0] = 0;
    std::partial_sum(&bags.indptr[0], &bags.indptr[0] + documents + 1, &bags.indptr[0]);
    const int64_t entries = bags.indptr[documents];
    auto leaders = find_leaders(chunks, workers, threads);
    const auto leads = [&](int worker, uint32_t id) { return leaders[worker][id] == named(worker, id); };

    // a chunk's new strings get a run of numbers and a run of bytes
    std::vector<int64_t> number(many + 1, 0), place(many + 1, 0);
    parallel(many, threads, entries, [&](int64_t c) {
        const Chunk& chunk = chunks[c];
        for (uint32_t id = chunk.first; id < chunk.last; ++id)
            if (leads(chunk.worker, id)) ++number[c + 1], place[c + 1] += workers[chunk.worker]->interner.length(id);
    });
    std::partial_sum(number.begin(), number.end(), number.begin());
    std::partial_sum(place.begin(), place.end(), place.begin());
    if (number[many] > 0x7fffffff) throw std::length_error("there are more than 2,147,483,647 different tokens");
    bags.bytes = Column<uint8_t>(place[many]);
    bags.offsets = Column<int64_t>(number[many] + 1);
    bags.offsets[number[many]] = place[many];
    std::vector<std::vector<int32_t>> numbers(workers.size());
    for (size_t w = 0; w < workers.size(); ++w) numbers[w].resize(leaders[w].size());
    parallel(many, threads, entries, [&](int64_t c) {
        const Chunk& chunk = chunks[c];
        int64_t next = number[c], at = place[c];
        for (uint32_t id = chunk.first; id < chunk.last; ++id)
            if (leads(chunk.worker, id)) {
                const Interner& mine = workers[chunk.worker]->interner;
                std::copy_n(mine.bytes(id), mine.length(id), &bags.bytes[at]);
                bags.offsets[next] = at;
                at += mine.length(id);
                numbers[chunk.worker][id] = static_cast<int32_t>(next++);
            }
    });
    parallel(many, threads, entries, [&](int64_t c) {
        const Chunk& chunk = chunks[c];
        for (uint32_t id = chunk.first; id < chunk.last; ++id)
            if (!leads(chunk.worker, id)) {
                const uint64_t leader = leaders[chunk.worker][id];
                numbers[chunk.worker][id] = numbers[leader >> 32][static_cast<uint32_t>(leader)];
            }
    });

    bags.ids = Column<int32_t>(entries);
    bags.counts = Column<int32_t>(counting ? entries : 0);
    parallel(many, threads, entries, [&](int64_t c) {
        Chunk& chunk = chunks[c];
        int64_t at = bags.indptr[chunk.begin];
        for (uint64_t entry : chunk.entries) {
            bags.ids[at] = numbers[chunk.worker][static_cast<uint32_t>(entry)];
            if (counting) bags.counts[at] = static_cast<int32_t>(entry >> 32);
            ++at;
        }
        chunk = {};
    });
    return bags;
}

}  // namespace suffice
