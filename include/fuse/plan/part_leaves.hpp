// SPDX-License-Identifier: Apache-2.0
//
// Which leaves of a program are parts of an array, x[0], and of which place. A leaf does not say: it is known by where it
// stands in the expression.
#pragma once

#include "fuse/plan/lower_statements.hpp"
#include "fuse/plan/spaces.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Notes the parts in what L, a Lower, stands for, by their numbers in Graph.
template <class Graph, class L>
struct note_parts {
    static constexpr void in(PartKeys&) {}
};
template <class Graph, class T, class Name, index_t... E, std::uint64_t Axes, class Space, class Position, int D>
    requires(PartNames::is<Name>)
struct note_parts<Graph, Lower<View<T, Name, E...>, Axes, Space, Position, D>> {
    static constexpr void in(PartKeys& keys) {
        using L = Lower<View<T, Name, E...>, Axes, Space, Position, D>;
        keys.of[Graph::template number<typename L::type>] = &part_key<Name>;
    }
};
template <class Graph, class F, class... Args, std::uint64_t Axes, class Space, class Position, int D>
struct note_parts<Graph, Lower<Map<F, Args...>, Axes, Space, Position, D>> {
    template <int... I>
    static constexpr void in_all(PartKeys& keys, std::integer_sequence<int, I...>) {
        using L = Lower<Map<F, Args...>, Axes, Space, Position, D>;
        (note_parts<Graph, typename L::template child<Args, I>>::in(keys), ...);
    }
    static constexpr void in(PartKeys& keys) {
        in_all(keys, std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>{});
    }
};
template <class Graph, class Node, std::uint64_t Axes, class Space, class Position, int D>
    requires requires {
        typename Lower<Node, Axes, Space, Position, D>::operand;
    }
struct note_parts<Graph, Lower<Node, Axes, Space, Position, D>>
    : note_parts<Graph, typename Lower<Node, Axes, Space, Position, D>::operand> {};

/// Those of the statements S.
template <bool Any, class Graph, class... S>
inline constexpr PartKeys part_keys{};
template <class Graph, class... S>
inline constexpr PartKeys part_keys<true, Graph, S...> = [] {
    PartKeys keys;
    [&keys]<class... L>(type_list<L...>) {
        (note_parts<Graph, L>::in(keys), ...);
    }(typename LowerStatements<S...>::all::roots{});
    return keys;
}();

}  // namespace detail

FUSE_END_NAMESPACE
