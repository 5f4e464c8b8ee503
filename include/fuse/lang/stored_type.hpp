// SPDX-License-Identifier: Apache-2.0
//
// The type that the numbers of an expression have in memory: 16-bit floats are computed in float, and what is made of
// them alone, and of integers and plain numbers, is one of them in NumPy and PyTorch. nan_to_num asks for it.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/ops/functors/cast.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What has no say: integers, conditions, numbers.
struct any_stored {};

template <class S, class... More>
struct common_stored {
    using type = S;
};
template <class... More>
struct common_stored<any_stored, any_stored, More...> : common_stored<any_stored, More...> {};
template <class S, class... More>
    requires(!std::is_same_v<S, any_stored>)
struct common_stored<any_stored, S, More...> : common_stored<S, More...> {};
template <class S, class T, class... More>
    requires(!std::is_same_v<S, any_stored>)
struct common_stored<S, T, More...>
    : common_stored<std::conditional_t<std::is_same_v<T, any_stored> || std::is_same_v<S, T>, S, float>, More...> {};

template <class N, class... E>
auto stored_among(operand_types<E...>);
/// float16 or bfloat16; of others the type that they are computed in, or any_stored.
template <class N>
struct stored {
    using type = decltype(stored_among<N>(typename N::operands{}));
};
template <class T, class E>
struct stored<Map<Cast<T>, E>> {
    using type = storage_t<T>;
};
template <class N, class... E>
auto stored_among(operand_types<E...>) {
    if constexpr (!std::is_same_v<value_t<N>, float>) {
        return std::conditional_t<std::is_floating_point_v<value_t<N>>, value_t<N>, any_stored>{};
    } else if constexpr (N::reads) {
        return typename N::storage_type{};
    } else {
        return typename common_stored<any_stored, typename stored<E>::type...>::type{};
    }
}
template <class N>
using stored_t = typename stored<N>::type;

}  // namespace detail

FUSE_END_NAMESPACE
