// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a flattened expression through which a variable is reached, and what they hand to their operands.
#pragma once

#include "fuse/gradient/activation.hpp"
#include "fuse/gradient/placed_parts.hpp"
#include "fuse/gradient/scans.hpp"
#include "fuse/gradient/user_folds.hpp"
#include "fuse/gradient/user_functors.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The name by which N may be a variable: void if it has none.
template <class N>
struct name_of_variable {
    using type = void;
};
template <class T, class Name, index_t... E>
struct name_of_variable<View<T, Name, E...>> {
    using type = std::conditional_t<is_named<Name>, Name, void>;
};
template <class T, class Name>
struct name_of_variable<Scalar<T, Name>> {
    using type = std::conditional_t<is_named<Name>, Name, void>;
};
template <class Name, class E>
struct name_of_variable<Named<Name, E>> {
    using type = Name;
};
template <class N, class Name>
inline constexpr bool is_variable = std::is_same_v<typename name_of_variable<N>::type, Name>;

/// Whether what Id says in a Part is one of the expression named<> Name.
template <class Id, class Name>
inline constexpr bool is_part_of_named = false;
template <class Name>
inline constexpr bool is_part_of_named<named_id<Name>, Name> = true;
template <class Id, int Axis, class How, class Name>
inline constexpr bool is_part_of_named<part_id<Id, Axis, How>, Name> = is_part_of_named<Id, Name>;

/// Whether the variable is reached through N, be it in a placed part; `Parts`: in a part without a place.
template <class Name, class N, bool Parts, class... E>
constexpr bool reaches(operand_types<E...>);
template <class N, class Name, bool Parts = false>
inline constexpr bool is_active = reaches<Name, N, Parts>(typename N::operands{});
template <class T, class Part, index_t... E, class Name, bool Parts>
inline constexpr bool is_active<View<T, Part, E...>, Name, Parts> =
    Parts ? is_other_part<Part, Name> : std::is_same_v<Part, Name> || is_placed_part<Part, Name>;
template <class T, class Source, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, index_t... E, class Name,
          bool Parts>
inline constexpr bool is_active<Window<T, Source, Axes, Moves, Kind, E...>, Name, Parts> =
    Parts ? is_other_part<Source, Name> : is_placed_leaf<Window<T, Source, Axes, Moves, Kind, E...>, Name>;
template <class Id, class E, class Name>
inline constexpr bool is_active<PartOperand<Id, E>, Name, true> =
    is_part_of_named<Id, Name> || is_active<E, Name, true>;
template <class Part, class E, class Name>
inline constexpr bool is_active<Named<Part, E>, Name, true> = is_other_part<Part, Name> || is_active<E, Name, true>;
template <class E, class Name, bool Parts>
inline constexpr bool is_active<StopGradient<E>, Name, Parts> = false;

template <class Name, class N, bool Parts, class... E>
constexpr bool reaches(operand_types<E...>) {
    if constexpr (std::is_integral_v<value_t<N>>) {
        return false;
    } else {
        return (!Parts && is_variable<N, Name>) || (is_active<E, Name, Parts> || ...);
    }
}

/// N with its operands, and its rule: pull<K, Same>(a) is what operand K gets of a, the derivative with respect to N.
/// Same: types that have the shape of N. keeps_shape<K>: operand K has it, too (broadcasting.hpp has looked).
template <class Tag, class N>
struct GraphNode {
    using operands = type_list<>;
};

template <class Tag, class N, class F, class... Args>
struct MapNode {
    using operands = type_list<Args...>;
    template <int K>
    static constexpr bool keeps_shape = stretched_axes<N, at_t<operands, K>> == 0;
    template <int K>
    static constexpr const auto& operand(const Map<F, Args...>& n) {
        return get<K>(n.args);
    }
    /// y: what stands for n in expressions.
    template <int K, class Same, class A>
    static constexpr auto pull_of(const A& a, const N& y, const Map<F, Args...>& n) {
        const auto own = [&a, &y](const auto&... x) { return Derivative<F>::template pull<K, value_t<N>>(a, y, x...); };
        return summed_to<Same>(on_elements(n.args, own), y, operand<K>(n));
    }
};
template <class Tag, class F, class... Args>
struct GraphNode<Tag, Map<F, Args...>> : MapNode<Tag, Map<F, Args...>, F, Args...> {
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const Map<F, Args...>& n) {
        return GraphNode::template pull_of<K, Same>(a, n, n);
    }
};
template <class Tag, class Pin, class Id, class F, class... Args>
struct GraphNode<Tag, Pinned<Pin, Id, Map<F, Args...>>> : MapNode<Tag, Pinned<Pin, Id, Map<F, Args...>>, F, Args...> {
    using node = Pinned<Pin, Id, Map<F, Args...>>;
    template <int K>
    static constexpr const auto& operand(const node& n) {
        return get<K>(n.expression.args);
    }
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const node& n) {
        return GraphNode::template pull_of<K, Same>(a, n, n.expression);
    }
};

