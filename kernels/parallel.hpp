// Run numbered tasks on a few threads. The caller cuts the work into tasks from shapes alone, never from the number of
// threads, and every task has its own output: so results are the same bytes for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

namespace suffice {

// Below this many elementary steps, starting a thread costs more than it saves.
constexpr int64_t kWorthAThread = 1 << 16;

// task(i), or task(i, worker) where a worker (0 … threads − 1) keeps something from one task to its next.
template <class Task>
void parallel(int64_t tasks, int threads, int64_t work, Task&& task) {
    const auto run = [&](int64_t i, int worker) {
        if constexpr (std::is_invocable_v<Task, int64_t, int>) task(i, worker);
        else task(i);
    };
    int64_t workers = std::min<int64_t>({tasks, threads, work / kWorthAThread + 1});
    if (workers <= 1) {
        for (int64_t i = 0; i < tasks; ++i) run(i, 0);
        return;
    }
    std::atomic<int64_t> next{0};
    std::exception_ptr failure;
    std::once_flag first;
    auto loop = [&](int worker) {
        try {
            for (int64_t i; (i = next.fetch_add(1)) < tasks;) run(i, worker);
        } catch (...) {  // uncaught in a thread, it would end the process
            std::call_once(first, [&] { failure = std::current_exception(); });
            next = tasks;
        }
    };
    std::vector<std::thread> pool;
    pool.reserve(workers - 1);
    try {
        for (int64_t i = 1; i < workers; ++i) pool.emplace_back(loop, static_cast<int>(i));
    } catch (const std::system_error&) {  // no more threads available: continue with those started
    }
    loop(0);
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How a rows × cols matrix is cut: chunks of rows (each with its own accumulators, merged in order) by tiles of columns
// (independent). A function of the shape and of the number of accumulators only; chunks never take more than 32 MiB.
struct Plan {
    int64_t chunk_rows, chunks, tile, tiles;

    Plan(int64_t rows, int64_t cols, int64_t accumulators) {
        tile = std::clamp<int64_t>(cols, 1, 512);
        tiles = std::max<int64_t>(1, ceil_div(cols, tile));
        const int64_t most = std::clamp<int64_t>((int64_t(32) << 20) / std::max<int64_t>(1, accumulators * 8), 1, 64);
        chunk_rows = std::max<int64_t>(16384, ceil_div(rows, most));
        chunks = std::max<int64_t>(1, ceil_div(rows, chunk_rows));
    }
    int64_t tasks() const { return chunks * tiles; }
};

}  // namespace suffice
