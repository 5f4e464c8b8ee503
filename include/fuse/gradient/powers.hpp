// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of powers, roots, exponentials, logarithms and trigonometric functions, through y where that is cheaper.
#pragma once

#include "fuse/gradient/arithmetic.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

// Rounded to 18 digits, as constants of the kernel.
inline constexpr auto ln_2 = constant<693147180559945309L, 1000000000000000000L>;
inline constexpr auto ln_10 = constant<2302585092994045684L, 1000000000000000000L>;
inline constexpr auto two_over_sqrt_pi = constant<1128379167095512574L, 1000000000000000000L>;

}  // namespace detail

/// Derivative<FUNCTOR> whose operand x gets this of a; y is the value.
#define FUSE_SLOPE(FUNCTOR, ...)                                                                                       \
    template <class T>                                                                                                 \
    struct Derivative<FUNCTOR<T>> {                                                                                    \
        template <int I, class V, class A_, class Y, class X>                                                          \
        static constexpr auto pull(const A_& a, [[maybe_unused]] const Y& y, [[maybe_unused]] const X& x) {            \
            using namespace detail;                                                                                    \
            return __VA_ARGS__;                                                                                        \
        }                                                                                                              \
    }

FUSE_SLOPE(Rsqrt, times(a, y* y* y) * constant<-1, 2>);
FUSE_SLOPE(Cbrt, divided(a, constant<3>* y* y));
FUSE_SLOPE(Exp, times(a, y));
FUSE_SLOPE(Exp2, times(a, y* ln_2));
FUSE_SLOPE(Expm1, times(a, y + constant<1>));
FUSE_SLOPE(Log, divided(a, x));
FUSE_SLOPE(Log2, divided(a, x* ln_2));
FUSE_SLOPE(Log10, divided(a, x* ln_10));
FUSE_SLOPE(Log1p, divided(a, x + constant<1>));
FUSE_SLOPE(Sin, times(a, cos(x)));
FUSE_SLOPE(Cos, -times(a, sin(x)));
FUSE_SLOPE(Tan, times(a, constant<1> + y * y));
FUSE_SLOPE(Asin, times(a, rsqrt(constant<1> - x * x)));
FUSE_SLOPE(Acos, -times(a, rsqrt(constant<1> - x * x)));
FUSE_SLOPE(Atan, divided(a, constant<1> + x * x));
FUSE_SLOPE(Sinh, times(a, cosh(x)));
FUSE_SLOPE(Cosh, times(a, sinh(x)));
FUSE_SLOPE(Tanh, times(a, constant<1> - y * y));
FUSE_SLOPE(Asinh, times(a, rsqrt(x* x + constant<1>)));
FUSE_SLOPE(Acosh, times(a, rsqrt(x* x - constant<1>)));
FUSE_SLOPE(Atanh, divided(a, constant<1> - x * x));
FUSE_SLOPE(Erf, times(a, exp(-x* x) * two_over_sqrt_pi));
FUSE_SLOPE(Erfc, -times(a, exp(-x* x) * two_over_sqrt_pi));

namespace detail {

/// Whether E is squares, or that of a scalar as a reduction takes it.
template <class E>
inline constexpr bool are_squares = false;
template <class T, class... X>
inline constexpr bool are_squares<Map<Square<T>, X...>> = true;
template <class E>
inline constexpr bool are_squares<ExpandDims<0, E>> = are_squares<E>;

/// Whether E is what norm<p> sums for other p.
template <class E>
inline constexpr bool are_powers_of_lengths = false;
template <class T, class S, class X, class P>
inline constexpr bool are_powers_of_lengths<Map<Pow<T>, Map<Abs<S>, X>, P>> = true;
template <class E>
inline constexpr bool are_powers_of_lengths<ExpandDims<0, E>> = are_powers_of_lengths<E>;

}  // namespace detail

/// Of a norm or a standard deviation, the root of a reduction of squares, 0 at 0 (PyTorch's norm and std).
template <class T>
struct Derivative<Sqrt<T>> {
    template <int I, class V, class A, class Y, class X>
    static constexpr auto pull(const A& a, const Y& y, const X&) {
        return detail::divided(a, constant<2> * y);
    }
    template <int I, class V, class A, class Y, class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
        requires detail::are_squares<E>
    static constexpr auto pull(const A& a, const Y& y, const Reduce<Op, E, Mask, Keep, Acc>&) {
        const auto none = y == constant<0>;
        return detail::except_where<V>(none, detail::divided(a, where(none, constant<1>, constant<2> * y)));
    }
};

/// x^0 has derivative 0 also at x = 0, and 0^p by p, p >= 0, too (PyTorch's pow). So has a norm of zeros.
template <class T>
struct Derivative<Pow<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y& y, const L& x, const R& p) {
        if constexpr (I == 1) {
            const auto none = x == constant<0> && p >= constant<0>;
            return detail::except_where<V>(none, detail::times(a, y * log(where(none, constant<1>, x))));
        } else {
            return by_base<V>(a, x, p);
        }
    }
    template <int I, class V, class A, class Y, class Op, class E, std::uint32_t Mask, bool Keep, class Acc, class U,
              long P>
        requires(I == 0 && detail::are_powers_of_lengths<E>)
    static constexpr auto pull(const A& a, const Y& y, const Reduce<Op, E, Mask, Keep, Acc>& powers,
                               const Constant<U, 1, P>& root) {
        const auto none = y == constant<0>;
        return detail::except_where<V>(none, by_base<V>(a, where(none, constant<1>, powers), root));
    }

private:
    template <class V, class A, class L, class R>
    static constexpr auto by_base(const A& a, const L& x, const R& p) {
        const auto none = p == constant<0>;
        return detail::except_where<V>(none, detail::times(a, p * pow(x, where(none, constant<1>, p - constant<1>))));
    }
    template <class V, class A, class L, class U, long Num, long Den>
    static constexpr auto by_base(const A& a, const L& x, const Constant<U, Num, Den>& p) {
        if constexpr (Num == 0) {
            return detail::ZeroTerm{};
        } else {
            return detail::times(a, p * pow(x, Constant<U, Num - Den, Den>{}));
        }
    }
};
template <class T>
struct Derivative<LogAddExp<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L& l, const R& r) {
        if constexpr (I == 0) {
            return detail::times(a, sigmoid(l - r));
        } else {
            return detail::times(a, sigmoid(r - l));
        }
    }
};
template <class T>
struct Derivative<XLogY<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L& x, const R& y) {
        if constexpr (I == 0) {
            const auto none = x == constant<0> && y <= constant<0>;
            return detail::except_where<V>(none, detail::times(a, log(where(none, constant<1>, y))));
        } else {
            return detail::times(a, x / y);
        }
    }
};
template <class T>
struct Derivative<Hypot<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y& y, const L& l, const R& r) {
        if constexpr (I == 0) {
            return detail::times(a, l / y);
        } else {
            return detail::times(a, r / y);
        }
    }
};
template <class T>
struct Derivative<Atan2<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L& y, const R& x) {
        const auto squares = x * x + y * y;
        if constexpr (I == 0) {
            return detail::times(a, x / squares);
        } else {
            return -detail::times(a, y / squares);
        }
    }
};

FUSE_END_NAMESPACE
