// SPDX-License-Identifier: Apache-2.0
//
// diff(x, axes<k>): differences of neighbours, as a map of two views of the same data, one element apart; of an
// expression that of two of its parts.
#pragma once

#include <utility>

#include "fuse/lang/axes.hpp"
#include "fuse/lang/expression_parts.hpp"
#include "fuse/lang/operators.hpp"
#include "fuse/lang/view.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The name of a part of a named view: as an identity it must say which part.
template <class Name, char... C>
struct suffixed {
    using type = unnamed;
};
template <char... N, char... C>
struct suffixed<name<N...>, C...> {
    using type = name<N..., C...>;
};
/// ":," for each axis before Axis: what numpy writes before a slice of that axis.
template <class Name, int Axis>
struct before_axis {
    using type = typename before_axis<typename suffixed<Name, ':', ','>::type, Axis - 1>::type;
};
template <class Name>
struct before_axis<Name, 0> {
    using type = Name;
};
template <class Name, int Axis>
using axis_prefix = typename before_axis<typename suffixed<Name, '['>::type, Axis>::type;

/// What all but the last one or the first one along an axis of a view of this name is called. Of a part it is
/// another part of the same whole.
template <class Name, int Axis, int First>
struct name_of_difference : std::conditional_t<First == 0, suffixed<axis_prefix<Name, Axis>, ':', '-', '1', ']'>,
                                               suffixed<axis_prefix<Name, Axis>, '1', ':', ']'>> {};
template <HasPlace Name, int Axis, int First>
struct name_of_difference<Name, Axis, First> : name_of_part<Name, place_cut(Name::place, 1U << Axis)> {};

/// All elements of x along Axis but the last one (First = 0) or the first one (First = 1).
template <int Axis, int First, class T, class Name, index_t... E, int... I>
auto all_but_one(const View<T, Name, E...>& x, std::integer_sequence<int, I...>) {
    using Part = name_of_difference<Name, Axis, First>;
    Shape shape = x.shape();
    const bool any = shape[Axis] > 0;
    shape[Axis] -= any ? 1 : 0;
    return View<T, typename Part::type, (I == Axis && E > 0 ? E - 1 : E)...>(
        x.data() + (shape[Axis] > 0 ? First * x.strides()[Axis] : 0), shape, x.strides());
}

/// The difference of two parts, of bool whether they differ.
template <class After, class Before>
constexpr auto difference(const After& after, const Before& before) {
    if constexpr (std::is_same_v<value_t<After>, bool>) {
        return after != before;
    } else {
        return after - before;
    }
}

}  // namespace detail

/// x[i + 1] - x[i] along an axis, the last one unless axes<k> says otherwise: one element less there, none of no
/// element. Of bool whether they differ, as in numpy; unsigned integers wrap around.
template <class T, class Name, index_t... E, int Axis = -1>
constexpr auto diff(const View<T, Name, E...>& x, axes_t<Axis> = {}) {
    constexpr int rank = sizeof...(E);
    static_assert(rank > 0, "fuse: diff needs an axis: its operand is a scalar");
    constexpr int axis = Axis < 0 ? Axis + rank : Axis;
    constexpr bool inside = axis >= 0 && axis < rank;
    static_assert(rank == 0 || inside, "fuse: diff: the axis is outside the operand's rank");
    if constexpr (inside) {
        constexpr auto each = std::make_integer_sequence<int, rank>{};
        return detail::difference(detail::all_but_one<axis, 1>(x, each), detail::all_but_one<axis, 0>(x, each));
    } else {
        return detail::refused();
    }
}

/// The same of an expression, which is computed at both places. Evaluate first what counts positions, or runs along the axis.
template <detail::Formula E, int Axis = -1>
auto diff(const E& e, axes_t<Axis> = {}) {
    if constexpr (E::rank == 0) {
        static_assert(E::rank > 0, "fuse: diff needs an axis: its operand is a scalar");
        return detail::refused();
    } else {
        FUSE_CHECK_PART(Axis, E);
        if constexpr (detail::has_part<Axis, E>) {
            return detail::difference(slice<Axis>(e, 1, {}), slice<Axis>(e, {}, -1));
        } else {
            return detail::refused();
        }
    }
}

FUSE_END_NAMESPACE
