// SPDX-License-Identifier: Apache-2.0
//
// What tells equal numbers from others: the mean of equal numbers is rounded, so that their variance need not be 0.
#pragma once

#include <limits>

#include "fuse/lang/reductions.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether the variance is what rounding of the mean makes of equal numbers. scipy.stats has the same threshold, the
/// decimal digits of the type: about 8 epsilons of the mean.
template <Expression V, Expression M>
constexpr auto is_rounding(const V& variance, const M& average) {
    constexpr double digits = 8 * std::numeric_limits<value_t<V>>::epsilon();
    return variance <= square(average * digits);
}

}  // namespace detail

FUSE_END_NAMESPACE
