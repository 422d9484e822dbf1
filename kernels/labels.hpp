#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace suffice {

// A label outside 0 … classes−1 would write outside the accumulators, so every kernel that counts by class looks first.
inline void check_labels(const int32_t* y, int64_t rows, int64_t classes) {
    uint32_t highest = 0;
    for (int64_t r = 0; r < rows; ++r) {
        uint32_t label = static_cast<uint32_t>(y[r]);
        highest = label > highest ? label : highest;
    }
    if (rows > 0 && static_cast<int64_t>(highest) >= classes)
        throw std::invalid_argument("class codes must lie in 0 … " + std::to_string(classes - 1));
}

}  // namespace suffice
