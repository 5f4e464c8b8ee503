// SPDX-License-Identifier: Apache-2.0
//
// Powers, roots, exponentials and logarithms. float stays float on both sides: the overloads of <cmath> are
// one call of the float function, on the device as on the host.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"
#include "fuse/ops/functors/host_math.hpp"
#include "fuse/ops/functors/min_max.hpp"

#include <cmath>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

template <class T = void>
struct Sqrt : detail::FloatUnary<Sqrt<T>, T> {
    static constexpr const char* name = "sqrt";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::sqrt(x);
    }
};

/// 1 / sqrt(x)
template <class T = void>
struct Rsqrt : detail::FloatUnary<Rsqrt<T>, T> {
    static constexpr const char* name = "rsqrt";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
#if FUSE_ON_DEVICE
        if constexpr (std::is_same_v<F, float>) {
            return ::rsqrtf(x);
        } else {
            return ::rsqrt(x);
        }
#else
        return F(1) / std::sqrt(x);
#endif
    }
};

template <class T = void>
struct Cbrt : detail::FloatUnary<Cbrt<T>, T> {
    static constexpr const char* name = "cbrt";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::cbrt(x);
    }
};

template <class T = void>
struct Exp : detail::FloatUnary<Exp<T>, T> {
    static constexpr const char* name = "exp";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::exponential(x);
    }
};

template <class T = void>
struct Exp2 : detail::FloatUnary<Exp2<T>, T> {
    static constexpr const char* name = "exp2";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::power_of_2(x);
    }
};

/// exp(x) - 1, accurate near 0.
template <class T = void>
struct Expm1 : detail::FloatUnary<Expm1<T>, T> {
    static constexpr const char* name = "expm1";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::exponential_minus_1(x);
    }
};

template <class T = void>
struct Log : detail::FloatUnary<Log<T>, T> {
    static constexpr const char* name = "log";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::logarithm(x);
    }
};

template <class T = void>
struct Log2 : detail::FloatUnary<Log2<T>, T> {
    static constexpr const char* name = "log2";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::logarithm_of_2(x);
    }
};

template <class T = void>
struct Log10 : detail::FloatUnary<Log10<T>, T> {
    static constexpr const char* name = "log10";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::logarithm_of_10(x);
    }
};

/// log(1 + x), accurate near 0.
template <class T = void>
struct Log1p : detail::FloatUnary<Log1p<T>, T> {
    static constexpr const char* name = "log1p";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::logarithm_of_1_plus(x);
    }
};

/// x to the power y.
template <class T = void>
struct Pow : detail::FloatBinary<Pow<T>, T> {
    static constexpr const char* name = "pow";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F y) {
        return detail::power(x, y);
    }
};

/// log(exp(x) + exp(y)) without overflow on the way: the larger one plus log1p(exp(-|x - y|)).
template <class T = void>
struct LogAddExp : detail::FloatBinary<LogAddExp<T>, T> {
    static constexpr const char* name = "logaddexp";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F y) {
        // Infinities of one sign have no difference.
        const F between = x == y ? F(0) : std::fabs(x - y);
        return detail::larger(x, y) + detail::logarithm_of_1_plus(detail::exponential(-between));
    }
};

/// x * log(y), and 0 where x is 0 and y is not NaN (as scipy and PyTorch).
template <class T = void>
struct XLogY : detail::FloatBinary<XLogY<T>, T> {
    static constexpr const char* name = "xlogy";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F y) {
        return x == F(0) && !detail::is_nan(y) ? F(0) : x * detail::logarithm(y);
    }
};

/// sqrt(x * x + y * y) without overflow on the way.
template <class T = void>
struct Hypot : detail::FloatBinary<Hypot<T>, T> {
    static constexpr const char* name = "hypot";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F y) {
        return std::hypot(x, y);
    }
};

FUSE_END_NAMESPACE
