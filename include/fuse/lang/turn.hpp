// SPDX-License-Identifier: Apache-2.0
//
// The axes of an expression in another order, as the same expression of views whose axes are in another order. Each kind
// of node says in which order its operand's are then, in Turning.
#pragma once

#include "fuse/lang/axis_order.hpp"
#include "fuse/lang/cut.hpp"
#include "fuse/lang/framed.hpp"
#include "fuse/lang/sort.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// How a part is one: its axes are in this order, and those of the deepest node around it in the order Domain. So the
/// operand of a reduction is turned with what its result stands beside, of which it may have fewer axes: transposed,
/// x / sum(x, axes<0>) is the transpose of x beside the sums of its rows, not beside those of the columns of x. Time: as
/// in how_cut.
template <std::uint64_t Order, std::uint64_t Domain, int Time>
struct how_turned {
    static constexpr std::uint64_t order = Order;
    static constexpr bool stays = is_identity(Order) && is_identity(Domain);
    template <std::uint64_t Own>
    using with = how_turned<Own, Domain, Time>;
    template <int Later>
    using at = how_turned<Order, Domain, Later>;

    /// Of the operand of R, a reduction.
    template <class R, class E = decltype(R::expression)>
    static constexpr bool follows_domain = !R::keeps && order_without(order_in_domain<E, Domain>, R::mask) == Order;
    template <class R, class E = decltype(R::expression)>
    static constexpr std::uint64_t operand_order =
        !follows_domain<R>                           ? order_of_operand(Order, R::mask, R::keeps, E::rank)
        : counts_or_chains<typename R::reduction_op> ? with_ascending(order_in_domain<E, Domain>, R::mask)
                                                     : order_in_domain<E, Domain>;
    template <class R, class E = decltype(R::expression)>
    using operand =
        how_turned<operand_order<R>,
                   (deepest_rank<E> > AxisMap::unpack(Domain).rank ? domain_order<operand_order<R>, E> : Domain), Time>;
};

template <std::uint64_t Order, class E>
using turn_of = how_turned<Order, domain_order<Order, E>, 0>;

template <class N>
struct Turning;

template <class How, class N>
constexpr PartFault turn_fault() {
    if constexpr (N::rank == 0 || How::stays) {
        return N::counts ? PartFault::counts : PartFault::none;
    } else {
        return Turning<N>::template fault<How>();
    }
}
template <class How, class N>
auto turn(const N& n) {
    if constexpr (N::rank == 0 || How::stays) {
        return n;
    } else {
        return Turning<N>::template of<How>(n);
    }
}

template <class Id, class How, class E>
auto turned_operand(const E& e) {
    return PartOperand<part_id<Id, -1, How>, E>(e);
}

template <class T, class Name, index_t... E>
struct Turning<View<T, Name, E...>> {
    using V = View<T, Name, E...>;
    template <class How>
    static constexpr PartFault fault() {
        return PartFault::none;
    }
    template <class How>
    static auto of(const V& x) {
        if constexpr (is_identity(How::order)) {
            return x;
        } else {
            const auto result = [&]<int... I>(std::integer_sequence<int, I...>) {
                return transpose<AxisMap::unpack(How::order).axis[I]...>(x);
            }
            (std::make_integer_sequence<int, V::rank>{});
            if constexpr (is_named<Name>) {
                return turned_operand<Name, How>(result);
            } else {
                return result;
            }
        }
    }
};

template <class F, class... A>
struct Turning<Map<F, A...>> {
    template <class Arg>
    static constexpr int shift = Map<F, A...>::rank - Arg::rank;
    template <class How, class Arg>
    using own = typename How::template with<order_from(How::order, shift<Arg>)>;
    template <class How>
    static constexpr PartFault fault() {
        PartFault first = PartFault::none;
        ((first = first != PartFault::none ? first : turn_fault<own<How, A>, A>()), ...);
        return first;
    }
    template <class How>
    static auto of(const Map<F, A...>& m) {
        return m.on_operands([&](const A&... a) {
            return m.with(with_axes<places_before(How::order, shift<A>)>(turn<own<How, A>>(a))...);
        });
    }
};

