// SPDX-License-Identifier: Apache-2.0
//
// How much room a walk over an expression needs, so that it can do without containers.
#pragma once

#include "fuse/lang/node.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

struct Tally {
    int views = 0;  ///< occurrences of views
    int depth = 1;  ///< operands that wait on a stack at a time, when nodes are visited after their operands

    /// The operands of one node, in order; depth counts those before.
    constexpr void add(const Tally& operand, int before) {
        views += operand.views;
        depth = depth < before + operand.depth ? before + operand.depth : depth;
    }
};

template <class N, class... E>
constexpr Tally tally_of(operand_types<E...>);

template <class N>
inline constexpr Tally tally = tally_of<N>(typename N::operands{});

template <class N, class... E>
constexpr Tally tally_of(operand_types<E...>) {
    Tally t{N::reads ? 1 : 0, 1};
    [[maybe_unused]] int before = 0;
    (t.add(tally<E>, before++), ...);
    return t;
}

}  // namespace detail

FUSE_END_NAMESPACE
