// SPDX-License-Identifier: Apache-2.0
//
// Trigonometric and hyperbolic functions, angles in radians.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"
#include "fuse/ops/functors/host_math.hpp"

#include <cmath>

FUSE_BEGIN_NAMESPACE

template <class T = void>
struct Sin : detail::FloatUnary<Sin<T>, T> {
    static constexpr const char* name = "sin";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::sine(x);
    }
};

template <class T = void>
struct Cos : detail::FloatUnary<Cos<T>, T> {
    static constexpr const char* name = "cos";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::cosine(x);
    }
};

template <class T = void>
struct Tan : detail::FloatUnary<Tan<T>, T> {
    static constexpr const char* name = "tan";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::tangent(x);
    }
};

template <class T = void>
struct Asin : detail::FloatUnary<Asin<T>, T> {
    static constexpr const char* name = "asin";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::asin(x);
    }
};

template <class T = void>
struct Acos : detail::FloatUnary<Acos<T>, T> {
    static constexpr const char* name = "acos";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::acos(x);
    }
};

template <class T = void>
struct Atan : detail::FloatUnary<Atan<T>, T> {
    static constexpr const char* name = "atan";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::atan(x);
    }
};

template <class T = void>
struct Sinh : detail::FloatUnary<Sinh<T>, T> {
    static constexpr const char* name = "sinh";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::sinh(x);
    }
};

template <class T = void>
struct Cosh : detail::FloatUnary<Cosh<T>, T> {
    static constexpr const char* name = "cosh";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::cosh(x);
    }
};

template <class T = void>
struct Tanh : detail::FloatUnary<Tanh<T>, T> {
    static constexpr const char* name = "tanh";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::hyperbolic_tangent(x);
    }
};

template <class T = void>
struct Asinh : detail::FloatUnary<Asinh<T>, T> {
    static constexpr const char* name = "asinh";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::asinh(x);
    }
};

template <class T = void>
struct Acosh : detail::FloatUnary<Acosh<T>, T> {
    static constexpr const char* name = "acosh";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::acosh(x);
    }
};

template <class T = void>
struct Atanh : detail::FloatUnary<Atanh<T>, T> {
    static constexpr const char* name = "atanh";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::atanh(x);
    }
};

/// The angle of the point (x, y), operands in the order (y, x), in [-pi, pi].
template <class T = void>
struct Atan2 : detail::FloatBinary<Atan2<T>, T> {
    static constexpr const char* name = "atan2";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F y, F x) {
        return std::atan2(y, x);
    }
};

FUSE_END_NAMESPACE
