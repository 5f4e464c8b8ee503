// SPDX-License-Identifier: Apache-2.0
//
// An expression without lets and names, in which equal types are equal values: whatever is identified by its position
// (an unnamed view, a run-time number, a functor with state) is pinned to the position where it stood. So a derivative
// may have it in several places.
#pragma once

#include "fuse/lang/framed.hpp"
#include "fuse/lang/index.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/named.hpp"
#include "fuse/lang/part.hpp"
#include "fuse/lang/stop_gradient.hpp"
#include "fuse/lang/view.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

/// Id in the let at Position.
template <class LetId, class Id>
struct pinned_id {};
template <class Position, class LetPosition, class Id>
struct pinned_scope {
    using identity = pinned_id<typename LetPosition::id, Id>;
    using outer = typename Position::scope;
};

/// E as one value wherever it stands in the let of Tag, among those identified by Id.
template <class Tag, class Id, class E>
struct Pinned : unary_node<E> {
    using unary_node<E>::unary_node;
    static constexpr int positions = 0;
    template <class Position>
    static constexpr bool belongs = detail::let_around<Tag, typename Position::scope>::found;
    template <class Position>
    using inside =
        position<pinned_scope<Position, typename detail::let_around<Tag, typename Position::scope>::type, Id>, 0>;

    template <class X>
    constexpr auto with(const X& x) const {
        return Pinned<Tag, Id, X>(x);
    }
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

namespace detail {

/// The rules; Position: where the node stands.
template <class Tag, class Position, class N>
struct Flattening {
    static constexpr auto of(const N& n) {
        if constexpr (requires { n.expression; }) {
            using Inside = typename N::template inside<Position>;
            return n.with(Flattening<Tag, Inside, decltype(n.expression)>::of(n.expression));
        } else {
            return n;
        }
    }
};
/// What stands for its operand.
template <class Tag, class Position, class N>
struct FlatteningThrough {
    static constexpr auto of(const N& n) {
        using E = decltype(n.expression);
        return Flattening<Tag, typename N::template inside<Position>, E>::of(n.expression);
    }
};
template <class Tag, class Position, class F, class Body>
struct Flattening<Tag, Position, Let<F, Body>> : FlatteningThrough<Tag, Position, Let<F, Body>> {};
template <class Tag, class Position, class E, int Cuts>
struct Flattening<Tag, Position, Part<E, Cuts>> : FlatteningThrough<Tag, Position, Part<E, Cuts>> {};
template <class Tag, class Position, class Id, class E>
struct Flattening<Tag, Position, PartOperand<Id, E>> : FlatteningThrough<Tag, Position, PartOperand<Id, E>> {};
/// Of a derivative that is differentiated: what was pinned is so again.
template <class Tag, class Position, class Pin, class Id, class E>
struct Flattening<Tag, Position, Pinned<Pin, Id, E>> : FlatteningThrough<Tag, Position, Pinned<Pin, Id, E>> {};
template <class Tag, class Position, class F, int I, class E>
struct Flattening<Tag, Position, Bound<F, I, E>> {
    static constexpr auto of(const Bound<F, I, E>& n) {
        return framed(FlatteningThrough<Tag, Position, Bound<F, I, E>>::of(n));
    }
};
/// A name stays: it may be that of the variable.
template <class Tag, class Position, class Name, class E>
struct Flattening<Tag, Position, Named<Name, E>> {
    static constexpr auto of(const Named<Name, E>& n) {
        return n.with(FlatteningThrough<Tag, Position, Named<Name, E>>::of(n));
    }
};
template <class Tag, class Position, class T, class Name, index_t... E>
struct Flattening<Tag, Position, View<T, Name, E...>> {
    static constexpr auto of(const View<T, Name, E...>& view) {
        if constexpr (is_named<Name>) {
            return view;
        } else {
            return Pinned<Tag, typename Position::id, View<T, Name, E...>>(view);
        }
    }
};
template <class Tag, class Position, class T, class Name>
struct Flattening<Tag, Position, Scalar<T, Name>> {
    static constexpr auto of(const Scalar<T, Name>& scalar) {
        if constexpr (is_named<Name>) {
            return scalar;
        } else {
            return Pinned<Tag, typename Position::id, Scalar<T, Name>>(scalar);
        }
    }
};
template <class Tag, class Position, class F, class... Args>
struct Flattening<Tag, Position, Map<F, Args...>> {
    static constexpr bool stateless = std::is_empty_v<F>;
    template <int I>
    using child = Flattening<Tag, typename Position::template after<(stateless ? 0 : 1) + positions_before<I, Args...>>,
                             at_t<type_list<Args...>, I>>;
    static constexpr auto of(const Map<F, Args...>& n) {
        return of(n, std::make_integer_sequence<int, sizeof...(Args)>{});
    }

private:
    template <int... I>
    static constexpr auto of(const Map<F, Args...>& n, std::integer_sequence<int, I...>) {
        const auto flat = n.with(child<I>::of(get<I>(n.args))...);
        if constexpr (stateless) {
            return flat;
        } else {
            return Pinned<Tag, typename Position::id, std::remove_const_t<decltype(flat)>>(flat);
        }
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
