// SPDX-License-Identifier: Apache-2.0
//
// An expression with coordinates of its own, wherever it stands.
#pragma once

#include "fuse/lang/part_at.hpp"
#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

/// E, in which index<> and random numbers count in its own axes.
template <class E>
struct Framed : unary_node<E> {
    using unary_node<E>::unary_node;
    static constexpr bool counts = false;
    static constexpr bool own_coordinates = true;

    template <class X>
    constexpr auto with(const X& x) const {
        return Framed<X>(x);
    }
    FUSE_PART_AT(Framed)
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

namespace detail {

/// Without axes there is nothing to count in: e then counts in what it stands in.
template <class E>
constexpr auto framed(const E& e) {
    if constexpr (E::counts && E::rank > 0) {
        return Framed<E>(e);
    } else {
        return e;
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
