// SPDX-License-Identifier: Apache-2.0
//
// Norms of a residual stream: the sum x + residual, which goes on, and its norm, which goes into the next layer, as two
// outputs of one eval that reads both operands once.
#pragma once

#include "fuse/nn/normalization.hpp"

FUSE_BEGIN_NAMESPACE

/// auto [output, sum] = add_rms_norm(x, residual, gamma). The output is that of the sum before it is rounded to the
/// type in which it is stored. Where x or residual is no named view, named<"s">(x + residual) is what both can share.
template <class Output, class Sum>
struct NormOfSum {
    Output output;
    Sum sum;
};

namespace detail {

template <class X, class R>
using sum_t = map_t<Add<>, X, R>;

template <class Output, class Sum>
constexpr NormOfSum<Output, Sum> norm_of_sum(const Output& output, const Sum& sum) {
    return {output, sum};
}

}  // namespace detail

/// x + residual, and layer_norm of it.
template <Expression X, Expression R, AxesOption A = axes_t<-1>>
constexpr auto add_layer_norm(const X& x, const R& residual, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(detail::largest(X::rank, R::rank), A);
    const auto sum = x + residual;
    return detail::norm_of_sum(layer_norm(sum, over, eps), sum);
}
template <Expression X, Expression R>
constexpr auto add_layer_norm(const X& x, const R& residual, double eps) {
    return add_layer_norm(x, residual, axes<-1>, eps);
}
template <Expression X, Expression R, Expression G, AxesOption A = axes_t<-1>>
constexpr auto add_layer_norm(const X& x, const R& residual, const G& gamma, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(detail::largest(X::rank, R::rank), A);
    const auto sum = x + residual;
    return detail::norm_of_sum(layer_norm(sum, gamma, over, eps), sum);
}
template <Expression X, Expression R, Expression G>
constexpr auto add_layer_norm(const X& x, const R& residual, const G& gamma, double eps) {
    return add_layer_norm(x, residual, gamma, axes<-1>, eps);
}
template <Expression X, Expression R, Expression G, Expression B, AxesOption A = axes_t<-1>>
constexpr auto add_layer_norm(const X& x, const R& residual, const G& gamma, const B& beta, A over = {},
                              double eps = 1e-5) {
    FUSE_CHECK_AXES(detail::largest(X::rank, R::rank), A);
    const auto sum = x + residual;
    return detail::norm_of_sum(layer_norm(sum, gamma, beta, over, eps), sum);
}
template <Expression X, Expression R, Expression G, Expression B>
constexpr auto add_layer_norm(const X& x, const R& residual, const G& gamma, const B& beta, double eps) {
    return add_layer_norm(x, residual, gamma, beta, axes<-1>, eps);
}

/// x + residual, and rms_norm of it. Default eps of rms_norm.
template <Expression X, Expression R, AxesOption A = axes_t<-1>>
constexpr auto add_rms_norm(const X& x, const R& residual, A over = {},
                            double eps = detail::rms_epsilon<detail::sum_t<X, R>>) {
    FUSE_CHECK_AXES(detail::largest(X::rank, R::rank), A);
    const auto sum = x + residual;
    return detail::norm_of_sum(rms_norm(sum, over, eps), sum);
}
template <Expression X, Expression R>
constexpr auto add_rms_norm(const X& x, const R& residual, double eps) {
    return add_rms_norm(x, residual, axes<-1>, eps);
}
template <Expression X, Expression R, Expression G, AxesOption A = axes_t<-1>>
constexpr auto add_rms_norm(const X& x, const R& residual, const G& gamma, A over = {},
                            double eps = detail::rms_epsilon<detail::sum_t<X, R>>) {
    FUSE_CHECK_AXES(detail::largest(X::rank, R::rank), A);
    const auto sum = x + residual;
    return detail::norm_of_sum(rms_norm(sum, gamma, over, eps), sum);
}
template <Expression X, Expression R, Expression G>
constexpr auto add_rms_norm(const X& x, const R& residual, const G& gamma, double eps) {
    return add_rms_norm(x, residual, gamma, axes<-1>, eps);
}

FUSE_END_NAMESPACE
