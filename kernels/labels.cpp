// Integers to codes: the smallest and largest value of each column, codes within a range, and the weight of each code.
#include "kernels.hpp"

#include <limits>
#include <mutex>

#include "labels.hpp"
#include "parallel.hpp"

namespace suffice {

void int_range(AnyMatrix array, OutIntegers low, OutIntegers high, int threads) {
    const Matrix x(array);
    nb::gil_scoped_release nogil;
    std::fill_n(low.data(), x.cols, std::numeric_limits<int64_t>::max());
    std::fill_n(high.data(), x.cols, std::numeric_limits<int64_t>::min());
    std::mutex guard;
    constexpr int64_t kRows = 16384;
    parallel(ceil_div(x.rows, kRows), threads, x.rows * x.cols, [&](int64_t task) {
        std::vector<int64_t> lo(low.data(), low.data() + x.cols), hi(high.data(), high.data() + x.cols);
        std::fill(lo.begin(), lo.end(), std::numeric_limits<int64_t>::max());
        std::fill(hi.begin(), hi.end(), std::numeric_limits<int64_t>::min());
        with_type(x.type, [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            for (int64_t r = task * kRows; r < std::min(x.rows, (task + 1) * kRows); ++r) {
                const T* v = static_cast<const T*>(x.data) + r * x.row_stride;
                for (int64_t j = 0; j < x.cols; ++j) {
                    const int64_t value = static_cast<int64_t>(v[j * x.col_stride]);
                    lo[j] = value < lo[j] ? value : lo[j];
                    hi[j] = value > hi[j] ? value : hi[j];
                }
            }
        });
        std::lock_guard<std::mutex> lock(guard);  // min and max do not mind the order
        for (int64_t j = 0; j < x.cols; ++j) {
            low.data()[j] = std::min(low.data()[j], lo[j]);
            high.data()[j] = std::max(high.data()[j], hi[j]);
        }
    });
}

void lookup(AnyVector values, int64_t low, OutCodes out, OutIntegers seen, int threads) {
    const int64_t rows = values.shape(0), stride = values.stride(0);
    const uint64_t size = seen.shape(0) - 1;
    const auto type = values.dtype();
    nb::gil_scoped_release nogil;
    constexpr int64_t kRows = 65536;
    std::mutex guard;
    parallel(ceil_div(rows, kRows), threads, rows, [&](int64_t task) {
        std::vector<uint8_t> met(size + 1, 0);
        with_type(type, [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            const T* v = static_cast<const T*>(values.data());
            for (int64_t r = task * kRows; r < std::min(rows, (task + 1) * kRows); ++r) {
                const uint64_t at = static_cast<uint64_t>(static_cast<int64_t>(v[r * stride]) - low);
                const uint64_t code = at < size ? at : size;  // the last place is for what lies outside
                out.data()[r] = static_cast<int32_t>(code);
                met[code] = 1;
            }
        });
        std::lock_guard<std::mutex> lock(guard);
        for (uint64_t i = 0; i <= size; ++i) seen.data()[i] |= met[i];
    });
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
        } else {  // four tables, so that rows of one class in a row need not wait for one another
            std::vector<int64_t> count(4 * classes, 0);
            for (int64_t r = begin; r < end; ++r) ++count[(r % 4) * classes + y.data()[r]];
            for (int64_t i = 0; i < 4 * classes; ++i) into[i % classes] += static_cast<double>(count[i]);
        }
    });
    for (int64_t chunk = 0; chunk < plan.chunks; ++chunk)
        for (int64_t c = 0; c < classes; ++c) out.data()[c] += partial[chunk * classes + c];
}

}  // namespace suffice
