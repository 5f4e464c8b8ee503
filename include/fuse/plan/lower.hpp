// SPDX-License-Identifier: Apache-2.0
//
// From the user's nodes to the intermediate form. Lower<Node, ...>::type is the IR type; Lower<...>::walk walks the
// same tree with the run-time objects, operands first, and hands each node to a sink, leaves under their IR type, so
// that the type-level and the run-time traversal cannot disagree. sink.nodes().node(n) hears of every node, whatever it
// is: one function for all programs where what nodes() gives has no type of theirs.
//   Axes    packed AxisMap of the node            Space  what index<Axis> counts in: the enclosing operand
//   Position  where it stands (lang/identity.hpp) D      rank of the domain
#pragma once

#include "fuse/lang/index.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/view.hpp"
#include "fuse/ops/functors/reduce_one.hpp"
#include "fuse/plan/deviations.hpp"
#include "fuse/plan/exponentials.hpp"
#include "fuse/plan/index_space.hpp"
#include "fuse/plan/refusal.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class N>
inline constexpr bool is_ir_reduction = false;
template <class R, class E, std::uint32_t Mask>
inline constexpr bool is_ir_reduction<ir::Reduction<R, E, Mask>> = true;

template <class R>
inline constexpr bool is_sort = requires {
    R::positions;
};

/// The reduction of E by R. Along axes of which none is left where E varies it folds one element: a map.
template <class R, class E, std::uint32_t Mask, bool Single = (varies<E> & Mask) == 0>
struct fold : joined_fold<R, E, Mask & varies<E>> {};
template <class R, class E, std::uint32_t Mask>
struct fold<R, E, Mask, true> {
    using type = ir::Call<ReduceOne<R>, stateless_id, E>;
};
/// So does a scan. A sort keeps its kernel.
template <class R, bool Exclusive, bool Reverse, class E, std::uint32_t Mask>
struct fold<Running<R, Exclusive, Reverse>, E, Mask, true> {
    using type =
        std::conditional_t<is_sort<R>, ir::Reduction<Running<R, Exclusive, Reverse>, E, Mask>,
                           ir::Call<std::conditional_t<Exclusive, ReduceNone<R>, ReduceOne<R>>, stateless_id, E>>;
};

/// What a node of one operand becomes: with a reduction op the reduction along the axes in its mask, else its operand.
template <class Node, class E, std::uint64_t Axes>
struct form {
    using type = E;
};
template <class Node, class E, std::uint64_t Axes>
    requires requires {
        typename Node::reduction_op;
    }
struct form<Node, E, Axes> : fold<typename Node::reduction_op, E, AxisMap::unpack(Axes).mask(Node::mask)> {};

/// The first refusal of some nodes, lowered.
template <class... L>
inline constexpr Refusal refusal_among = first_of({Refusal::none, L::refusal...});

}  // namespace detail

/// A node of one operand, whatever its kind.
template <class Node, std::uint64_t Axes, class Space, class Position, int D>
struct Lower {
    using E = decltype(Node::expression);
    static constexpr AxisMap inner =
        Node::template operand_axes<likely_map<E, D>>(AxisMap::unpack(Axes), natural_map<E, D>::value);
    static constexpr std::uint64_t axes = inner.pack();
    using position = typename Node::template inside<Position>;
    using space = typename std::conditional_t<Node::own_coordinates, detail::operand_space<E, axes, position, D>,
                                              std::type_identity<Space>>::type;
    using operand = Lower<E, axes, space, position, D>;
    static constexpr detail::Refusal refusal = !Node::template belongs<Position> ? detail::Refusal::let_apart
                                               : !inner.consistent               ? detail::Refusal::other_place
                                               : operand::refusal == detail::Refusal::none && inner.crowded
                                                   ? detail::Refusal::crowded
                                                   : operand::refusal;
    using form = detail::form<Node, typename operand::type, axes>;
    using type = typename form::type;
    /// Whether it folds deviations from a mean without it.
    static constexpr bool joins_mean = requires { typename form::mean; };
    template <class Sink>
    static void walk(const Node& n, Sink& sink) {
        if constexpr (joins_mean) {
            detail::WithoutReduction<Sink, typename form::mean> rest{sink};
            operand::walk(n.expression, rest);
        } else {
            operand::walk(n.expression, sink);
        }
        if constexpr (requires { typename Node::reduction_op; }) {
            if constexpr (detail::is_ir_reduction<type>) {
                sink.template reduction<type, axes>(n);
            }
        }
        sink.nodes().node(n);
    }
};

