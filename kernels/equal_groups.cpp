// Cutting ordered cells into groups of about equal mass.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace suffice {

void equal_groups(Doubles mass, int64_t most, OutIntegers out) {
    const int64_t cells = mass.shape(0);
    const double* m = mass.data();
    std::vector<bool> spike(cells, false);
    double share = 0;
    for (int64_t spikes = 0;;) {  // a cell heavier than a share is its own group; the others share the remainder
        const int64_t groups = std::max<int64_t>(most - spikes, 1);
        double light = 0;
        for (int64_t i = 0; i < cells; ++i) light += spike[i] ? 0.0 : m[i];
        share = light / static_cast<double>(groups);
        const int64_t before = spikes;
        for (int64_t i = 0; groups > 1 && i < cells; ++i)
            if (!spike[i] && m[i] > share) spike[i] = true, ++spikes;
        if (spikes == before) break;
    }
    // between two spikes: one group per share; a cell belongs to the share that contains its midpoint
    int64_t group = -1;
    double below = 0, last = -1;
    for (int64_t i = 0; i < cells; ++i) {
        const bool begins = i == 0 || spike[i] || spike[i - 1];
        if (begins) below = 0;
        const double part = !spike[i] && share > 0 ? std::floor((below + m[i] / 2) / share) : 0.0;
        if (begins || part != last) ++group;
        last = part;
        below += m[i];
        out.data()[i] = group;
    }
}

}  // namespace suffice
