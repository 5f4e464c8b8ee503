// SPDX-License-Identifier: Apache-2.0
//
// Evaluation of a kernel expression for one item. A context answers three questions: the value of leaf I for item v,
// the result of reduction I for item v, the state of functor S. Everything is inlined; the compiler sees plain code.
#pragma once

#include "fuse/kernels/body/narrow_windows.hpp"
#include "fuse/kernels/body/params.hpp"
#include "fuse/kernels/body/positions.hpp"
#include "fuse/kernels/body/unpack.hpp"
#include "fuse/ops/types/compute_type.hpp"
#include "fuse/plan/rounded_casts.hpp"
#include "fuse/primitives/thread/elementwise.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Context, class Calls, class Values>
struct WithValues;  // row_constants.hpp

/// Whether a context has computed a call before.
template <class Context, class Call>
inline constexpr bool has_values_of = false;
template <class Context, class Calls, class Values, class Call>
inline constexpr bool has_values_of<WithValues<Context, Calls, Values>, Call> =
    index_of<Calls, Call> >= 0 || has_values_of<Context, Call>;

}  // namespace detail

template <int I>
struct Evaluate<kir::Leaf<I>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c, int v) {
        return to_compute(c.template leaf<I>(v));
    }
};

template <int I>
struct Evaluate<kir::Result<I>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c, int v) {
        return c.template result<I>(v);
    }
};

template <class T, long Num, long Den>
struct Evaluate<kir::Constant<T, Num, Den>> {
    template <class Context>
    static FUSE_HD T at(const Context&, int) {
        constexpr T value = Num % Den == 0 ? static_cast<T>(Num / Den) : static_cast<T>(static_cast<double>(Num) / Den);
        return value;
    }
};

namespace detail {

/// Expression E as an element of T: converted once.
template <class T, class E>
struct EvaluateAs {
    template <class Context>
    static FUSE_HD storage_t<T> at(const Context& c, int v) {
        return from_compute<T>(Evaluate<E>::at(c, v));
    }
};
/// A device rounds and converts a float in one instruction.
template <class T, Rounds F, class A>
    requires std::is_integral_v<T>
struct EvaluateAs<T, kir::Call<F, -1, A>> {
    template <class Context>
    static FUSE_HD T at(const Context& c, int v) {
        using E = kir::Call<F, -1, A>;
#if FUSE_ON_DEVICE
        if constexpr (converts_at_once<T, decltype(Evaluate<A>::at(c, v))> && !has_values_of<Context, E> &&
                      std::is_same_v<decltype(Evaluate<E>::at(c, v)), float>) {
            return to_integer<T, F::rounding>(Evaluate<A>::at(c, v));
        }
#endif
        return from_compute<T>(Evaluate<E>::at(c, v));
    }
};

}  // namespace detail

template <class F, int Slot, class... Args>
struct Evaluate<kir::Call<F, Slot, Args...>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c, int v) {
        if constexpr (detail::compares_position<Context, kir::Call<F, Slot, Args...>>) {
            return detail::ComparePosition<kir::Call<F, Slot, Args...>>::at(c, v);
        } else if constexpr (Slot >= 0) {
            return to_compute(c.template functor<Slot>()(Evaluate<Args>::at(c, v)...));
        } else if constexpr (detail::casts_to_integer<F>) {
            return to_compute(detail::EvaluateAs<detail::cast_to<F>, Args...>::at(c, v));
        } else if constexpr (std::is_default_constructible_v<F>) {
            return to_compute(typename detail::functor_in<F, Context>::type{}(Evaluate<Args>::at(c, v)...));
        } else {
            // nvcc's stand-in for a lambda without captures: empty, but it cannot be made.
            const StoredFunctor<F> empty{};
            return to_compute(empty.load()(Evaluate<Args>::at(c, v)...));
        }
    }
    /// What the context has computed before, if it has.
    template <class Context, class Calls, class Values>
    static FUSE_HD auto at(const detail::WithValues<Context, Calls, Values>& c, int v) {
        constexpr int i = index_of<Calls, kir::Call<F, Slot, Args...>>;
        if constexpr (i >= 0) {
            return get<i>(c.values).at(v);
        } else if constexpr (detail::has_values_of<Context, kir::Call<F, Slot, Args...>>) {
            return at(static_cast<const Context&>(c), v);
        } else {
            return at<detail::WithValues<Context, Calls, Values>>(c, v);
        }
    }
};

/// An item as it is.
struct AsItIs {
    template <class T>
    FUSE_HD const T& operator()(const T& item) const {
        return item;
    }
};

/// An expression in a context as elements of T, as an input of ElementwiseAny.
template <class T, class E, class Context>
struct Evaluated {
    const Context& context;

    FUSE_HD storage_t<T> at(int v) const { return detail::EvaluateAs<T, E>::at(context, v); }
};

FUSE_END_NAMESPACE
