// x log x of whole numbers, the terms of entropies.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace suffice {

// Σ over classes less that of the total is the negative log-loss of the class shares. Tabulated for the usual node sizes,
// and interpolated beyond, between a thousand points an octave, the precision to which scores are compared.
class Surprise {
  public:
    explicit Surprise(int64_t most) : table_(std::min(most + 1, kTabled)), step_(table_.size()) {
        for (size_t x = 0; x < table_.size(); ++x) table_[x] = exact(static_cast<double>(x));
        for (size_t x = 0; x + 1 < table_.size(); ++x) step_[x] = table_[x + 1] - table_[x];
        for (int64_t x = kTabled, apart = kTabled / kPoints; x <= most; x += apart) {
            apart = x & (x - 1) ? apart : x / kPoints;
            const double here = exact(static_cast<double>(x));
            points_.push_back({here, (exact(static_cast<double>(x + apart)) - here) / static_cast<double>(apart)});
        }
    }
    double operator()(int64_t x) const { return x < tabled() ? table_[x] : between(x); }
    // Numbers below this are tabulated.
    int64_t tabled() const { return static_cast<int64_t>(table_.size()); }
    double looked_up(int64_t x) const { return table_[x]; }
    // f(x + w) − f(x)
    double step(int64_t x, int64_t w) const {
        return w == 1 && x + 1 < static_cast<int64_t>(step_.size()) ? step_[x] : (*this)(x + w) - (*this)(x);
    }

  private:
    static double exact(double x) { return x > 0 ? x * std::log(x) : 0.0; }
    double between(int64_t x) const {
        const int shift = 53 - std::countl_zero(static_cast<uint64_t>(x));  // eleven leading bits: an octave has 2^10 points
        const Point& point = points_[(shift - kShift) * kPoints + (x >> shift) - kPoints];
        return point.value + static_cast<double>(x & ((int64_t(1) << shift) - 1)) * point.slope;
    }

    struct Point {
        double value, slope;
    };
    static constexpr int64_t kTabled = 1 << 14, kPoints = 1 << 10, kShift = 4;
    std::vector<double> table_, step_;
    std::vector<Point> points_;
};

}  // namespace suffice
