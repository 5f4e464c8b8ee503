// SPDX-License-Identifier: Apache-2.0
//
// The refusal of two reductions that cannot be one kernel, which names both and their axes.
#pragma once

#include "fuse/plan/analyze.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Printed by the compiler when two reductions exclude each other.
template <class R, class Axes>
struct reduction_over {};
template <std::uint32_t Mask, class Sequence = std::make_integer_sequence<int, max_rank>>
struct axes_of_mask;
template <std::uint32_t Mask, int... I>
struct axes_of_mask<Mask, std::integer_sequence<int, I...>> {
    template <int J>
    using one = std::conditional_t<((Mask >> J) & 1U) != 0, type_list<std::integral_constant<int, J>>, type_list<>>;
    template <class... A>
    static axes_t<A::value...> to_axes(type_list<A...>);
    using type = decltype(to_axes(concat_t<type_list<>, one<I>...>{}));
};
template <class First, class Second, bool Fits>
struct these_two_reductions_cannot_be_one_kernel {
    static_assert(Fits,
                  "fuse: two reductions over different axes cannot be one kernel (unless the second folds the results "
                  "of the first to a scalar, as the mean of a per-row loss): evaluate one of them into a view first. "
                  "The two reductions and their axes are named in this template's arguments");
};
template <class Red>
using named_reduction =
    reduction_over<typename red_traits<Red>::reduction, typename axes_of_mask<red_traits<Red>::mask>::type>;

}  // namespace detail

FUSE_END_NAMESPACE
