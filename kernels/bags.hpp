// From documents to bags: every document emits byte strings, which are numbered by first occurrence in the order of the
// documents, and counted within each document or kept in their order.
//
// Every worker numbers its strings independently. Chunks of documents are taken in order, so the numbers of a worker are in
// the order of the documents too, and a walk over the chunks in order gives the numbers of a single worker.
#pragma once

#include <memory>
#include <numeric>
#include <random>
#include <tuple>

#include "interner.hpp"
#include "matrix.hpp"
#include "parallel.hpp"

namespace suffice {

// Memory that Python will own; not set to zero.
template <class T>
struct Column {
    struct Free { void operator()(T* memory) const { std::free(memory); } };
    std::unique_ptr<T[], Free> data;
    int64_t size = 0;

    Column() = default;
    explicit Column(int64_t n) : data(static_cast<T*>(allocate_large(n * sizeof(T)))), size(n) {}
    T& operator[](int64_t i) { return data[i]; }
    // Frees the elements beyond the first n.
    void shrink(int64_t n) {
        void* less = std::realloc(data.get(), n > 0 ? n * sizeof(T) : 1);
        if (less) data.release(), data.reset(static_cast<T*>(less));
        size = n;
    }
    auto numpy() {
        T* memory = data.release();
        nb::capsule owner(memory, [](void* p) noexcept { std::free(p); });
        return nb::ndarray<nb::numpy, T, nb::ndim<1>>(memory, {static_cast<size_t>(size)}, owner);
    }
};

struct Bags {
    Column<int64_t> indptr;  // where the entries of each document begin
    Column<int32_t> ids, counts;  // no counts where order is kept
    Column<int64_t> lengths;  // the number of tokens of each document
    Column<uint8_t> bytes;  // the strings, in the order of their numbers
    Column<int64_t> offsets;

    nb::tuple numpy() {
        return nb::make_tuple(indptr.numpy(), ids.numpy(), counts.numpy(), lengths.numpy(), bytes.numpy(), offsets.numpy());
    }
};

// The strings of one worker.
class Bag {
  public:
    Bag(bool counting, uint64_t seed) : interner(seed), counting_(counting) {}

    Interner interner;

    void start(int64_t document) {
        document_ = static_cast<uint32_t>(document + 1);
        before_ = used_;
        length_ = 0;
    }
    // The numbers of entries and of strings of the document.
    std::pair<int64_t, int64_t> finish() const { return {used_ - before_, length_}; }
    // The entries since the last call.
    std::vector<uint64_t> take() {
        std::vector<uint64_t> taken(entries_.begin(), entries_.begin() + used_);
        used_ = 0;
        return taken;
    }

  private:
    friend class Put;
    static constexpr int64_t kWaiting = 32;
    bool counting_;
    uint32_t document_ = 0;
    int64_t before_ = 0, length_ = 0, used_ = 0;
    Key waiting_[kWaiting];
    std::vector<uint64_t> entries_;  // number, and its count in the high bits

    void take_waiting(int64_t count) {
        interner.make_room(count);
        if (used_ + kWaiting > static_cast<int64_t>(entries_.size())) entries_.resize(2 * entries_.size() + kWaiting);
        uint64_t* entries = entries_.data();
        uint64_t used = used_;
        const uint32_t document = document_;
        for (int64_t k = 0; k < count; ++k) {
            Slot& slot = interner.slot(waiting_[k]);
            // new in this document or not is hard to predict, so a mask, not a branch
            const uint64_t again = -static_cast<uint64_t>((slot.document == document) & counting_);
            const uint64_t place = used ^ ((used ^ slot.place) & again), fresh = slot.mark - 1;
            entries[place] = (fresh ^ ((fresh ^ entries[place]) & again)) + (uint64_t(1) << 32);
            slot.document = document;
            slot.place = static_cast<uint32_t>(place);
            used += 1 + again;
        }
        used_ = used;
        length_ += count;
    }
};

// Puts strings into a bag. A few are delayed until their slots are in the cache; the bytes must outlive this object.
class Put {
  public:
    SUFFICE_INLINE explicit Put(Bag& bag) : bag_(bag), seed_(bag.interner.seed()) {}
    SUFFICE_INLINE ~Put() noexcept(false) { bag_.take_waiting(count_); }
    // Whether a string is wanted is hard to predict too.
    SUFFICE_INLINE void operator()(const uint8_t* bytes, int64_t size, bool wanted = true) {
        const Key& key = *new (&bag_.waiting_[count_]) Key(bytes, static_cast<uint32_t>(size), seed_);
        bag_.interner.prefetch(key);
        count_ += wanted;
        if (count_ == Bag::kWaiting) {
            bag_.take_waiting(count_);
            count_ = 0;
        }
    }

  private:
    Bag& bag_;
    uint64_t seed_;
    int64_t count_ = 0;
};

// Documents taken together by one worker, and their results.
struct Chunk {
    int64_t begin = 0, end = 0;
    int worker = 0;
    uint32_t first = 0, last = 0;  // numbers that its worker assigned in it
    std::vector<uint64_t> entries{};
};

// Chunks of about 256 KiB of text, or of 16384 documents.
std::vector<Chunk> cut(const int64_t* sizes, int64_t documents);

// Merges the results of the workers.
Bags merge(std::vector<Chunk>& chunks, std::vector<std::unique_ptr<Bag>>& workers, Bags bags, bool counting, int threads);

// fill(document, worker, bag) puts the strings of a document into the bag.
template <class Fill>
Bags fill_bags(const int64_t* sizes, int64_t documents, int64_t work, bool counting, int threads, Fill&& fill) {
    std::vector<Chunk> chunks = cut(sizes, documents);
    std::vector<std::unique_ptr<Bag>> workers(threads);
    static const uint64_t seed = std::random_device{}();  // numbers do not depend on it; prevents prepared collisions
    Bags bags;
    bags.indptr = Column<int64_t>(documents + 1);
    bags.lengths = Column<int64_t>(documents);
    parallel(chunks.size(), threads, work, [&](int64_t task, int worker) {
        if (!workers[worker]) workers[worker] = std::make_unique<Bag>(counting, seed);
        Bag& bag = *workers[worker];
        Chunk& chunk = chunks[task];
        chunk.worker = worker;
        chunk.first = bag.interner.size();
        for (int64_t document = chunk.begin; document < chunk.end; ++document) {
            bag.start(document);
            fill(document, worker, bag);
            std::tie(bags.indptr[document + 1], bags.lengths[document]) = bag.finish();
        }
        chunk.last = bag.interner.size();
        chunk.entries = bag.take();
    });
    return merge(chunks, workers, std::move(bags), counting, threads);
}

}  // namespace suffice
