// SPDX-License-Identifier: Apache-2.0
//
// Which leaves of a program are parts of an array, x[0], and of which place, and which are that array. A leaf does not say:
// it is known by where it stands in the expression.
#pragma once

#include "fuse/plan/lower_statements.hpp"
#include "fuse/plan/spaces.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Name>
struct array_name {
    using type = Name;
};
template <class Name, std::uint64_t Place>
struct array_name<part_of<Name, Place>> {
    using type = Name;
};

/// Leaf number `leaf` is a view of this name, which lies along these axes.
template <class Name>
constexpr void note_array(PartKeys& keys, int leaf, const AxisMap& axes) {
    const std::uint64_t place = place_of_view<Name>(axes.rank);
    const AxisMap own = AxisMap::unpack(place);
    for (signed char& axis : keys.along[leaf]) {
        axis = -1;
    }
    for (int i = 0; i < axes.rank && place != no_place; ++i) {
        keys.along[leaf][axes.axis[i]] = static_cast<signed char>(own.axis[i]);
    }
    keys.array[leaf] = &part_key<typename array_name<Name>::type>;
}

/// Notes the views in what L, a Lower, stands for, by their numbers in Graph.
template <class Graph, class L>
struct note_parts {
    static constexpr void in(PartKeys&) {}
};
template <class Graph, class T, class Name, index_t... E, std::uint64_t Axes, class Space, class Position, int D>
    requires(PartNames::is<Name> || is_named<Name>)
struct note_parts<Graph, Lower<View<T, Name, E...>, Axes, Space, Position, D>> {
    static constexpr void in(PartKeys& keys) {
        using L = Lower<View<T, Name, E...>, Axes, Space, Position, D>;
        constexpr int leaf = Graph::template number<typename L::type>;
        keys.of[leaf] = is_named<Name> ? nullptr : &part_key<Name>;
        note_array<Name>(keys, leaf, AxisMap::unpack(Axes));
    }
};
/// A window between whose elements others stand has again the extents of the array that its source is a part of.
template <class Graph, class W, std::uint64_t Axes, class Space, class Position, int D>
    requires(W::kind.apart)
struct note_parts<Graph, Lower<W, Axes, Space, Position, D>> {
    static constexpr void in(PartKeys& keys) {
        constexpr AxisMap domain = AxisMap::unpack(Axes);
        constexpr int leaf = Graph::template number<typename Lower<W, Axes, Space, Position, D>::form::leaf>;
        const AxisMap source = AxisMap::unpack(place_of_view<typename W::source_name>(W::source_rank));
        note_array<typename W::name_type>(keys, leaf, AxisMap{});
        for (int i = 0; i < W::source_rank && source.pack() != no_place; ++i) {
            if (W::axes.axis[i] != AxisMap::open) {
                const bool spread = ((W::kind.cut >> i) & 1U) != 0;
                keys.along[leaf][domain.axis[W::axes.axis[i]]] =
                    static_cast<signed char>(source.axis[i] & (spread ? cut_axis - 1 : cut_axis | (cut_axis - 1)));
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
