// SPDX-License-Identifier: Apache-2.0
//
// Along which domain axes a value of the intermediate form varies, and which leaves give it its extent there. The extent
// of an operand along an axis is that of its leaves (an extent of 1 stretches): two operands with the same leaves along an
// axis have the same extent, whatever it is when the program runs.
#pragma once

#include "fuse/lang/scan.hpp"
#include "fuse/plan/axis_map.hpp"
#include "fuse/plan/ir.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bit i: the value may change along domain axis i.
template <class N>
inline constexpr std::uint32_t varies = 0;
template <class Id, class T, std::uint64_t Axes>
inline constexpr std::uint32_t varies<ir::Leaf<Id, T, Axes>> = AxisMap::unpack(Axes).mask();
template <int Axis, class Leaves>
inline constexpr std::uint32_t varies<ir::Index<Axis, Leaves>> = 1U << Axis;
template <class F, class Id, class... Args>
inline constexpr std::uint32_t varies<ir::Call<F, Id, Args...>> = (0U | ... | varies<Args>);
template <class R, class E, std::uint32_t Mask>
inline constexpr std::uint32_t varies<ir::Red<R, E, Mask>> = is_running<R> ? varies<E> : varies<E> & ~Mask;

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
struct extent_leaves<ir::Red<R, E, Mask>, A> {
    static constexpr bool reduced = !is_running<R> && ((Mask >> A) & 1U) != 0;
    using type = std::conditional_t<reduced, type_list<>, typename extent_leaves<E, A>::type>;
};

/// How many of the leaves of a program lie along axis A.
template <int A, class... N>
constexpr int leaves_along(type_list<N...>) {
    return (0 + ... + extent_leaves<N, A>::type::size);
}

/// Whether N may have extent 1 along axis A where the domain is larger: Leaves, which give the domain its extents, has a
/// leaf there that N has not.
template <class N, class Leaves, int A>
constexpr bool stretches_along() {
    constexpr int all = leaves_along<A>(Leaves{});
    constexpr auto axes = varies<N>;
    if constexpr (all == 0 || (all == 1 && ((axes >> A) & 1U) != 0)) {
        return false;
    } else {
        return extent_leaves<N, A>::type::size != all;
    }
}
/// The same along any of the axes in Mask.
template <class N, class Leaves, std::uint32_t Mask, int... A>
constexpr bool may_be_stretched(std::integer_sequence<int, A...>) {
    return ((((Mask >> A) & 1U) != 0 && stretches_along<N, Leaves, A>()) || ...);
}

}  // namespace detail

FUSE_END_NAMESPACE
