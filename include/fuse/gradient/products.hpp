// SPDX-License-Identifier: Apache-2.0
//
// The derivative of a product: for each element the product of all others. By division it is lost where an element is 0, so
// it is written with the product q of those elements that are not, and the number c of zeros. Next to a point with zeros, w
// being the sum of these elements there (at the point 0, but not its derivative),
//
//                   c = 0    c = 1    c = 2         more
//     x is not 0    q / x    w q / x  0             0           up to terms with two small factors,
//     x is 0                 q        (w - x) q     0
//
// c itself stands for w: its derivative is that of the sum of the zeros. So a second derivative is that of the product, and
// a third where at most one element is 0; with more, where it would need what is left out, it is NaN.
#pragma once

#include "fuse/gradient/arithmetic.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// 1 of 0, else 0, of which a sum counts zeros; with the derivative of x where x is 0.
struct ZeroFlag {
    static constexpr const char* name = "zero_flag";
    template <class X>
    FUSE_HD constexpr X operator()(X x) const {
        return x == X(0) ? X(1) : X(0);
    }
};

/// The table above with w = 0.
struct ProductOfOthers {
    static constexpr const char* name = "product_of_others";
    template <class X, class V>
    FUSE_HD constexpr V operator()(X x, V product, V zeros) const {
        if (zeros == V(0)) {
            return product / static_cast<V>(x);
        }
        return zeros == V(1) && x == X(0) ? product : V(0);
    }
};

/// Its derivative with respect to w, of an element that is not 0 or one that is.
struct ProductBesideZero {
    static constexpr const char* name = "product_beside_zero";
    template <class X, class V>
    FUSE_HD constexpr V operator()(X x, V product, V zeros) const {
        if (x == X(0)) {
            return zeros == V(2) ? product : V(0);
        }
        return zeros == V(1) ? product / static_cast<V>(x) : V(0);
    }
};

/// Of a value y = f(x, product, zeros) that is proportional to the product, and to 1 / x where x is not 0.
template <class V, class A, class Y, class X>
constexpr auto slope_by_divisor(const A& a, const Y& y, const X& x) {
    const auto zero = x == constant<0>;
    return except_where<V>(zero, times(negated<V>(a), y / where(zero, constant<1>, x)));
}

}  // namespace detail

template <>
struct Derivative<detail::ZeroFlag> {
    template <int I, class V, class A, class Y, class X>
    static constexpr auto pull(const A& a, const Y&, const X& x) {
        return detail::only_where<V>(x == constant<0>, a);
    }
};
template <>
struct Derivative<detail::ProductOfOthers> {
    template <int I, class V, class A, class Y, class X, class P, class C>
    static constexpr auto pull(const A& a, const Y& y, const X& x, const P& product, const C& zeros) {
        if constexpr (I == 0) {
            const auto by_zeros = detail::times(a, map(detail::ProductBesideZero{}, x, product, zeros));
            return detail::added<V>(detail::slope_by_divisor<V>(a, y, x),
                                    detail::only_where<V>(x == constant<0>, detail::negated<V>(by_zeros)));
        } else if constexpr (I == 1) {
            return detail::times(a, map(detail::ProductOfOthers{}, x, Constant<V, 1, 1>{}, zeros));
        } else {
            return detail::times(a, map(detail::ProductBesideZero{}, x, product, zeros));
        }
    }
};
template <>
struct Derivative<detail::ProductBesideZero> {
    template <int I, class V, class A, class Y, class X, class P, class C>
    static constexpr auto pull(const A& a, const Y& y, const X& x, const P&, const C& zeros) {
        if constexpr (I == 0) {
            return detail::slope_by_divisor<V>(a, y, x);
        } else if constexpr (I == 1) {
            return detail::times(a, map(detail::ProductBesideZero{}, x, Constant<V, 1, 1>{}, zeros));
        } else {
            const auto unknown = Constant<V, 0, 1>{} / (zeros - zeros);
            return detail::only_where<V>(zeros > constant<1>, detail::times(a, unknown));
        }
    }
};

FUSE_END_NAMESPACE
