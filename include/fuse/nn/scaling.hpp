// SPDX-License-Identifier: Apache-2.0
//
// Features brought to one scale: standardize and minmax_scale. What is the same everywhere becomes 0, or low, and not
// NaN.
#pragma once

#include "fuse/error.hpp"
#include "fuse/nn/rounding.hpp"

FUSE_BEGIN_NAMESPACE

/// (x - mean) / stddev over `axes` (default: the last), stddev divided by n - Ddof; 0 where that is 0, or no more than 8
/// epsilons of the mean, which rounding makes of equal numbers. Shape of x. As scipy.stats.zscore, and
/// sklearn.preprocessing.scale, whose axis is axes<0>.
template <int Ddof = 0, Expression X, AxesOption A = axes_t<-1>>
constexpr auto standardize(const X& x, A over = {}) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(detail::in_floating(x), [over](const auto& v) {
        const auto average = mean(v, over, keepdims);
        const auto variance = var<Ddof>(v, over, keepdims);
        const auto same = detail::is_rounding(variance, average);
        // No root is taken where the result is 0, or the derivative there would be 0 times infinity.
        return (v - average) * where(same, constant<0>, rsqrt(where(same, constant<1>, variance)));
    });
}

namespace detail {
FUSE_COLD inline void check_range(double low, double high) {
    if (!(low < high)) {
        Text text;
        text << "the least value of minmax_scale, ";
        print_number(text, low);
        text << ", is not less than the greatest, ";
        print_number(text, high);
        throw argument_error(text);
    }
}
}  // namespace detail

/// (x - min) / (max - min) over `axes` (default: the last), then stretched to [low, high]; low where max is min. Shape
/// of x. An argument_error where low is not less than high. As sklearn.preprocessing.minmax_scale, whose axis is axes<0> and
/// whose feature_range is low and high.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto minmax_scale(const X& x, A over = {}, double low = 0, double high = 1) {
    FUSE_CHECK_AXES(X::rank, A);
    detail::check_range(low, high);
    return let(detail::in_floating(x), [over, low, high](const auto& v) {
        const auto range = ptp(v, over, keepdims);
        return (v - min(v, over, keepdims)) / where(range == constant<0>, constant<1>, range) * (high - low) + low;
    });
}
template <Expression X>
constexpr auto minmax_scale(const X& x, double low, double high) {
    return minmax_scale(x, axes<-1>, low, high);
}

FUSE_END_NAMESPACE
