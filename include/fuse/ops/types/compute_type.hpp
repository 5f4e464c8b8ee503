// SPDX-License-Identifier: Apache-2.0
//
// Three types of one element: the type the user's pointer names, the type it is stored as (own 16-bit types
// stand in for CUDA's, whose headers may be absent) and the type functors compute in. Values convert on load
// and round once on store.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/types/bfloat16.hpp"
#include "fuse/ops/types/float16.hpp"
#include "fuse/ops/types/to_integer.hpp"

#include <limits>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class T>
struct StorageType {
    using type = T;
};
template <>
struct StorageType<__half> {
    using type = float16;
};
template <>
struct StorageType<__nv_bfloat16> {
    using type = bfloat16;
};
template <class T>
struct StorageType<const T> {
    using type = const typename StorageType<T>::type;
};

template <class T>
struct ComputeType {
    using type = T;
};
template <>
struct ComputeType<float16> {
    using type = float;
};
template <>
struct ComputeType<bfloat16> {
    using type = float;
};

}  // namespace detail

/// The type whose layout elements of T have in memory: float16 for __half, bfloat16 for __nv_bfloat16, else
/// T.
template <class T>
using storage_t = typename detail::StorageType<T>::type;

/// The type functors see for elements of T: float for the 16-bit floating-point types, else T without const.
template <class T>
using compute_t = typename detail::ComputeType<storage_t<std::remove_cv_t<T>>>::type;

/// Extreme values as constants, readable in device code. `least` and `greatest` are the infinities where they
/// exist.
template <class T>
struct limits {
    static constexpr bool has_nan = std::numeric_limits<T>::has_quiet_NaN;
    static constexpr T lowest = std::numeric_limits<T>::lowest();
    static constexpr T max = std::numeric_limits<T>::max();
    static constexpr T infinity = std::numeric_limits<T>::infinity();
    static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    static constexpr T least = std::numeric_limits<T>::has_infinity ? static_cast<T>(-infinity) : lowest;
    static constexpr T greatest = std::numeric_limits<T>::has_infinity ? infinity : max;
};

/// An element as functors see it.
template <class T>
FUSE_HD constexpr compute_t<T> to_compute(T v) {
    return static_cast<compute_t<T>>(v);
}

namespace detail {

/// Truncates towards zero. Out of range saturates and NaN gives 0, where the built-in conversion would be
/// undefined.
template <class To, class From>
FUSE_HD constexpr To saturate(From v) {
#if FUSE_ON_DEVICE
    if constexpr (converts_at_once<To, From>) {
        if (!__builtin_is_constant_evaluated()) {
            return to_integer<To>(v);
        }
    }
#endif
    // 2^(value bits): the first value above the range, exact in any floating-point type where max() is not.
    constexpr From above = static_cast<From>(limits<To>::max / 2 + 1) * From(2);
    // Signed types reach down to -2^(bits) itself; unsigned types to just above -1.
    constexpr From below = std::is_signed_v<To> ? -above : From(-1);
    const bool high = v >= above;
    const bool low = v <= below;
    const bool inside = v > below && v < above;
    const To truncated = static_cast<To>(inside ? v : From(0));
    return high ? limits<To>::max : (low ? limits<To>::lowest : truncated);
}

}  // namespace detail

/// A computed value as an element of T, rounded once. To bool: whether it is not zero. To an integer:
/// truncated towards zero, saturated, NaN gives 0. Between integers: modulo 2^bits.
template <class T, class V>
FUSE_HD constexpr storage_t<T> from_compute(V v) {
    using To = storage_t<T>;
    if constexpr (std::is_same_v<To, V>) {
        return v;
    } else if constexpr (std::is_same_v<To, bool> && std::is_arithmetic_v<V>) {
        return v != V(0);
    } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<V>) {
        return detail::saturate<To>(v);
    } else if constexpr (FUSE_ON_DEVICE && std::is_integral_v<V> && sizeof(V) > 4 &&
                         std::is_floating_point_v<compute_t<To>>) {
        // Most are coordinates. 32 bits are converted four times as fast, to the same.
        using Narrow = std::conditional_t<std::is_signed_v<V>, std::int32_t, std::uint32_t>;
        const auto narrow = static_cast<Narrow>(v);
        return static_cast<V>(narrow) == v ? static_cast<To>(narrow) : static_cast<To>(v);
    } else {
        return static_cast<To>(v);
    }
}

FUSE_END_NAMESPACE
