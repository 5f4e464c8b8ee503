// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of arithmetic, selection and rounding. Derivative<F>::pull<I, V>(a, y, x...) is what operand I of y =
// F(x...) gets of a, the derivative with respect to y; V is the type of y. Where a derivative does not exist the
// choice is PyTorch's: 0 for relu and abs at 0, halves for equal operands of min and max, clamp passes at its ends.
#pragma once

#include "fuse/gradient/terms.hpp"

FUSE_BEGIN_NAMESPACE

/// Of functors without a rule: user_functors.hpp.
template <class F>
struct Derivative;

namespace detail {

/// A functor that is constant wherever it has a derivative.
struct NoSlope {
    template <int I, class V, class A, class Y, class... X>
    static constexpr ZeroTerm pull(const A&, const Y&, const X&...) {
        return {};
    }
};

}  // namespace detail

template <class T>
struct Derivative<Floor<T>> : detail::NoSlope {};
template <class T>
struct Derivative<Ceil<T>> : detail::NoSlope {};
template <class T>
struct Derivative<Trunc<T>> : detail::NoSlope {};
template <class T>
struct Derivative<Round<T>> : detail::NoSlope {};
template <class T>
struct Derivative<Sign<T>> : detail::NoSlope {};
template <class T>
struct Derivative<FloorDiv<T>> : detail::NoSlope {};

template <class T>
struct Derivative<Identity<T>> {
    template <int I, class V, class A, class Y, class X>
    static constexpr A pull(const A& a, const Y&, const X&) {
        return a;
    }
};
template <class T>
struct Derivative<Cast<T>> : Derivative<Identity<>> {};

