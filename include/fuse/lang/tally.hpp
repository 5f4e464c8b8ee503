// SPDX-License-Identifier: Apache-2.0
//
// How much room a walk over an expression needs, so that it can do without containers.
#pragma once

#include <cstdint>

#include "fuse/lang/let.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/reduce.hpp"
#include "fuse/lang/scan.hpp"
#include "fuse/lang/view.hpp"

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

template <class E>
inline constexpr Tally tally = {};
template <class T, class Name, index_t... E>
inline constexpr Tally tally<View<T, Name, E...>> = {1, 1};
template <class F, class... Args>
inline constexpr Tally tally<Map<F, Args...>> = [] {
    Tally t;
    int before = 0;
    (t.add(tally<Args>, before++), ...);
    return t;
}();
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
inline constexpr Tally tally<Reduce<Op, E, Mask, Keep, Acc>> = tally<E>;
template <class Op, class E, int Axis, bool Exclusive, class Acc>
inline constexpr Tally tally<Scan<Op, E, Axis, Exclusive, Acc>> = tally<E>;
template <class Name, class E>
inline constexpr Tally tally<Named<Name, E>> = tally<E>;
template <int Axis, class E>
inline constexpr Tally tally<ExpandDims<Axis, E>> = tally<E>;
template <class F, int I, class E>
inline constexpr Tally tally<Bound<F, I, E>> = tally<E>;
template <class F, class Body, class... E>
inline constexpr Tally tally<Let<F, Body, E...>> = tally<Body>;

}  // namespace detail

FUSE_END_NAMESPACE
