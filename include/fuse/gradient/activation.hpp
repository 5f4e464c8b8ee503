// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the activations.
#pragma once

#include "fuse/gradient/powers.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

inline constexpr auto sqrt_half = constant<707106781186547524L, 1000000000000000000L>;
inline constexpr auto one_over_sqrt_2pi = constant<398942280401432678L, 1000000000000000000L>;
inline constexpr auto two_sqrt_two_over_pi = constant<1595769121605730711L, 1000000000000000000L>;
inline constexpr auto gelu_cubic = constant<44715, 1000000>;
inline constexpr auto three_gelu_cubic = constant<134145, 1000000>;
inline constexpr auto selu_scale = constant<1050700987355480493L, 1000000000000000000L>;
inline constexpr auto selu_negative = constant<1758099340847376625L, 1000000000000000000L>;

/// Of 1/2 x (1 + tanh(u)), u = sqrt(2 / pi) (x + c x^3). 1 - tanh(u)^2 is 0 before the square overflows, so it comes first.
template <class X>
constexpr auto gelu_tanh_slope(const X& x) {
    const auto s = sigmoid(two_sqrt_two_over_pi * x * (constant<1> + gelu_cubic * x * x));
    const auto rest = x * (s * (constant<1> - s));
    return s + two_sqrt_two_over_pi * (rest + three_gelu_cubic * (rest * x * x));
}
/// Of x tanh(softplus(x)).
template <class X>
constexpr auto mish_slope(const X& x) {
    const auto t = tanh(softplus(x));
    return t + x * sigmoid(x) * (constant<1> - t * t);
}
/// x where it is not positive, else 0. An exponential that is not chosen must be finite all the same: the derivative of the
/// choice multiplies its slope by 0.
template <class V, class X>
constexpr auto negative_part(const X& x) {
    return except_where<V>(x > constant<0>, x);
}

}  // namespace detail

FUSE_SLOPE(Relu, only_where<V>(x > constant<0>, a));
FUSE_SLOPE(Sigmoid, times(a, y*(constant<1> - y)));
FUSE_SLOPE(Gelu, times(a, erfc(-x* sqrt_half) * constant<1, 2> + x * exp(x * x * constant<-1, 2>) * one_over_sqrt_2pi));
FUSE_SLOPE(GeluTanh, times(a, gelu_tanh_slope(x)));
FUSE_SLOPE(Silu, times(a, sigmoid(x) * (constant<1> + x * (constant<1> - sigmoid(x)))));
FUSE_SLOPE(Softplus, times(a, sigmoid(x)));
FUSE_SLOPE(LogSigmoid, times(a, sigmoid(-x)));
FUSE_SLOPE(Selu, times(a, where(x > constant<0>, selu_scale, selu_negative* exp(negative_part<V>(x)))));
FUSE_SLOPE(Mish, times(a, mish_slope(x)));
FUSE_SLOPE(HardSigmoid, only_where<V>(x > constant<-3> && x < constant<3>, times(a, Constant<V, 1, 6>{})));
FUSE_SLOPE(HardSwish, times(a, where(x < constant<-3>, constant<0>,
                                     where(x <= constant<3>, x* constant<1, 3> + constant<1, 2>, constant<1>))));
FUSE_SLOPE(TanhShrink, times(a, tanh(x) * tanh(x)));

#undef FUSE_SLOPE

template <class T>
struct Derivative<LeakyRelu<T>> {
    template <int I, class V, class A, class Y, class X, class S>
    static constexpr auto pull(const A& a, const Y&, const X& x, const S& slope) {
        const auto all = detail::as_term<V>(a);
        if constexpr (I == 0) {
            return where(x > constant<0>, all, all * slope);
        } else {
            return detail::except_where<V>(x > constant<0>, all * x);
        }
    }
};
template <class T>
struct Derivative<Elu<T>> {
    template <int I, class V, class A, class Y, class X, class S>
    static constexpr auto pull(const A& a, const Y&, const X& x, const S& alpha) {
        const auto all = detail::as_term<V>(a);
        const auto power = detail::negative_part<V>(x);
        if constexpr (I == 0) {
            return where(x > constant<0>, all, all * alpha * exp(power));
        } else {
            return detail::except_where<V>(x > constant<0>, all * expm1(power));
        }
    }
};
template <class T>
struct Derivative<Celu<T>> {
    template <int I, class V, class A, class Y, class X, class S>
    static constexpr auto pull(const A& a, const Y&, const X& x, const S& alpha) {
        const auto all = detail::as_term<V>(a);
        const auto ratio = detail::negative_part<V>(x) / alpha;
        if constexpr (I == 0) {
            return where(x > constant<0>, all, all * exp(ratio));
        } else {
            return detail::except_where<V>(x > constant<0>, all * (expm1(ratio) - ratio * exp(ratio)));
        }
    }
};

FUSE_END_NAMESPACE
