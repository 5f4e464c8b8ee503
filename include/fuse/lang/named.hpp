// SPDX-License-Identifier: Apache-2.0
//
// named<"h">(e): an identity for a sub-expression. Two occurrences with one name are one value, also when they hold
// unnamed leaves.
#pragma once

#include "fuse/lang/identity.hpp"
#include "fuse/lang/name.hpp"
#include "fuse/lang/part_at.hpp"
#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

/// Positions count from the name.
template <class Name, class Outer>
struct named_scope {
    using identity = Name;
    using outer = Outer;
};

template <class Name, class E>
struct Named : unary_node<E> {
    using unary_node<E>::unary_node;
    static constexpr int positions = 0;
    /// One value has one set of coordinates, its own, where it has axes.
    static constexpr bool own_coordinates = E::rank > 0;
    static constexpr bool counts = E::rank == 0 && E::counts;
    template <class Position>
    using inside = position<named_scope<Name, typename Position::scope>, 0>;

    template <class X>
    constexpr auto with(const X& x) const {
        return Named<Name, X>(x);
    }
    FUSE_PART_AT(Named)
    FUSE_RARE void print(Text& out) const { out << Name::text; }
};

template <fixed_name N, Expression E>
constexpr auto named(const E& e) {
    return Named<name_t<N>, E>(e);
}

FUSE_END_NAMESPACE
