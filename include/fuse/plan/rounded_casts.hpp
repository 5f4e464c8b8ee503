// SPDX-License-Identifier: Apache-2.0
//
// Calls that round to an integer value and that convert to an integer: a device does both in one instruction
// (ops/types/to_integer.hpp).
#pragma once

#include "fuse/ops/functors/cast.hpp"
#include "fuse/ops/functors/rounding.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Functors that round to an integer value, as F::rounding says.
template <class F>
concept Rounds = requires {
    requires std::is_same_v<decltype(F::rounding), const Rounding>;
};

/// Casts to integers.
template <class F>
inline constexpr bool casts_to_integer = false;
template <class T>
inline constexpr bool casts_to_integer<Cast<T>> = std::is_integral_v<T>;

template <class F>
struct type_of_cast;
template <class T>
struct type_of_cast<Cast<T>> {
    using type = T;
};
template <class F>
using cast_to = typename type_of_cast<F>::type;

}  // namespace detail

FUSE_END_NAMESPACE
