// SPDX-License-Identifier: Apache-2.0
//
// Error functions and the activations of neural networks, in forms that neither overflow nor cancel.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"
#include "fuse/ops/functors/gaussian_tail.hpp"
#include "fuse/ops/functors/host_math.hpp"
#include "fuse/ops/functors/min_max.hpp"

#include <cmath>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

/// 1 / (1 + exp(-x)) through exp(-|x|), which never overflows and keeps the small values of the left tail. Not called
/// sigmoid: maps of functors, whose bases are in this namespace, would find it beside the function of the language.
template <class F>
FUSE_HD constexpr F logistic(F x) {
    const F e = exponential(-std::fabs(x));
    const F numerator = x < F(0) ? e : F(1);
    if constexpr (std::is_same_v<F, float>) {
        return numerator * near_reciprocal(F(1) + e);
    } else {
        return numerator / (F(1) + e);
    }
}

/// The one or the other branch of elu and its kin: scale * x, or alpha * (exp(power) - 1).
template <class F>
FUSE_HD constexpr F linear_or_exponential(bool is_linear, F scale, F x, F alpha, F power) {
#if FUSE_ON_DEVICE
    return is_linear ? scale * x : alpha * exponential_minus_1(power);
#else
    return select_value(is_linear, scale * x, alpha * exponential_minus_1(power));
#endif
}

/// min(max(x + 3, 0), 6): what hardsigmoid and hardswish share.
template <class F>
FUSE_HD constexpr F relu6_of_shifted(F x) {
    return smaller(larger(x + F(3), F(0)), F(6));
}

/// q in tanh(x) = x / (1 + q), from Lambert's continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))), for |x| <= 1.
template <class F>
FUSE_HD constexpr F lambert_tail(F x) {
    F q = 0;
    FUSE_UNROLL
    for (int odd = std::is_same_v<F, float> ? 13 : 19; odd >= 3; odd -= 2) {
        q = x * x / (F(odd) + q);
    }
    return q;
}

}  // namespace detail

template <class T = void>
struct Erf : detail::FloatUnary<Erf<T>, T> {
    static constexpr const char* name = "erf";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::error_function(x);
    }
};

/// 1 - erf(x), accurate where erf is close to 1.
template <class T = void>
struct Erfc : detail::FloatUnary<Erfc<T>, T> {
    static constexpr const char* name = "erfc";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::erfc(x);
    }
};

/// 1 / (1 + exp(-x))
template <class T = void>
struct Sigmoid : detail::FloatUnary<Sigmoid<T>, T> {
    static constexpr const char* name = "sigmoid";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::logistic(x);
    }
};

/// x / 2 * (1 + erf(x / sqrt(2))); erfc keeps the left tail where the sum would cancel.
template <class T = void>
struct Gelu : detail::FloatUnary<Gelu<T>, T> {
    static constexpr const char* name = "gelu";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        if constexpr (std::is_same_v<F, float>) {
            return detail::gaussian_linear_unit(x);
        } else {
            return F(0.5) * x * std::erfc(x * F(-0.70710678118654752440));
        }
    }
};

/// x / 2 * (1 + tanh(u)) with u = sqrt(2 / pi) * (x + 0.044715 x^3), which is x * sigmoid(2 u).
template <class T = void>
struct GeluTanh : detail::FloatUnary<GeluTanh<T>, T> {
    static constexpr const char* name = "gelu_tanh";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        const F u = F(0.79788456080286535588) * x * (F(1) + F(0.044715) * x * x);
        return x * detail::logistic(F(2) * u);
    }
};

/// max(x, 0) in the type of x; NaN stays NaN.
template <class T = void>
struct Relu : detail::Unary<Relu<T>, T> {
    static constexpr const char* name = "relu";
    template <Arithmetic V>
    static FUSE_HD constexpr V apply(V x) {
        return detail::larger(x, V(0));
    }
};

