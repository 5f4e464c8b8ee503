// SPDX-License-Identifier: Apache-2.0
//
// Which parts of an expression cost more than keeping their values: calls of functions that are more than an instruction
// or two. A host thread keeps these in memory while it folds them, and until the next sweep of the row asks again.
#pragma once

#include "fuse/ops/functors/arithmetic.hpp"
#include "fuse/ops/functors/comparison.hpp"
#include "fuse/ops/functors/logic.hpp"
#include "fuse/ops/functors/min_max.hpp"
#include "fuse/ops/reductions/pick.hpp"
#include "fuse/plan/program.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Functors of an instruction or two.
template <class F>
inline constexpr bool light_functor = false;
template <class T>
inline constexpr bool light_functor<Identity<T>> = true;
template <class T>
inline constexpr bool light_functor<Neg<T>> = true;
template <class T>
inline constexpr bool light_functor<Abs<T>> = true;
template <class T>
inline constexpr bool light_functor<Add<T>> = true;
template <class T>
inline constexpr bool light_functor<Sub<T>> = true;
template <class T>
inline constexpr bool light_functor<Mul<T>> = true;
template <class T>
inline constexpr bool light_functor<Div<T>> = true;
template <class T>
inline constexpr bool light_functor<Square<T>> = true;
template <class T>
inline constexpr bool light_functor<Less<T>> = true;
template <class T>
inline constexpr bool light_functor<LessEqual<T>> = true;
template <class T>
inline constexpr bool light_functor<Greater<T>> = true;
template <class T>
inline constexpr bool light_functor<GreaterEqual<T>> = true;
template <class T>
inline constexpr bool light_functor<Equal<T>> = true;
template <class T>
inline constexpr bool light_functor<NotEqual<T>> = true;
template <class T>
inline constexpr bool light_functor<LogicalNot<T>> = true;
template <class T>
inline constexpr bool light_functor<Max<T>> = true;
template <class T>
inline constexpr bool light_functor<Min<T>> = true;
template <class T>
inline constexpr bool light_functor<Where<T>> = true;
template <>
inline constexpr bool light_functor<WithIndex> = true;

/// The costly calls that are no part of another, as a list.
template <class E>
struct costly_calls {
    using type = type_list<>;
};
template <class F, int Slot, class... Args>
struct costly_calls<kir::Call<F, Slot, Args...>> {
    using type = type_list<kir::Call<F, Slot, Args...>>;
};
template <class F, int Slot, class... Args>
    requires light_functor<F>
struct costly_calls<kir::Call<F, Slot, Args...>> {
    using type = unite_t<type_list<>, typename costly_calls<Args>::type...>;
};

/// Whether one expression is part of another, or the same.
template <class E, class Part>
inline constexpr bool contains_call = std::is_same_v<E, Part>;
template <class F, int Slot, class... Args, class Part>
inline constexpr bool
    contains_call<kir::Call<F, Slot, Args...>, Part> = std::is_same_v<kir::Call<F, Slot, Args...>, Part> ||
                                                       (contains_call<Args, Part> || ...);

}  // namespace detail

FUSE_END_NAMESPACE
