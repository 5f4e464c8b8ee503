// SPDX-License-Identifier: Apache-2.0
//
// Statistics beside mean and var: covariance and correlation of two operands, skewness, kurtosis. Deviations are taken
// from the mean, in a second sweep of the same kernel. In one eval of a named operand all of them share, also with mean
// and var, what they reduce.
#pragma once

#include <limits>

#include "fuse/nn/rounding.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Integers in double, as in var: sums of 64 bits might wrap around.
template <Expression X>
constexpr auto in_statistics(const X& x) {
    if constexpr (std::is_integral_v<value_t<X>>) {
        return cast<double>(x);
    } else {
        return x;
    }
}

/// x less its mean over the axes of O.
template <class... O, Expression X>
constexpr auto deviation(const X& x) {
    return x - reduce_kept<Mean, X, O...>(x);
}

}  // namespace detail

/// sum((x - mean(x)) * (y - mean(y))) / (n - Ddof): one number for each pair of rows, not a matrix of all pairs. x and
/// y have the same number of axes and broadcast; the options are those of sum. NaN when n <= Ddof. An element
/// of numpy.cov is covariance<1>.
template <int Ddof = 0, Expression X, Expression Y, ReduceOption... O>
constexpr auto covariance(const X& x, const Y& y, O... options) {
    static_assert(X::rank == Y::rank, "fuse: covariance: the two operands have the same number of axes");
    return let(detail::in_statistics(x), detail::in_statistics(y), [=](const auto& a, const auto& b) {
        return reduce(MeanWithDof<Ddof>{}, detail::deviation<O...>(a) * detail::deviation<O...>(b), options...);
    });
}

/// Pearson's r: the covariance divided by both standard deviations, in [-1, 1]; NaN where one of the two is constant, but
/// for deviations of 8 epsilons of its mean. x and y as in covariance. As scipy.stats.pearsonr, whose axis is among the
/// options here.
template <Expression X, Expression Y, ReduceOption... O>
constexpr auto correlation(const X& x, const Y& y, O... options) {
    static_assert(X::rank == Y::rank, "fuse: correlation: the two operands have the same number of axes");
    return let(detail::in_statistics(x), detail::in_statistics(y), [=](const auto& a, const auto& b) {
        const auto u = detail::deviation<O...>(a);
        const auto v = detail::deviation<O...>(b);
        // Means, as of two operands one may be stretched beside the other.
        const auto of_u = mean(square(u), options...);
        const auto of_v = mean(square(v), options...);
        const auto constants =
            detail::is_rounding(of_u, mean(a, options...)) || detail::is_rounding(of_v, mean(b, options...));
        return where(constants, std::numeric_limits<double>::quiet_NaN(),
                     clamp(mean(u * v, options...) / (sqrt(of_u) * sqrt(of_v)), constant<-1>, constant<1>));
    });
}

/// mean(d^3) / var^(3/2) with d = x - mean(x), var = mean(d^2): scipy.stats.skew, with its bias. The options are those
/// of sum. NaN where the elements are equal, but for deviations of 8 epsilons of their mean, as there.
template <Expression X, ReduceOption... O>
constexpr auto skewness(const X& x, O... options) {
    return let(detail::in_statistics(x), [=](const auto& v) {
        const auto d = detail::deviation<O...>(v);
        const auto variance = mean(square(d), options...);
        const auto third = mean(square(d) * d, options...);
        return where(detail::is_rounding(variance, mean(v, options...)), std::numeric_limits<double>::quiet_NaN(),
                     third / (variance * sqrt(variance)));
    });
}

/// mean(d^4) / var^2 - 3: scipy.stats.kurtosis, with its bias and Fisher's definition, 0 for a normal distribution. As
/// skewness otherwise.
template <Expression X, ReduceOption... O>
constexpr auto kurtosis(const X& x, O... options) {
    return let(detail::in_statistics(x), [=](const auto& v) {
        const auto squares = square(detail::deviation<O...>(v));
        const auto variance = mean(squares, options...);
        return where(detail::is_rounding(variance, mean(v, options...)), std::numeric_limits<double>::quiet_NaN(),
                     mean(square(squares), options...) / square(variance) - constant<3>);
    });
}

FUSE_END_NAMESPACE