/// x * sigmoid(x)
template <class T = void>
struct Silu : detail::FloatUnary<Silu<T>, T> {
    static constexpr const char* name = "silu";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return x * detail::logistic(x);
    }
};

/// log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|))
template <class T = void>
struct Softplus : detail::FloatUnary<Softplus<T>, T> {
    static constexpr const char* name = "softplus";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::larger(x, F(0)) + detail::logarithm_of_1_plus(detail::exponential(-std::fabs(x)));
    }
};

/// log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|))
template <class T = void>
struct LogSigmoid : detail::FloatUnary<LogSigmoid<T>, T> {
    static constexpr const char* name = "logsigmoid";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::smaller(x, F(0)) - detail::logarithm_of_1_plus(detail::exponential(-std::fabs(x)));
    }
};

/// x where x > 0, else slope * x.
template <class T = void>
struct LeakyRelu : detail::FloatBinary<LeakyRelu<T>, T> {
    static constexpr const char* name = "leaky_relu";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F slope) {
        return x > F(0) ? x : slope * x;
    }
};

/// x where x > 0, else alpha * (exp(x) - 1) (Clevert, Unterthiner, Hochreiter 2016).
template <class T = void>
struct Elu : detail::FloatBinary<Elu<T>, T> {
    static constexpr const char* name = "elu";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F alpha) {
        return detail::linear_or_exponential(x > F(0), F(1), x, alpha, x);
    }
};

/// x where x > 0, else alpha * (exp(x / alpha) - 1) (Barron 2017), which is x where x / alpha is next to nothing.
template <class T = void>
struct Celu : detail::FloatBinary<Celu<T>, T> {
    static constexpr const char* name = "celu";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F alpha) {
        const F ratio = x / alpha;
        return detail::linear_or_exponential(x > F(0) || std::fabs(ratio) < F(1e-17), F(1), x, alpha, ratio);
    }
};

/// scale * elu(x, alpha) with the constants that keep mean 0 and variance 1 (Klambauer et al. 2017).
template <class T = void>
struct Selu : detail::FloatUnary<Selu<T>, T> {
    static constexpr const char* name = "selu";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        const F scale = F(1.0507009873554804934193349852946);
        const F negative = F(1.0507009873554804934193349852946 * 1.6732632423543772848170429916717);
        return detail::linear_or_exponential(x > F(0), scale, x, negative, x);
    }
};

/// x * tanh(softplus(x)) (Misra 2019), as x * n / (n + 2) with n = e (e + 2), e = exp(x); from 20 on it is x.
template <class T = void>
struct Mish : detail::FloatUnary<Mish<T>, T> {
    static constexpr const char* name = "mish";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        const F e = detail::exponential(detail::select_value(x < F(20), x, F(20)));
        const F n = e * (e + F(2));
        return x * (n / (n + F(2)));
    }
};

/// min(max(x + 3, 0), 6) / 6
template <class T = void>
struct HardSigmoid : detail::FloatUnary<HardSigmoid<T>, T> {
    static constexpr const char* name = "hardsigmoid";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return detail::relu6_of_shifted(x) / F(6);
    }
};

/// x * min(max(x + 3, 0), 6) / 6 (Howard et al. 2019)
template <class T = void>
struct HardSwish : detail::FloatUnary<HardSwish<T>, T> {
    static constexpr const char* name = "hardswish";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return x * (detail::relu6_of_shifted(x) / F(6));
    }
};

/// x - tanh(x); near 0, where that cancels, x q / (1 + q) with the q of tanh(x) = x / (1 + q).
template <class T = void>
struct TanhShrink : detail::FloatUnary<TanhShrink<T>, T> {
    static constexpr const char* name = "tanhshrink";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        const F q = detail::lambert_tail(x);
        return std::fabs(x) < F(1) ? x * (q / (F(1) + q)) : x - detail::hyperbolic_tangent(x);
    }
};

FUSE_END_NAMESPACE
