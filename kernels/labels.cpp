// Integers to codes: the smallest and largest value of each column, codes within a range, and the weight of each code.
#include "kernels.hpp"

#include <limits>
#include <mutex>

#include "bounds.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

// Four tables, so that consecutive rows of one class do not wait for each other's additions.
std::vector<int64_t> count_codes(const int32_t* codes, int64_t begin, int64_t end, int64_t size) {
    std::vector<int64_t> count(4 * size, 0);
    int64_t r = begin;
    for (; r + 4 <= end; r += 4)
        for (int64_t k = 0; k < 4; ++k) ++count[k * size + codes[r + k]];
    for (; r < end; ++r) ++count[codes[r]];
    for (int64_t c = size; c < 4 * size; ++c) count[c % size] += count[c];
    count.resize(size);
    return count;
}

}  // namespace

void int_range(AnyMatrix array, OutIntegers low, OutIntegers high, int threads) {
    const Matrix x(array);
    nb::gil_scoped_release nogil;
    constexpr int64_t kLargest = std::numeric_limits<int64_t>::max(), kSmallest = std::numeric_limits<int64_t>::min();
    std::fill_n(low.data(), x.cols, kLargest);
    std::fill_n(high.data(), x.cols, kSmallest);
    std::mutex guard;
    constexpr int64_t kRows = 16384;
    parallel(ceil_div(x.rows, kRows), threads, x.rows * x.cols, [&](int64_t task) {
        std::vector<int64_t> lo(x.cols, kLargest), hi(x.cols, kSmallest);
        with_type(x.type, [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            const int64_t begin = task * kRows, end = std::min(x.rows, begin + kRows);
            if (x.cols == 1) {  // a vector: smallest and largest stay in registers
                int64_t l = kLargest, h = kSmallest;
                for (int64_t r = begin; r < end; ++r) {
                    const int64_t value = static_cast<int64_t>(static_cast<const T*>(x.data)[r * x.row_stride]);
                    l = value < l ? value : l;
                    h = value > h ? value : h;
                }
                lo[0] = l;
                hi[0] = h;
                return;
            }
            for (int64_t r = begin; r < end; ++r) {
                const T* v = static_cast<const T*>(x.data) + r * x.row_stride;
                for (int64_t j = 0; j < x.cols; ++j) {
                    const int64_t value = static_cast<int64_t>(v[j * x.col_stride]);
                    lo[j] = value < lo[j] ? value : lo[j];
                    hi[j] = value > hi[j] ? value : hi[j];
                }
            }
        });
        std::lock_guard<std::mutex> lock(guard);  // min and max do not depend on the order
        for (int64_t j = 0; j < x.cols; ++j) {
            low.data()[j] = std::min(low.data()[j], lo[j]);
            high.data()[j] = std::max(high.data()[j], hi[j]);
        }
    });
}

bool lookup(AnyVector values, int64_t low, OutCodes out, OutIntegers counts, int threads) {
    const int64_t rows = values.shape(0), stride = values.stride(0), size = counts.shape(0);
    const auto type = values.dtype();
    nb::gil_scoped_release nogil;
    constexpr int64_t kRows = 16384;
    std::atomic<bool> inside{true};
    std::mutex guard;
    parallel(ceil_div(rows, kRows), threads, rows, [&](int64_t task) {
        const int64_t begin = task * kRows, end = std::min(rows, begin + kRows);
        uint64_t highest = 0;
        with_type(type, [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            const T* v = static_cast<const T*>(values.data());
            int32_t* codes = out.data();
            for (int64_t r = begin; r < end; ++r) {
                const uint64_t code = static_cast<uint64_t>(static_cast<int64_t>(v[r * stride])) - static_cast<uint64_t>(low);
                highest = code > highest ? code : highest;
                codes[r] = static_cast<int32_t>(code);
            }
        });
        if (highest >= static_cast<uint64_t>(size)) {
            inside = false;
            return;
        }
        const std::vector<int64_t> mine = count_codes(out.data(), begin, end, size);
        std::lock_guard<std::mutex> lock(guard);  // integer sums do not depend on the order
        for (int64_t c = 0; c < size; ++c) counts.data()[c] += mine[c];
    });
    return inside;
}

void class_weights(Codes y, Weights w, OutDoubles out, int threads) {
    const int64_t rows = y.shape(0), classes = out.shape(0);
    const double* weights = weights_of(w);
    nb::gil_scoped_release nogil;
    check_labels(y.data(), rows, classes);
    const Plan plan(rows, 1, classes);
    std::vector<double> partial(classes * plan.chunks, 0.0);
    parallel(plan.chunks, threads, rows, [&](int64_t chunk) {
        double* into = partial.data() + chunk * classes;
        const int64_t begin = chunk * plan.chunk_rows, end = std::min(rows, begin + plan.chunk_rows);
        if (weights) {
            for (int64_t r = begin; r < end; ++r) into[y.data()[r]] += weights[r];
        } else {
            const std::vector<int64_t> mine = count_codes(y.data(), begin, end, classes);
            for (int64_t c = 0; c < classes; ++c) into[c] = static_cast<double>(mine[c]);
        }
    });
    for (int64_t chunk = 0; chunk < plan.chunks; ++chunk)
        for (int64_t c = 0; c < classes; ++c) out.data()[c] += partial[chunk * classes + c];
}

}  // namespace suffice
