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
        constexpr int leaf = Graph::template number<typename L::type>;
        keys.of[leaf] = &part_key<Name>;
        for (std::size_t i = 0; i < sizeof...(E); ++i) {
            keys.cut[leaf] |= is_cut(Name::place, static_cast<int>(i)) ? 1U << AxisMap::unpack(Axes).axis[i] : 0U;
        }
    }
};
/// A window (lang/window.hpp) has other extents than its source where it is cut, or filled around. If the source is a part
/// itself, these are taken for those of the array: a derivative puts parts back.
template <class Graph, class W, std::uint64_t Axes, class Space, class Position, int D>
    requires requires {
        W::source_rank;
    }
struct note_parts<Graph, Lower<W, Axes, Space, Position, D>> {
    static constexpr void in(PartKeys& keys) {
        constexpr int leaf = Graph::template number<typename Lower<W, Axes, Space, Position, D>::form::leaf>;
        constexpr std::uint64_t place = place_of_view<typename W::source_name>(W::source_rank);
        for (int i = 0; i < W::source_rank; ++i) {
            const bool cut = (((W::kind.cut >> i) & 1U) != 0) != is_cut(place, i);
            if (cut && W::axes.axis[i] != AxisMap::open) {
                keys.cut[leaf] |= 1U << AxisMap::unpack(Axes).axis[W::axes.axis[i]];
            }
        }
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
