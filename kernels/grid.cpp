// Numbers counted on a fine grid: the cells of a column are runs of neighbouring doubles that agree in all but their last bits.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "bounds.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int kMantissa = 52;

// Maps doubles to integers of the same order; neighbours share a cell if they agree in their first bits of mantissa.
inline int64_t cell_of(double value, int bits) {
    int64_t i;
    value += 0.0;  // one zero
    std::memcpy(&i, &value, sizeof i);
    i ^= (i >> 63) & INT64_MAX;
    return i >> (kMantissa - bits);
}

// Counts by cell and class, found by hashing.
class Grid {
  public:
    explicit Grid(int64_t classes) : classes_(classes), slots_(64, -1) {}

    double* at(int64_t key) {
        for (uint64_t slot = hash(key);; ++slot) {
            int32_t& place = slots_[slot & (slots_.size() - 1)];
            if (place >= 0 && keys_[place] == key) return counts_.data() + place * classes_;
            if (place >= 0) continue;
            if (2 * keys_.size() >= slots_.size()) {
                grow();
                return at(key);
            }
            place = static_cast<int32_t>(keys_.size());
            keys_.push_back(key);
            counts_.resize(counts_.size() + classes_, 0.0);
            return counts_.data() + place * classes_;
        }
    }

    // Cells in order, and their counts, class by class.
    void sorted(std::vector<int64_t>& keys, std::vector<double>& table) const {
        std::vector<int32_t> order(keys_.size());
        for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
        std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return keys_[a] < keys_[b]; });
        keys.resize(order.size());
        table.resize(order.size() * classes_);
        for (size_t i = 0; i < order.size(); ++i) {
            keys[i] = keys_[order[i]];
            for (int64_t c = 0; c < classes_; ++c) table[c * order.size() + i] = counts_[order[i] * classes_ + c];
        }
    }

  private:
    static uint64_t hash(int64_t key) {
        uint64_t h = static_cast<uint64_t>(key) * 0x9E3779B97F4A7C15ull;
        return h ^ (h >> 29);
    }
    void grow() {
        slots_.assign(slots_.size() * 2, -1);
        for (size_t i = 0; i < keys_.size(); ++i) {
            uint64_t slot = hash(keys_[i]);
            while (slots_[slot & (slots_.size() - 1)] >= 0) ++slot;
            slots_[slot & (slots_.size() - 1)] = static_cast<int32_t>(i);
        }
    }

    int64_t classes_;
    std::vector<int32_t> slots_;
    std::vector<int64_t> keys_;
    std::vector<double> counts_;
};

template <class T>
nb::object array(std::vector<T>&& values, std::vector<size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner));
}

}  // namespace

// For each column its cells in order and their counts (classes, cells); a missing cell is counted nowhere.
nb::list grid_counts(AnyMatrix values, Integers bits, Codes y, Weights w, int64_t classes, int threads) {
    const Matrix x(values);
    const double* weights = weights_of(w);
    std::vector<std::vector<int64_t>> keys(x.cols);
    std::vector<std::vector<double>> tables(x.cols);
    {
        nb::gil_scoped_release nogil;
        check_labels(y.data(), x.rows, classes);
        parallel(x.cols, threads, x.rows * x.cols * 8, [&](int64_t col) {
            Grid grid(classes);
            const int keep = static_cast<int>(bits.data()[col]);
            with_type(x.type, [&](auto* tag) {
                using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
                const T* from = static_cast<const T*>(x.data) + col * x.col_stride;
                for (int64_t r = 0; r < x.rows; ++r) {
                    const double value = static_cast<double>(from[r * x.row_stride]);
                    const double weight = weights ? weights[r] : 1.0;
                    if (!std::isnan(value) && weight > 0) grid.at(cell_of(value, keep))[y.data()[r]] += weight;
                }
            });
            grid.sorted(keys[col], tables[col]);
        });
    }
    nb::list out;
    for (int64_t col = 0; col < x.cols; ++col) {
        const size_t cells = keys[col].size();
        out.append(nb::make_tuple(array(std::move(keys[col]), {cells}),
                                  array(std::move(tables[col]), {static_cast<size_t>(classes), cells})));
    }
    return out;
}

}  // namespace suffice
