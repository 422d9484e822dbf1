// A view of a two-dimensional NumPy array of any real dtype and any strides, and the two ways a kernel reads a block of
// it: rows kept as rows, or transposed so that a column of the block is contiguous.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace suffice {

namespace nb = nanobind;

using AnyMatrix = nb::ndarray<nb::ro, nb::device::cpu, nb::ndim<2>>;
using AnyVector = nb::ndarray<nb::ro, nb::device::cpu, nb::ndim<1>>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using DoubleRows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CodeRows = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using IntegerRows = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutDoubles = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OutDoubleRows = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutAnyMatrix = nb::ndarray<nb::device::cpu, nb::ndim<2>, nb::c_contig>;
using OutSingles = nb::ndarray<float, nb::ndim<2>, nb::device::cpu>;
using OutCodeRows = nb::ndarray<int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutCodes = nb::ndarray<int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OutIntegers = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ByteRows = nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutByteRows = nb::ndarray<uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Shorts = nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Unsigneds = nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Singles = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using SingleRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Addresses = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OutAddresses = nb::ndarray<uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = std::optional<Doubles>;

// Calls f with a null pointer of the array's element type.
template <class F>
auto with_type(nb::dlpack::dtype type, F&& f) {
    auto is = [&](nb::dlpack::dtype_code code, int bits) {
        return type.code == static_cast<uint8_t>(code) && type.bits == bits && type.lanes == 1;
    };
    using C = nb::dlpack::dtype_code;
    if (is(C::Float, 64)) return f(static_cast<const double*>(nullptr));
    if (is(C::Float, 32)) return f(static_cast<const float*>(nullptr));
    if (is(C::Int, 64)) return f(static_cast<const int64_t*>(nullptr));
    if (is(C::Int, 32)) return f(static_cast<const int32_t*>(nullptr));
    if (is(C::Int, 16)) return f(static_cast<const int16_t*>(nullptr));
    if (is(C::Int, 8)) return f(static_cast<const int8_t*>(nullptr));
    if (is(C::UInt, 64)) return f(static_cast<const uint64_t*>(nullptr));
    if (is(C::UInt, 32)) return f(static_cast<const uint32_t*>(nullptr));
    if (is(C::UInt, 16)) return f(static_cast<const uint16_t*>(nullptr));
    if (is(C::UInt, 8) || is(C::Bool, 8)) return f(static_cast<const uint8_t*>(nullptr));
    throw std::invalid_argument("kernels read float32, float64, bool and integer arrays only");
}

struct Matrix {
    const void* data;
    nb::dlpack::dtype type;
    int64_t rows, cols, row_stride, col_stride;

    explicit Matrix(const AnyMatrix& a)
        : data(a.data()), type(a.dtype()), rows(a.shape(0)), cols(a.shape(1)),
          row_stride(a.stride(0)), col_stride(a.stride(1)) {}

    // The address of (row, column), if the elements are T and rows are contiguous; else null.
    template <class T>
    const T* rows_in_place(int64_t row, int64_t col) const {
        if (type != nb::dtype<T>() || (col_stride != 1 && cols > 1)) return nullptr;
        return static_cast<const T*>(data) + row * row_stride + col;
    }
    // out[r * width + j] = element (row + r, col + j)
    template <class Out>
    void gather_rows(int64_t row, int64_t col, int64_t height, int64_t width, Out* out) const {
        gather(row, col, height, width, out, width, 1);
    }
    // out[j * height_stride + r] = element (row + r, col + j)
    void gather_columns(int64_t row, int64_t col, int64_t height, int64_t width, double* out, int64_t height_stride) const {
        gather(row, col, height, width, out, 1, height_stride);
    }

  private:
    template <class Out>
    void gather(int64_t row, int64_t col, int64_t height, int64_t width, Out* out, int64_t out_row, int64_t out_col) const {
        with_type(type, [&](auto* tag) {
            using T = std::remove_cv_t<std::remove_pointer_t<decltype(tag)>>;
            const T* from = static_cast<const T*>(data) + row * row_stride + col * col_stride;
            // the inner loop runs along whichever axis of the source is contiguous
            if (col_stride <= row_stride) {
                for (int64_t r = 0; r < height; ++r)
                    for (int64_t j = 0; j < width; ++j)
                        out[r * out_row + j * out_col] = static_cast<Out>(from[r * row_stride + j * col_stride]);
            } else {
                for (int64_t j = 0; j < width; ++j)
                    for (int64_t r = 0; r < height; ++r)
                        out[r * out_row + j * out_col] = static_cast<Out>(from[r * row_stride + j * col_stride]);
            }
        });
    }
};

inline const double* weights_of(const Weights& weights) { return weights ? weights->data() : nullptr; }

}  // namespace suffice
