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

}  // namespace detail

template <class T = void>
struct Erf : detail::FloatUnary<Erf<T>, T> {
    static constexpr const char* name = "erf";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return std::erf(x);
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
        return detail::maximum(x, V(0));
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
        return detail::maximum(x, F(0)) + std::log1p(detail::exponential(-std::fabs(x)));
    }
};

FUSE_END_NAMESPACE
