// SPDX-License-Identifier: Apache-2.0
//
// Which leaves give a value of the intermediate form its extent along a domain axis, as types: an index<> is a leaf
// that carries those of its operand. What the planner asks about extents, it asks the array of nodes (stretching.hpp).
#pragma once

#include "fuse/plan/node_data.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The leaves that give N its extent along domain axis A, as a type_list.
template <class N, int A>
struct extent_leaves {
    using type = type_list<>;
};
template <class Id, class T, std::uint64_t Axes, int A>
struct extent_leaves<ir::Leaf<Id, T, Axes>, A> {
    using type = std::conditional_t<((AxisMap::unpack(Axes).mask() >> A) & 1U) != 0, type_list<ir::Leaf<Id, T, Axes>>,
                                    type_list<>>;
};
template <class F, class Id, class... Args, int A>
struct extent_leaves<ir::Call<F, Id, Args...>, A> {
    using type = unite_t<typename extent_leaves<Args, A>::type...>;
};
template <class R, class E, std::uint32_t Mask, int A>
struct extent_leaves<ir::Reduction<R, E, Mask>, A> {
    static constexpr bool reduced = !is_running<R> && ((Mask >> A) & 1U) != 0;
    using type = std::conditional_t<reduced, type_list<>, typename extent_leaves<E, A>::type>;
};

}  // namespace detail

FUSE_END_NAMESPACE
