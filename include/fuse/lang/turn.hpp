// SPDX-License-Identifier: Apache-2.0
//
// The axes of an expression in another order, as the same expression of views whose axes are in another order. Each kind
// of node says in which order its operand's are then, in Turning.
#pragma once

#include "fuse/lang/axis_map.hpp"
#include "fuse/lang/cut.hpp"
#include "fuse/lang/sort.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

// An order is an AxisMap, packed: axis i of the result is axis number axis[i] of the operand.

constexpr bool is_identity(std::uint64_t order) {
    const AxisMap o = AxisMap::unpack(order);
    return o.pack() == AxisMap::trailing(o.rank, o.rank).pack();
}
/// The order of those axes that are `first` and later ones, or not `left_out`, counted without the others.
constexpr std::uint64_t order_from(std::uint64_t order, int first, int left_out = -1) {
    const AxisMap o = AxisMap::unpack(order);
    AxisMap result;
    for (int i = 0; i < o.rank; ++i) {
        const int axis = o.axis[i];
        if (axis >= first && axis != left_out) {
            result.axis[result.rank++] = axis - first - (left_out >= 0 && axis > left_out ? 1 : 0);
        }
    }
    return result.pack();
}
/// Where axes below `first` go, as a mask; those in front of all others are left to broadcasting.
constexpr std::uint32_t places_before(std::uint64_t order, int first) {
    const AxisMap o = AxisMap::unpack(order);
    std::uint32_t mask = 0;
    int place = 0;
    for (int i = 0; i < o.rank; ++i) {
        const bool later = o.axis[i] >= first;
        mask |= !later && place > 0 ? 1U << place : 0U;
        place += later || place > 0 ? 1 : 0;
    }
    return mask;
}
constexpr int place_of(std::uint64_t order, int axis) {
    const AxisMap o = AxisMap::unpack(order);
    int i = 0;
    while (o.axis[i] != axis) {
        ++i;
    }
    return i;
}
/// The order of a reduction's operand from that of its result: folded axes stay in their order among each other, which an
/// argmax counts in. Of those that are kept, with extent 1, any may stand for any other.
constexpr std::uint64_t order_of_operand(std::uint64_t order, std::uint32_t mask, bool keep, int rank) {
    const AxisMap o = AxisMap::unpack(order);
    AxisMap result = AxisMap::trailing(rank, rank);
    int kept[max_rank] = {};
    int folded[max_rank] = {};
    for (int axis = 0, k = 0, f = 0; axis < rank; ++axis) {
        (((mask >> axis) & 1U) != 0 ? folded[f++] : kept[k++]) = axis;
    }
    int next = 0;
    for (int i = 0, f = 0; i < rank; ++i) {
        if (keep) {
            result.axis[i] = ((mask >> o.axis[i]) & 1U) != 0 ? folded[f++] : o.axis[i];
        } else if (((mask >> i) & 1U) == 0) {
            result.axis[i] = kept[o.axis[next++]];
        }
    }
    return result.pack();
}
constexpr std::uint32_t mask_in_order(std::uint64_t order, std::uint32_t mask) {
    const AxisMap o = AxisMap::unpack(order);
    std::uint32_t result = 0;
    for (int i = 0; i < o.rank; ++i) {
        result |= ((mask >> o.axis[i]) & 1U) << i;
    }
    return result;
}

/// How a part is one: its axes are in this order. Time: as in how_cut.
template <std::uint64_t Order, int Time>
struct how_turned {
    static constexpr std::uint64_t order = Order;
};

template <class N>
struct Turning;

template <std::uint64_t Order, class N>
constexpr PartFault turn_fault() {
    if constexpr (N::rank == 0 || is_identity(Order)) {
        return N::counts ? PartFault::counts : PartFault::none;
    } else {
        return Turning<N>::template fault<Order>();
    }
}
template <std::uint64_t Order, int Time, class N>
auto turn(const N& n) {
    if constexpr (N::rank == 0 || is_identity(Order)) {
        return n;
    } else {
        return Turning<N>::template of<Order, Time>(n);
    }
}

template <class Id, std::uint64_t Order, int Time, class E>
auto turned_operand(const E& e) {
    return PartOperand<part_id<Id, -1, how_turned<Order, Time>>, E>(e);
}

