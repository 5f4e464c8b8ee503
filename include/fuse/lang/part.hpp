// SPDX-License-Identifier: Apache-2.0
//
// Part(e): a part of an expression, (x * 2)[0], which is the same expression of parts of its operands. x[0] has no name,
// as it is other data for another index. Within one part every occurrence of x is cut in the same way, so there a name
// goes on being an identity: of the part, the name, and the axis.
#pragma once

#include "fuse/lang/let.hpp"
#include "fuse/lang/part_at.hpp"
#include "fuse/lang/print.hpp"
#include "fuse/lang/statement.hpp"

FUSE_BEGIN_NAMESPACE

/// In the part at Position. Positions in it count on.
template <class Position>
struct part_scope {
    using identity = typename Position::scope::identity;
    using outer = typename Position::scope;
};
/// What Id says, in the part that has this identity.
template <class PartId, class Id>
struct part_operand_id {};
template <class Identity, class Scope>
struct part_operand_scope {
    using identity = Identity;
    using outer = Scope;
};

namespace detail {

/// The position of the innermost part around Scope.
template <class Scope>
struct part_around {
    using type = typename part_around<typename Scope::outer>::type;
};
template <class Position>
struct part_around<part_scope<Position>> {
    using type = Position;
};

/// Operand I of the let of function F around.
template <class F, int I>
struct bound_id {};
/// Of what is called Id the part along an axis; How: as in cut.hpp.
template <class Id, int Axis, class How>
struct part_id {};

/// What Id means in Scope: two lets of one function are told apart by where they stand.
template <class Id, class Scope>
struct part_owner {
    static constexpr bool found = true;
    using type = Id;
};
template <class F, int I, class Scope>
struct part_owner<bound_id<F, I>, Scope> {
    static constexpr bool found = let_around<F, Scope>::found;
    using type = operand_id<typename let_around<F, Scope>::type::id, I>;
};
template <class Id, int Axis, class How, class Scope>
struct part_owner<part_id<Id, Axis, How>, Scope> {
    static constexpr bool found = part_owner<Id, Scope>::found;
    using type = part_id<typename part_owner<Id, Scope>::type, Axis, How>;
};

}  // namespace detail

/// The expression of a part's operands. It takes a position, which identifies it. Cuts: parts of parts, all in one.
template <class E, int Cuts>
struct Part : unary_node<E> {
    using unary_node<E>::unary_node;
    static constexpr int positions = 1 + E::positions;
    template <class Position>
    using inside = position<part_scope<Position>, Position::number + 1>;

    template <class X>
    constexpr auto with(const X& x) const {
        return Part<X, Cuts>(x);
    }
    FUSE_PART_AT(Part)
    FUSE_NO_OUTPUT(Part,
                   "fuse: an output is a view or a part of one, slice<1>(y, 0, 3): there is no memory behind a part "
                   "of x * 2, nor behind roll(x, 1) and pad(x, 1, 1)")
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

namespace detail {

template <int Cuts, class E>
auto make_part(const E& e) {
    return Part<E, Cuts>(e);
}

}  // namespace detail

/// A part of what has a name, or is an operand of a let: one value in the whole Part around it.
template <class Id, class E>
struct PartOperand : unary_node<E> {
    using unary_node<E>::unary_node;
    static constexpr int positions = 0;
    template <class Position>
    using owner = detail::part_owner<Id, typename Position::scope>;
    template <class Position>
    static constexpr bool belongs = owner<Position>::found;
    template <class Position>
    using identity = part_operand_id<typename detail::part_around<typename Position::scope>::type::id,
                                     typename owner<Position>::type>;
    template <class Position>
    using inside = position<part_operand_scope<identity<Position>, typename Position::scope>, 0>;

    template <class X>
    constexpr auto with(const X& x) const {
        return PartOperand<Id, X>(x);
    }
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

FUSE_END_NAMESPACE