namespace detail {

/// Its operands have the numbers I.
template <class Node, std::uint64_t Axes, class Space, class Position, int D, class Numbers>
struct LowerMap;
template <class F, class... Args, std::uint64_t Axes, class Space, class Position, int D, int... I>
struct LowerMap<Map<F, Args...>, Axes, Space, Position, D, std::integer_sequence<int, I...>> {
    using node = Map<F, Args...>;
    static constexpr bool stateless = std::is_empty_v<F>;
    using id = std::conditional_t<stateless, stateless_id, typename Position::id>;

    template <class Arg, int J>
    using child = Lower<Arg, AxisMap::unpack(Axes).last(Arg::rank).pack(), Space,
                        typename Position::template after<(stateless ? 0 : 1) + positions_before<J, Args...>>, D>;

    using type = typename call_of<F>::template type<id, typename child<Args, I>::type...>;
    static constexpr Refusal refusal = refusal_among<child<Args, I>...>;
    template <class Sink>
    static void walk(const node& n, Sink& sink) {
        if constexpr (!stateless) {
            sink.template functor<id>(n.functor);
        }
        (child<Args, I>::walk(get<I>(n.args), sink), ...);
        sink.nodes().node(n);
    }
};

}  // namespace detail

template <class F, class... Args, std::uint64_t Axes, class Space, class Position, int D>
struct Lower<Map<F, Args...>, Axes, Space, Position, D>
    : detail::LowerMap<Map<F, Args...>, Axes, Space, Position, D,
                       std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>> {};

// The leaves. An index<> may be refused.

template <class T, class Name, index_t... E, std::uint64_t Axes, class Space, class Position, int D>
struct Lower<View<T, Name, E...>, Axes, Space, Position, D> {
    using id = std::conditional_t<is_named<Name>, Name, typename Position::id>;
    using type = ir::Leaf<id, typename View<T, Name, E...>::storage_type, Axes>;
    static constexpr detail::Refusal refusal = detail::Refusal::none;
    template <class Sink>
    static void walk(const View<T, Name, E...>& view, Sink& sink) {
        sink.template leaf<type>(view);
        sink.nodes().node(view);
    }
};

template <class T, class Name, std::uint64_t Axes, class Space, class Position, int D>
struct Lower<Scalar<T, Name>, Axes, Space, Position, D> {
    using type = ir::Scalar<std::conditional_t<is_named<Name>, Name, typename Position::id>, T>;
    static constexpr detail::Refusal refusal = detail::is_refused<Name> ? detail::Refusal::said : detail::Refusal::none;
    template <class Sink>
    static void walk(const Scalar<T, Name>& scalar, Sink& sink) {
        sink.template scalar<type>(scalar);
        sink.nodes().node(scalar);
    }
};

template <class T, long Num, long Den, std::uint64_t Axes, class Space, class Position, int D>
struct Lower<Constant<T, Num, Den>, Axes, Space, Position, D> {
    using type = ir::Constant<T, Num, Den>;
    static constexpr detail::Refusal refusal = detail::Refusal::none;
    template <class Sink>
    static void walk(const Constant<T, Num, Den>& constant, Sink& sink) {
        sink.nodes().node(constant);
    }
};

template <int Axis, std::uint64_t Axes, class Space, class Position, int D>
struct Lower<Index<Axis>, Axes, Space, Position, D> {
    using type = typename Space::template coordinate<Axis>;
    static constexpr detail::Refusal refusal = !Space::template has_axis<Axis>     ? detail::Refusal::index_axis
                                               : !Space::template has_extent<Axis> ? detail::Refusal::index_extent
                                                                                   : detail::Refusal::none;
    template <class Sink>
    static void walk(const Index<Axis>& index, Sink& sink) {
        sink.nodes().node(index);
    }
};

template <std::uint64_t Axes, class Space, class Position, int D>
struct Lower<FlatIndex, Axes, Space, Position, D> {
    using type = typename Space::flat_index;
    static constexpr detail::Refusal refusal = detail::Refusal::none;
    template <class Sink>
    static void walk(const FlatIndex& index, Sink& sink) {
        sink.nodes().node(index);
    }
};

FUSE_END_NAMESPACE