/// A node of one operand that has its axes.
template <class N>
struct TurningUnary {
    using E = decltype(N::expression);
    template <class How>
    static constexpr PartFault fault() {
        return turn_fault<How, E>();
    }
};
/// One that stays around its turned operand.
template <class N>
struct TurningInside : TurningUnary<N> {
    template <class How>
    static auto of(const N& n) {
        return n.with(turn<How>(n.expression));
    }
};
template <class F, class E>
struct Turning<Let<F, E>> : TurningInside<Let<F, E>> {};
template <class E>
struct Turning<StopGradient<E>> : TurningInside<StopGradient<E>> {};
template <class E, int Cuts>
struct Turning<Part<E, Cuts>> : TurningUnary<Part<E, Cuts>> {
    template <class How>
    static auto of(const Part<E, Cuts>& n) {
        return make_part<Cuts + 1>(turn<typename How::template at<Cuts>>(n.expression));
    }
};
template <class N, class Id>
struct TurningIdentified : TurningUnary<N> {
    template <class How>
    static auto of(const N& n) {
        return turned_operand<Id, How>(turn<How>(n.expression));
    }
};
template <class Name, class E>
struct Turning<Named<Name, E>> : TurningIdentified<Named<Name, E>, named_id<Name>> {};
template <class F, int I, class E>
struct Turning<Bound<F, I, E>> : TurningIdentified<Bound<F, I, E>, bound_id<F, I>> {};
template <class Id, class E>
struct Turning<PartOperand<Id, E>> : TurningIdentified<PartOperand<Id, E>, Id> {};

template <int New, class E>
struct Turning<ExpandDims<New, E>> {
    template <class How>
    using own = typename How::template with<order_from(How::order, 0, New)>;
    template <class How>
    static constexpr PartFault fault() {
        return turn_fault<own<How>, E>();
    }
    template <class How>
    static auto of(const ExpandDims<New, E>& n) {
        return expand_dims<place_of(How::order, New)>(turn<own<How>>(n.expression));
    }
};

/// Of an operand with coordinates of its own: as it stands in a frame (framed_parts.hpp).
template <class How, class E>
constexpr PartFault turn_fault_inside() {
    if constexpr (E::counts) {
        return Turning<Framed<E>>::template fault<How>();
    } else {
        return turn_fault<How, E>();
    }
}
template <class How, class E>
auto turn_inside(const E& e) {
    if constexpr (E::counts) {
        return Turning<Framed<E>>::template of<How>(Framed<E>(e)).expression;
    } else {
        return turn<How>(e);
    }
}

template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct Turning<Reduce<Op, E, Mask, Keep, Acc>> {
    template <class How>
    using own = typename How::template operand<Reduce<Op, E, Mask, Keep, Acc>>;
    template <class How>
    static constexpr PartFault fault() {
        return turn_fault_inside<own<How>, E>();
    }
    template <class How>
    static auto of(const Reduce<Op, E, Mask, Keep, Acc>& n) {
        const auto e = turn_inside<own<How>>(n.expression);
        return Reduce<Op, std::remove_const_t<decltype(e)>, mask_in_order(own<How>::order, Mask), Keep, Acc>(e);
    }
};

/// A sort runs along the last axis alone.
template <class Op>
inline constexpr bool is_sort_op = false;
template <bool Largest, bool Positions>
inline constexpr bool is_sort_op<SortOp<Largest, Positions>> = true;

template <class Op, class E, int Along, bool Exclusive, bool Reverse, class Acc>
struct Turning<Scan<Op, E, Along, Exclusive, Reverse, Acc>> {
    template <class How>
    static constexpr PartFault fault() {
        constexpr bool last = place_of(How::order, Along) == E::rank - 1;
        return is_sort_op<Op> && !last ? PartFault::runs : turn_fault_inside<How, E>();
    }
    template <class How>
    static auto of(const Scan<Op, E, Along, Exclusive, Reverse, Acc>& n) {
        const auto e = turn_inside<How>(n.expression);
        return Scan<Op, std::remove_const_t<decltype(e)>, place_of(How::order, Along), Exclusive, Reverse, Acc>(e);
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
