// SPDX-License-Identifier: Apache-2.0
//
// An expression whose axes lie at given places of a domain, whatever else stands there. What is cut out of a step may be
// what said where the rest lies; the rest then keeps its places so.
#pragma once

#include "fuse/lang/natural_map.hpp"
#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

/// The axes of E are those in Axes, a packed AxisMap, of a domain of rank D.
template <int D, std::uint64_t Axes, class E>
struct Placed : unary_node<E> {
    using unary_node<E>::unary_node;

    static constexpr AxisMap result_axes(const AxisMap& operand) {
        AxisMap m = AxisMap::unpack(Axes);
        m.consistent = operand.consistent;
        return m;
    }

    template <class X>
    constexpr auto with(const X& x) const {
        return Placed<D, Axes, X>(x);
    }
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

/// The domain has room for the places, whatever lies there.
template <int D, std::uint64_t Axes, class E>
inline constexpr int deepest_rank<Placed<D, Axes, E>> = D;
template <int D, std::uint64_t Axes, class E>
inline constexpr int detail::joined_rank<Placed<D, Axes, E>> = D;

namespace detail {

/// e, at those places if Pins.
template <bool Pins, int D, std::uint64_t Axes, class E>
constexpr auto pinned(const E& e) {
    if constexpr (Pins && E::rank > 0) {
        return Placed<D, Axes, E>(e);
    } else {
        return e;
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
