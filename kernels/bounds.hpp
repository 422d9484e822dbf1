// Indices passed to a kernel are checked first, in one pass at the speed of memory: out of range, they would read or write
// outside a table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels.hpp"

namespace suffice {

[[noreturn]] inline void out_of_range(const std::string& what, int64_t found, int64_t lowest, int64_t size) {
    throw std::invalid_argument(what + " must lie in " + std::to_string(lowest) + " … " + std::to_string(size - 1) +
                                ", not be " + std::to_string(found));
}

// The largest code, relative to the lowest allowed one: as an unsigned number, a code below that exceeds all others.
template <class I>
void check_highest(const std::string& what, std::make_unsigned_t<I> highest, int64_t lowest, int64_t size) {
    using U = std::make_unsigned_t<I>;
    if (size > lowest && highest < static_cast<uint64_t>(size - lowest)) return;
    out_of_range(what, static_cast<I>(highest + static_cast<U>(lowest)), lowest, size);
}

// Codes from lowest to size − 1.
template <class I>
void check_codes(const std::string& what, const I* codes, int64_t count, int64_t lowest, int64_t size) {
    using U = std::make_unsigned_t<I>;
    U highest = 0;
    for (int64_t i = 0; i < count; ++i) highest = std::max<U>(highest, static_cast<U>(codes[i]) - static_cast<U>(lowest));
    if (count > 0) check_highest<I>(what, highest, lowest, size);
}

// Codes (rows, columns) from lowest to the size of their column − 1.
inline void check_codes_by_column(const std::string& what, const int32_t* codes, int64_t rows, int64_t cols, int64_t lowest,
                                  const int64_t* sizes) {
    std::vector<uint32_t> highest(cols, 0);
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t j = 0; j < cols; ++j)
            highest[j] = std::max(highest[j], static_cast<uint32_t>(codes[r * cols + j]) - static_cast<uint32_t>(lowest));
    for (int64_t j = 0; rows > 0 && j < cols; ++j)
        check_highest<int32_t>(what + " " + std::to_string(j), highest[j], lowest, sizes[j]);
}

// Cells (rows, tables), −1 for none, of tables that lie end to end.
inline void check_cells(const CodeRows& cells, const Integers& start, int64_t total) {
    check_rows(start, total);
    const int64_t tables = cells.shape(1);
    std::vector<int64_t> sizes(tables);
    for (int64_t k = 0; k < tables; ++k) sizes[k] = start.data()[k + 1] - start.data()[k];
    check_codes_by_column("cells of table", cells.data(), cells.shape(0), tables, -1, sizes.data());
}

inline void check_labels(const int32_t* y, int64_t rows, int64_t classes) { check_codes("class codes", y, rows, 0, classes); }

}  // namespace suffice
