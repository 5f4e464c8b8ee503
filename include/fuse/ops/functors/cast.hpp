// SPDX-License-Identifier: Apache-2.0
//
// Conversion to another element type. A cast to a 16-bit floating-point type rounds to it and goes on in
// float, since functors compute in float: storing the result in that type is then exact.
#pragma once

#include <bit>
#include <type_traits>

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// As C++ calls the type.
template <class T>
constexpr const char* cast_as_written() {
    if constexpr (std::is_same_v<T, bool>) {
        return "cast<bool>(@0)";
    } else if constexpr (std::is_integral_v<T>) {
        constexpr const char* names[] = {"cast<uint8_t>(@0)",  "cast<uint16_t>(@0)", "cast<unsigned>(@0)",
                                         "cast<uint64_t>(@0)", "cast<int8_t>(@0)",   "cast<int16_t>(@0)",
                                         "cast<int>(@0)",      "cast<int64_t>(@0)"};
        return names[std::countr_zero(sizeof(T)) + (std::is_signed_v<T> ? 4 : 0)];
    } else if constexpr (std::is_same_v<T, float16>) {
        return "cast<float16>(@0)";
    } else if constexpr (std::is_same_v<T, bfloat16>) {
        return "cast<bfloat16>(@0)";
    } else {
        return std::is_same_v<T, float>    ? "cast<float>(@0)"
               : std::is_same_v<T, double> ? "cast<double>(@0)"
                                           : "cast(@0)";
    }
}

}  // namespace detail

/// Floating point to integer truncates and saturates, NaN gives 0. Between integers: modulo 2^bits. To bool: whether x
/// is not zero.
template <class T>
struct Cast {
    static constexpr const char* name = "cast";
    static constexpr const char* written = detail::cast_as_written<T>();
    template <class V>
        requires requires(V v) {
            static_cast<storage_t<T>>(v);
        }
    FUSE_HD constexpr compute_t<T> operator()(V x) const { return to_compute(from_compute<T>(x)); }
};

FUSE_END_NAMESPACE