template <class T, class Name, index_t... E>
struct Turning<View<T, Name, E...>> {
    using V = View<T, Name, E...>;
    template <std::uint64_t Order>
    static constexpr PartFault fault() {
        return PartFault::none;
    }
    template <std::uint64_t Order, int Time>
    static auto of(const V& x) {
        const auto result = [&]<int... I>(std::integer_sequence<int, I...>) {
            return transpose<AxisMap::unpack(Order).axis[I]...>(x);
        }
        (std::make_integer_sequence<int, V::rank>{});
        if constexpr (is_named<Name>) {
            return turned_operand<Name, Order, Time>(result);
        } else {
            return result;
        }
    }
};

template <class F, class... A>
struct Turning<Map<F, A...>> {
    template <class Arg>
    static constexpr int shift = Map<F, A...>::rank - Arg::rank;
    template <std::uint64_t Order>
    static constexpr PartFault fault() {
        PartFault first = PartFault::none;
        ((first = first != PartFault::none ? first : turn_fault<order_from(Order, shift<A>), A>()), ...);
        return first;
    }
    template <std::uint64_t Order, int Time>
    static auto of(const Map<F, A...>& m) {
        return m.on_operands([&](const A&... a) {
            return m.with(with_axes<places_before(Order, shift<A>)>(turn<order_from(Order, shift<A>), Time>(a))...);
        });
    }
};

/// A node of one operand that has its axes.
template <class N>
struct TurningUnary {
    using E = decltype(N::expression);
    template <std::uint64_t Order>
    static constexpr PartFault fault() {
        return turn_fault<Order, E>();
    }
};
/// One that stays around its turned operand.
template <class N>
struct TurningInside : TurningUnary<N> {
    template <std::uint64_t Order, int Time>
    static auto of(const N& n) {
        return n.with(turn<Order, Time>(n.expression));
    }
};
template <class F, class E>
struct Turning<Let<F, E>> : TurningInside<Let<F, E>> {};
template <class E>
struct Turning<StopGradient<E>> : TurningInside<StopGradient<E>> {};
template <class E, int Cuts>
struct Turning<Part<E, Cuts>> : TurningUnary<Part<E, Cuts>> {
    template <std::uint64_t Order, int Time>
    static auto of(const Part<E, Cuts>& n) {
        return make_part<Cuts + 1>(turn<Order, Cuts>(n.expression));
    }
};
template <class N, class Id>
struct TurningIdentified : TurningUnary<N> {
    template <std::uint64_t Order, int Time>
    static auto of(const N& n) {
        return turned_operand<Id, Order, Time>(turn<Order, Time>(n.expression));
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
    template <std::uint64_t Order>
    static constexpr PartFault fault() {
        return turn_fault<order_from(Order, 0, New), E>();
    }
    template <std::uint64_t Order, int Time>
    static auto of(const ExpandDims<New, E>& n) {
        return expand_dims<place_of(Order, New)>(turn<order_from(Order, 0, New), Time>(n.expression));
    }
};

template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct Turning<Reduce<Op, E, Mask, Keep, Acc>> {
    template <std::uint64_t Order>
    static constexpr std::uint64_t own = order_of_operand(Order, Mask, Keep, E::rank);
    template <std::uint64_t Order>
    static constexpr PartFault fault() {
        return turn_fault<own<Order>, E>();
    }
    template <std::uint64_t Order, int Time>
    static auto of(const Reduce<Op, E, Mask, Keep, Acc>& n) {
        const auto e = turn<own<Order>, Time>(n.expression);
        return Reduce<Op, std::remove_const_t<decltype(e)>, mask_in_order(own<Order>, Mask), Keep, Acc>(e);
    }
};

/// A sort runs along the last axis alone.
template <class Op>
inline constexpr bool is_sort_op = false;
template <bool Largest, bool Positions>
inline constexpr bool is_sort_op<SortOp<Largest, Positions>> = true;

template <class Op, class E, int Along, bool Exclusive, bool Reverse, class Acc>
struct Turning<Scan<Op, E, Along, Exclusive, Reverse, Acc>> {
    template <std::uint64_t Order>
    static constexpr PartFault fault() {
        constexpr bool last = place_of(Order, Along) == E::rank - 1;
        return is_sort_op<Op> && !last ? PartFault::runs : turn_fault<Order, E>();
    }
    template <std::uint64_t Order, int Time>
    static auto of(const Scan<Op, E, Along, Exclusive, Reverse, Acc>& n) {
        const auto e = turn<Order, Time>(n.expression);
        return Scan<Op, std::remove_const_t<decltype(e)>, place_of(Order, Along), Exclusive, Reverse, Acc>(e);
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