template <class N>
inline constexpr bool is_map = false;
template <class F, class... Args>
inline constexpr bool is_map<Map<F, Args...>> = true;
template <class Pin, class Id, class E>
inline constexpr bool is_map<Pinned<Pin, Id, E>> = is_map<E>;

template <class E>
struct OneOperand {
    using operands = type_list<E>;
    template <int K>
    static constexpr bool keeps_shape = false;
    template <int K, class N>
    static constexpr const E& operand(const N& n) {
        return n.expression;
    }
};
template <class Tag, class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct GraphNode<Tag, Reduce<Op, E, Mask, Keep, Acc>> : OneOperand<E> {
    template <int K, class Same, class A>
    static auto pull(const A& a, const Reduce<Op, E, Mask, Keep, Acc>& n) {
        const auto own = pull_of_fold<Tag>(a, n);
        if constexpr (is_one<std::remove_const_t<decltype(own)>>) {
            return own;
        } else {
            return as_term<value_t<E>>(own);
        }
    }
};
/// The element at a position has the operand of WithIndex, where one row may lie beside many positions.
template <class Tag, class Op, class X, class I, std::uint32_t Mask, bool Keep, class Acc>
struct GraphNode<Tag, Reduce<Op, Map<WithIndex, X, I>, Mask, Keep, Acc>> {
    using node = Reduce<Op, Map<WithIndex, X, I>, Mask, Keep, Acc>;
    using operands = type_list<X>;
    template <int K>
    static constexpr bool keeps_shape = false;
    template <int K>
    static constexpr const X& operand(const node& n) {
        return get<0>(n.expression.args);
    }
    template <int K, class Same, class A>
    static auto pull(const A& a, const node& n) {
        const auto& with_positions = n.expression;
        using All = type_list<std::remove_cvref_t<decltype(with_positions)>>;
        return summed_to<All>(FoldDerivative<Op>::template pull<Tag>(a, n), with_positions, operand<0>(n));
    }
};
/// With the shape of its operand.
template <class Tag, class Op, class E, int Axis, bool Exclusive, bool Reverse, class Acc>
    requires HasScanDerivative<Op>
struct GraphNode<Tag, Scan<Op, E, Axis, Exclusive, Reverse, Acc>> : OneOperand<E> {
    template <int K>
    static constexpr bool keeps_shape = true;
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const Scan<Op, E, Axis, Exclusive, Reverse, Acc>& n) {
        if constexpr (is_zero<A>) {
            return a;
        } else {
            return as_term<value_t<E>>(ScanDerivative<Op>::pull(spread_over<value_t<decltype(n)>, Same>(a, n), n));
        }
    }
};
template <class Tag, int Axis, class E>
struct GraphNode<Tag, ExpandDims<Axis, E>> : OneOperand<E> {
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const ExpandDims<Axis, E>&) {
        constexpr int behind = E::rank - Axis;
        if constexpr (is_zero<A> || is_one<A>) {
            return a;
        } else if constexpr (A::rank <= behind) {
            return a;
        } else {
            return Reduce<Add<>, A, (1U << (A::rank - 1 - behind)), false, void>(a);
        }
    }
};
/// N has coordinates of its own.
template <class N, class E>
struct FrameNode : OneOperand<E> {
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const N& n) {
        if constexpr (is_zero<A> || is_one<A>) {
            return a;
        } else if constexpr (A::counts) {
            return framed(spread_over<value_t<A>, Same>(a, n));
        } else {
            return a;
        }
    }
};
template <class Tag, class Name, class E>
struct GraphNode<Tag, Named<Name, E>> : FrameNode<Named<Name, E>, E> {};
template <class Tag, class E>
struct GraphNode<Tag, Framed<E>> : FrameNode<Framed<E>, E> {};

}  // namespace detail

FUSE_END_NAMESPACE
