// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of functors that have no rule: of the user. A member partial<I>(x...) is the derivative with respect to
// operand I; else the functor is called with dual numbers.
#pragma once

#include "fuse/exec/same_bytes.hpp"
#include "fuse/gradient/arithmetic.hpp"
#include "fuse/gradient/dual.hpp"
#include "fuse/gradient/flatten.hpp"

FUSE_BEGIN_NAMESPACE

template <class Id, int I>
struct slope_id {};

namespace detail {

template <class F, int I, class... X>
concept HasPartial = requires(const F& f, X... x) {
    f.template partial<I>(x...);
};
/// Integers are constants.
template <class X>
inline constexpr bool has_slope = std::is_floating_point_v<X>;
template <class T>
inline constexpr bool has_slope<Dual<T>> = true;
template <class X>
using dual_t = std::conditional_t<has_slope<X>, Dual<X>, X>;
/// A call operator that is a template takes what is no number.
template <class F, class... X>
concept TakesDuals = requires(const F& f, dual_t<X>... x) {
    f(x...);
};

template <class F>
concept IsUserFunctor = requires {
    Derivative<F>::of_user;
};
template <class F, class... Args, int... I>
constexpr bool has_user_slopes(std::integer_sequence<int, I...>) {
    return TakesDuals<F, value_t<Args>...> || (HasPartial<F, I, value_t<Args>...> && ...);
}

template <class R>
struct SlopeOf {
    static FUSE_HD constexpr R of(R) { return R(0); }
};
template <class T>
struct SlopeOf<Dual<T>> {
    static FUSE_HD constexpr T of(Dual<T> r) { return r.slope; }
};

/// F as a base where it is empty, so that what holds it is. A private one: what holds F has not its members, a rule for F's
/// derivative least of all.
template <class F, bool Empty = std::is_empty_v<F>>
struct HeldFunctor {
    F functor;
    FUSE_HD constexpr const F& held() const { return functor; }
};
template <class F>
struct HeldFunctor<F, true> : private F {
    FUSE_HD explicit constexpr HeldFunctor(const F& f) : F(f) {}
    FUSE_HD constexpr const F& held() const { return *this; }
};

}  // namespace detail

/// The derivative of F with respect to operand I. It has the state of F.
template <class F, int I>
struct UserSlope : detail::HeldFunctor<F> {
    static constexpr const char* name = "slope";

    FUSE_HD explicit constexpr UserSlope(const F& f) : detail::HeldFunctor<F>{f} {}

    template <class... X>
    FUSE_HD constexpr auto operator()(X... x) const {
        if constexpr (detail::HasPartial<F, I, X...>) {
            return this->held().template partial<I>(x...);
        } else {
            return by_duals(std::make_integer_sequence<int, sizeof...(X)>{}, x...);
        }
    }

private:
    template <int J, class X>
    static FUSE_HD constexpr auto dual(X x) {
        if constexpr (detail::has_slope<X>) {
            return Dual<X>(x, J == I ? X(1) : X(0));
        } else {
            return x;
        }
    }
    template <int... J, class... X>
    FUSE_HD constexpr auto by_duals(std::integer_sequence<int, J...>, X... x) const {
        const auto y = this->held()(dual<J>(x)...);
        return detail::SlopeOf<std::remove_const_t<decltype(y)>>::of(y);
    }
};

namespace detail {

// As the functor: g++ 12 says otherwise of a class with a lambda that captures.
template <class F, int I>
inline constexpr bool is_copied_by_bytes<UserSlope<F, I>> = is_copied_by_bytes<F>;
template <class F, int I>
struct SameBytes<UserSlope<F, I>> {
    static bool of(const UserSlope<F, I>& a, const UserSlope<F, I>& b) { return SameBytes<F>::of(a.held(), b.held()); }
};

}  // namespace detail

template <class F>
struct Derivative {
    static constexpr bool of_user = true;

    template <int I, class V, class A, class... Args, class... X>
    static constexpr auto pull(const A& a, const Map<F, Args...>& y, const X&... x) {
        return detail::times(a, slope<I>(y.functor, x...));
    }
    template <int I, class V, class A, class Tag, class Id, class... Args, class... X>
    static constexpr auto pull(const A& a, const Pinned<Tag, Id, Map<F, Args...>>& y, const X&... x) {
        const auto s = slope<I>(y.expression.functor, x...);
        return detail::times(a, Pinned<Tag, slope_id<Id, I>, std::remove_const_t<decltype(s)>>(s));
    }

private:
    template <int I, class... X>
    static constexpr auto slope(const F& f, const X&... x) {
        return Map<UserSlope<F, I>, X...>(UserSlope<F, I>(f), x...);
    }
};

FUSE_END_NAMESPACE
