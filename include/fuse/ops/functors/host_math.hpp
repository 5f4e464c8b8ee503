// SPDX-License-Identifier: Apache-2.0
//
// The elementary functions that the functors call. On the host those of a float, and some of a double, have formulas of
// the library's own (host_exp.hpp, host_log.hpp, host_pow.hpp, host_trigonometric.hpp), without a call and without a branch, so that loops over
// them vectorise on any compiler and flags: softmax, sigmoid and the like live on them. The device has its own functions,
// and all others are the C library's.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/host_exp.hpp"
#include "fuse/ops/functors/host_log.hpp"
#include "fuse/ops/functors/host_pow.hpp"
#include "fuse/ops/functors/host_trigonometric.hpp"

#include <cmath>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class F>
inline constexpr bool float_on_host = !FUSE_ON_DEVICE && std::is_same_v<F, float>;
template <class F>
inline constexpr bool real_on_host = !FUSE_ON_DEVICE && (std::is_same_v<F, float> || std::is_same_v<F, double>);

template <class F>
FUSE_HD constexpr F exponential(F x) {
    if constexpr (real_on_host<F>) {
        return host_exp(x);
    } else {
        return std::exp(x);
    }
}

template <class F>
FUSE_HD constexpr F power_of_2(F x) {
    if constexpr (float_on_host<F>) {
        return host_exp2(x);
    } else {
        return std::exp2(x);
    }
}

template <class F>
FUSE_HD constexpr F exponential_minus_1(F x) {
    if constexpr (float_on_host<F>) {
        return host_expm1(x);
    } else {
        return std::expm1(x);
    }
}

template <class F>
FUSE_HD constexpr F hyperbolic_tangent(F x) {
    if constexpr (real_on_host<F>) {
        return host_tanh(x);
    } else {
        return std::tanh(x);
    }
}

template <class F>
FUSE_HD constexpr F sine(F x) {
    if constexpr (float_on_host<F>) {
        return host_sin(x);
    } else {
        return std::sin(x);
    }
}

template <class F>
FUSE_HD constexpr F cosine(F x) {
    if constexpr (float_on_host<F>) {
        return host_cos(x);
    } else {
        return std::cos(x);
    }
}

template <class F>
FUSE_HD constexpr F tangent(F x) {
    if constexpr (float_on_host<F>) {
        return host_tan(x);
    } else {
        return std::tan(x);
    }
}

template <class F>
FUSE_HD constexpr F error_function(F x) {
    if constexpr (float_on_host<F>) {
        return host_erf(x);
    } else {
        return std::erf(x);
    }
}

template <class F>
FUSE_HD constexpr F logarithm(F x) {
    if constexpr (std::is_same_v<F, float>) {
        return float_log(x);
    } else if constexpr (real_on_host<F>) {
        return host_log(x);
    } else {
        return std::log(x);
    }
}

template <class F>
FUSE_HD constexpr F logarithm_of_2(F x) {
    if constexpr (float_on_host<F>) {
        return host_log2(x);
    } else {
        return std::log2(x);
    }
}

template <class F>
FUSE_HD constexpr F logarithm_of_10(F x) {
    if constexpr (float_on_host<F>) {
        return host_log10(x);
    } else {
        return std::log10(x);
    }
}

template <class F>
FUSE_HD constexpr F logarithm_of_1_plus(F x) {
    if constexpr (real_on_host<F>) {
        return host_log1p(x);
    } else {
        return std::log1p(x);
    }
}

template <class F>
FUSE_HD constexpr F power(F x, F y) {
    if constexpr (float_on_host<F>) {
        return host_pow(x, y);
    } else {
        return std::pow(x, y);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
