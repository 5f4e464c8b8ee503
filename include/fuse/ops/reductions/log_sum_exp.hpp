// SPDX-License-Identifier: Apache-2.0
//
// log(sum(exp(x))) as one reduction op, for scans: a running maximum, and the sum of exponentials that it shifts, so
// that nothing overflows (M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018). As a reduction
// it is a maximum and a sum (lang/reductions.hpp).
#pragma once

#include "fuse/ops/functors/exponential.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class T>
struct ScaledSum {
    T shift;
    T sum;
};

}  // namespace detail

template <class T, class Acc = void>
struct LogSumExpReduction : detail::BasicReduction<LogSumExpReduction<T, Acc>, T,
                                                   detail::ScaledSum<accumulator_t<T, Acc>>, accumulator_t<T, Acc>> {
    using V = accumulator_t<T, Acc>;
    using A = detail::ScaledSum<V>;
    static constexpr const char* name = "logsumexp";

    FUSE_HD constexpr A init() const { return {limits<V>::least, V(0)}; }
    FUSE_HD constexpr A leaf(T v, index_t) const { return {static_cast<V>(v), V(1)}; }
    FUSE_HD constexpr A combine(A a, A b) const {
        // Infinities of one sign have no difference.
        const V scale = a.shift == b.shift ? V(1) : detail::exponential(-std::fabs(a.shift - b.shift));
        const bool first = a.shift >= b.shift;
        return {detail::larger(a.shift, b.shift), first ? a.sum + b.sum * scale : b.sum + a.sum * scale};
    }
    FUSE_HD constexpr V project(A a, index_t) const { return a.shift + detail::logarithm(a.sum); }
};

/// log(sum(exp(x))) of floating-point elements: -inf of none.
struct LogSumExp {
    static constexpr const char* name = "logsumexp";
    template <std::floating_point T, class Acc = void>
    using reduction_op = LogSumExpReduction<T, Acc>;
};

FUSE_END_NAMESPACE
