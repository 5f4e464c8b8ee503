// SPDX-License-Identifier: Apache-2.0
//
// What an output cannot hold, in one sentence.
#pragma once

#include <type_traits>

#include "fuse/ops/types/compute_type.hpp"
#include "fuse/ops/types/scattered.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether an element To may hold values of type V. Of no value a map has said that it is none.
template <class To, class V>
inline constexpr bool is_storable = std::is_arithmetic_v<V> || std::is_void_v<V> || std::is_constructible_v<To, V>;
template <class To, class V>
inline constexpr bool is_storable<To, Scattered<V>> = is_storable<To, V>;

}  // namespace detail

FUSE_END_NAMESPACE

/// Of an output of T that an X is written to. A macro, because it has to stand in the function that the user has called.
#define FUSE_CHECK_STORED(T, X)                                                                                        \
    static_assert(::fuse::detail::is_storable<::fuse::storage_t<std::remove_const_t<T>>, ::fuse::value_t<X>>,          \
                  "fuse: an output of numbers holds no complex number or struct: write a part, map([](auto v) { "      \
                  "return v.real(); }, z), or take a view of that type")
