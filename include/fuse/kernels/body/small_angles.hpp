// SPDX-License-Identifier: Apache-2.0
//
// How a host thread chooses between the forms of an expression for small angles and for any (plan/small_angles.hpp): it
// looks at the angles of a chunk first. Both have the same bits.
#pragma once

#include "fuse/kernels/body/evaluate.hpp"
#include "fuse/plan/small_angles.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether there are angles, and all are floats: others have one form.
template <class Context, class Angles>
inline constexpr bool are_float_angles = false;
template <class Context, class First, class... A>
inline constexpr bool are_float_angles<Context, type_list<First, A...>> =
    std::is_same_v<decltype(Evaluate<First>::at(std::declval<const Context&>(), 0)), float> &&
    (std::is_same_v<decltype(Evaluate<A>::at(std::declval<const Context&>(), 0)), float> && ...);

/// Whether all angles of the first `left` of V items are small.
template <int V, class Context, class... A>
FUSE_HD bool are_small(const Context& c, index_t left, type_list<A...>) {
    std::uint32_t above = 0;  // the sign of what is left of the bound
    for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
        ((above |= small_angle - 1 - bit_cast<std::uint32_t>(magnitude(Evaluate<A>::at(c, v)))), ...);
    });
    return above >> 31 == 0;
}

template <class Context>
struct computed_in {
    template <class E>
    struct known : std::bool_constant<has_values_of<Context, E>> {};
};

/// Calls f.template operator()<Form...>() for the forms of expressions E that the first `left` of V items need.
template <int V, class... E, class Context, class F>
FUSE_HD void in_best_form(const Context& c, index_t left, F&& f) {
    if constexpr (host_vector<V>) {
        using angles = unite_t<type_list<>, typename small_angles<E, computed_in<Context>::template known>::angles...>;
        if constexpr (are_float_angles<Context, angles>) {
            if (are_small<V>(c, left, angles{})) {
                return f.template operator()<typename small_angles<E, computed_in<Context>::template known>::form...>();
            }
        }
    }
    f.template operator()<E...>();
}

}  // namespace detail

FUSE_END_NAMESPACE
