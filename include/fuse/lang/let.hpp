// SPDX-License-Identifier: Apache-2.0
//
// let(x, y, f): f(x, y) in which each operand is one value, however often f uses it. Otherwise an operand with run-time
// numbers, unnamed views or functors with state would be another value at each place where it stands. The norms and
// losses are written with it.
#pragma once

#include <utility>

#include "fuse/lang/identity.hpp"
#include "fuse/lang/part_at.hpp"
#include "fuse/lang/weak.hpp"

FUSE_BEGIN_NAMESPACE

/// Operand I of the let at a position.
template <class Id, int I>
struct operand_id {};

/// In the body of the let of function F, which stands at Position. Positions in the body count on.
template <class F, class Position>
struct let_scope {
    using identity = typename Position::scope::identity;
    using outer = typename Position::scope;
};
/// In operand I of the let at Position: wherever the body has it, it is identified by the let.
template <class Position, int I>
struct operand_scope {
    using identity = operand_id<typename Position::id, I>;
    using outer = typename Position::scope;
};

namespace detail {

/// Where the let of function F around Scope stands.
template <class F, class Scope>
struct let_around {
    using outer = let_around<F, typename Scope::outer>;
    static constexpr bool found = outer::found;
    using type = typename outer::type;
};
template <class F, class Position>
struct let_around<F, let_scope<F, Position>> {
    static constexpr bool found = true;
    using type = Position;
};
/// Nowhere: the statement is refused.
template <class F>
struct let_around<F, root_scope> {
    static constexpr bool found = false;
    using type = position<root_scope, 0>;
};

}  // namespace detail

/// Operand I of the let of function F, at one of the places where that function has put it.
template <class F, int I, class E>
struct Bound : unary_node<E> {
    using unary_node<E>::unary_node;
    static constexpr int positions = 0;
    /// One value has one set of coordinates, its own, where it has axes.
    static constexpr bool own_coordinates = E::rank > 0;
    static constexpr bool counts = E::rank == 0 && E::counts;
    template <class Position>
    static constexpr bool belongs = detail::let_around<F, typename Position::scope>::found;
    template <class Position>
    using inside = position<operand_scope<typename detail::let_around<F, typename Position::scope>::type, I>, 0>;

    template <class X>
    constexpr auto with(const X& x) const {
        return Bound<F, I, X>(x);
    }
    FUSE_PART_AT(Bound)
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

/// What F made of its operands. It takes a position, which identifies them. The type of a function tells nested lets
/// apart: one that uses the operands of another has captured them, and so is of another type.
template <class F, class Body>
struct Let : unary_node<Body> {
    using unary_node<Body>::unary_node;
    static constexpr int positions = 1 + Body::positions;
    template <class Position>
    using inside = position<let_scope<F, Position>, Position::number + 1>;

    template <class X>
    constexpr auto with(const X& x) const {
        return Let<F, X>(x);
    }
    FUSE_PART_AT(Let)
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

namespace detail {

/// An operand that is the same value wherever it stands needs no let.
template <class E>
inline constexpr bool many_valued = E::positions > 0 || (E::rank > 0 && E::counts);

template <class F, int I, class E>
constexpr auto bound(const E& e) {
    if constexpr (many_valued<E>) {
        return Bound<F, I, E>(e);
    } else {
        return e;
    }
}

template <class F, class... A, std::size_t... I>
constexpr auto let_nodes(const F& f, std::index_sequence<I...>, const A&... operands) {
    using V = weak_common_t<A...>;
    auto body = f(bound<F, static_cast<int>(I)>(as_node<V>(operands))...);
    if constexpr (!Expression<decltype(body)>) {
        return;  // refused by let
    } else if constexpr ((many_valued<decltype(as_node<V>(operands))> || ...)) {
        return Let<F, decltype(body)>(body);
    } else {
        return body;
    }
}

}  // namespace detail

/// let(x, f), let(x, y, f), let(x, y, z, f); further operands are those of a let in f. Numbers among them take the type
/// of the expressions beside them.
template <Expression X, class F>
constexpr auto let(const X& x, const F& f) {
    static_assert(!std::is_void_v<decltype(detail::let_nodes(f, std::make_index_sequence<1>{}, x))>,
                  "fuse: the function of a let returns an expression");
    return detail::let_nodes(f, std::make_index_sequence<1>{}, x);
}
template <class X, class Y, class F>
    requires Operands<X, Y>
constexpr auto let(const X& x, const Y& y, const F& f) {
    static_assert(!std::is_void_v<decltype(detail::let_nodes(f, std::make_index_sequence<2>{}, x, y))>,
                  "fuse: the function of a let returns an expression");
    return detail::let_nodes(f, std::make_index_sequence<2>{}, x, y);
}
template <class X, class Y, class Z, class F>
    requires Operands<X, Y, Z>
constexpr auto let(const X& x, const Y& y, const Z& z, const F& f) {
    static_assert(!std::is_void_v<decltype(detail::let_nodes(f, std::make_index_sequence<3>{}, x, y, z))>,
                  "fuse: the function of a let returns an expression");
    return detail::let_nodes(f, std::make_index_sequence<3>{}, x, y, z);
}

namespace detail {

/// let(operands..., f) unless the caller has refused them.
template <bool Sound, class... A>
constexpr auto let_if(const A&... operands) {
    if constexpr (Sound) {
        return let(operands...);
    } else {
        return refused();
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