template <class T>
struct Derivative<Neg<T>> {
    template <int I, class V, class A, class Y, class X>
    static constexpr auto pull(const A& a, const Y&, const X&) {
        return detail::negated<V>(a);
    }
};
template <class T>
struct Derivative<Abs<T>> {
    template <int I, class V, class A, class Y, class X>
    static constexpr auto pull(const A& a, const Y&, const X& x) {
        return detail::times(a, sign(x));
    }
};
template <class T>
struct Derivative<Add<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr A pull(const A& a, const Y&, const L&, const R&) {
        return a;
    }
};
template <class T>
struct Derivative<Sub<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L&, const R&) {
        if constexpr (I == 0) {
            return a;
        } else {
            return detail::negated<V>(a);
        }
    }
};
template <class T>
struct Derivative<Mul<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L& l, const R& r) {
        if constexpr (I == 0) {
            return detail::times(a, r);
        } else {
            return detail::times(a, l);
        }
    }
};
template <class T>
struct Derivative<Div<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y& y, const L&, const R& r) {
        if constexpr (I == 0) {
            return detail::divided(a, r);
        } else {
            return -detail::times(a, y) / r;
        }
    }
};
template <class T>
struct Derivative<Square<T>> {
    template <int I, class V, class A, class Y, class X>
    static constexpr auto pull(const A& a, const Y&, const X& x) {
        return detail::times(a, constant<2> * x);
    }
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L& l, const R& r) {
        if constexpr (I == 0) {
            return detail::times(a, constant<2> * (l - r));
        } else {
            return detail::times(a, constant<2> * (r - l));
        }
    }
};
template <class T>
struct Derivative<Reciprocal<T>> {
    template <int I, class V, class A, class Y, class X>
    static constexpr auto pull(const A& a, const Y& y, const X&) {
        return -detail::times(a, y * y);
    }
};
template <class T>
struct Derivative<Mod<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L& l, const R& r) {
        if constexpr (I == 0) {
            return a;
        } else {
            return -detail::times(a, floor_divide(l, r));
        }
    }
};
template <class T>
struct Derivative<Fmod<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L& l, const R& r) {
        if constexpr (I == 0) {
            return a;
        } else {
            return -detail::times(a, trunc(l / r));
        }
    }
};
template <class T>
struct Derivative<Fma<T>> {
    template <int I, class V, class A, class Y, class X0, class X1, class X2>
    static constexpr auto pull(const A& a, const Y&, const X0& x, const X1& y, const X2&) {
        if constexpr (I == 0) {
            return detail::times(a, y);
        } else if constexpr (I == 1) {
            return detail::times(a, x);
        } else {
            return a;
        }
    }
};
template <class T>
struct Derivative<Lerp<T>> {
    template <int I, class V, class A, class Y, class X0, class X1, class W>
    static constexpr auto pull(const A& a, const Y&, const X0& from, const X1& to, const W& weight) {
        if constexpr (I == 0) {
            return detail::times(a, constant<1> - weight);
        } else if constexpr (I == 1) {
            return detail::times(a, weight);
        } else {
            return detail::times(a, to - from);
        }
    }
};
/// The sign of y is a constant.
template <class T>
struct Derivative<CopySign<T>> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y& y, const L& l, const R&) {
        if constexpr (I == 0) {
            return detail::times(a, sign(y) * sign(l));
        } else {
            return detail::ZeroTerm{};
        }
    }
};
template <class T>
struct Derivative<NanToNum<T>> {
    template <int I, class V, class A, class Y, class X, class... Replacement>
    static constexpr auto pull(const A& a, const Y&, const X& x, const Replacement&...) {
        if constexpr (I == 0) {
            return detail::only_where<V>(isfinite(x), a);
        } else {
            return detail::ZeroTerm{};
        }
    }
};
template <>
struct Derivative<detail::NanAsZero> {
    template <int I, class V, class A, class Y, class X>
    static constexpr auto pull(const A& a, const Y&, const X& x) {
        return detail::except_where<V>(isnan(x), a);
    }
};
/// A condition decides, also about NaN and infinity on the side that is not taken.
template <class T>
struct Derivative<Where<T>> {
    template <int I, class V, class A, class Y, class C, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const C& condition, const L&, const R&) {
        if constexpr (I == 0) {
            return detail::ZeroTerm{};
        } else if constexpr (I == 1) {
            return detail::only_where<V>(condition, a);
        } else {
            return detail::except_where<V>(condition, a);
        }
    }
};
template <>
struct Derivative<FirstOf> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L&, const R&) {
        if constexpr (I == 0) {
            return a;
        } else {
            return detail::ZeroTerm{};
        }
    }
};
template <>
struct Derivative<StraightThrough> {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y&, const L&, const R&) {
        if constexpr (I == 1) {
            return a;
        } else {
            return detail::ZeroTerm{};
        }
    }
};

namespace detail {

/// Of the two operands of a minimum or maximum y, the one that is y; half where both are.
struct ExtremumSlope {
    template <int I, class V, class A, class Y, class L, class R>
    static constexpr auto pull(const A& a, const Y& y, const L& l, const R& r) {
        const auto all = as_term<V>(a);
        const auto share = where(l == r, all * constant<1, 2>, all);
        if constexpr (I == 0) {
            return except_where<V>(l != y, share);
        } else {
            return except_where<V>(r != y, share);
        }
    }
};

}  // namespace detail

template <class T>
struct Derivative<Max<T>> : detail::ExtremumSlope {};
template <class T>
struct Derivative<Min<T>> : detail::ExtremumSlope {};
template <class T>
struct Derivative<MaxIgnoreNan<T>> : detail::ExtremumSlope {};
template <class T>
struct Derivative<MinIgnoreNan<T>> : detail::ExtremumSlope {};

template <class T>
struct Derivative<Clamp<T>> {
    template <int I, class V, class A, class Y, class X, class L, class H>
    static constexpr auto pull(const A& a, const Y&, const X& x, const L& low, const H& high) {
        if constexpr (I == 0) {
            return detail::only_where<V>(x >= low && x <= high, a);
        } else if constexpr (I == 1) {
            return detail::only_where<V>(x < low && low < high, a);
        } else {
            return detail::only_where<V>(x > high || high < low, a);
        }
    }
};

FUSE_END_NAMESPACE
