// The classes of a table, cut into lanes of four that a loop keeps in registers; their number is a compile-time constant.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "simd.hpp"

namespace suffice {

// f(column, number of lanes) for the table's columns, up to eight lanes of four at a time
template <class F>
SUFFICE_INLINE void in_lanes(int64_t stride, F f) {
    for (int64_t c = 0; c < stride; c += 32) {
        switch (std::min<int64_t>(8, (stride - c) / 4)) {
            case 1: f(c, std::integral_constant<int, 1>{}); break;
            case 2: f(c, std::integral_constant<int, 2>{}); break;
            case 3: f(c, std::integral_constant<int, 3>{}); break;
            case 4: f(c, std::integral_constant<int, 4>{}); break;
            case 5: f(c, std::integral_constant<int, 5>{}); break;
            case 6: f(c, std::integral_constant<int, 6>{}); break;
            case 7: f(c, std::integral_constant<int, 7>{}); break;
            default: f(c, std::integral_constant<int, 8>{});
        }
    }
}

}  // namespace suffice
