// SPDX-License-Identifier: Apache-2.0
//
// layer_norm and rms_norm with the statistics of the rows beside the output, which the way back needs: expressions of
// one eval, y = output, m = mean, r = rstd, whose reductions are computed once. That takes an x which is the same value
// in all of them: a named view, what is made of such without run-time numbers, or named<"h">(...). Of anything else the
// result is the same, and each output reads and reduces it for itself.
#pragma once

#include "fuse/nn/normalization.hpp"

FUSE_BEGIN_NAMESPACE

/// auto [output, mean, rstd] = layer_norm_with_statistics(x). The statistics have the shape of x with 1 along the axes
/// that share them: they broadcast back against x, and an output of them may leave these axes out.
template <class Output, class Mean, class Rstd>
struct NormWithStatistics {
    Output output;
    Mean mean;
    Rstd rstd;  ///< 1 / sqrt(var + eps), var divided by n
};
/// auto [output, rstd] = rms_norm_with_statistics(x)
template <class Output, class Rstd>
struct RmsNormWithStatistics {
    Output output;
    Rstd rstd;  ///< 1 / sqrt(mean(x^2) + eps)
};

namespace detail {

template <class Output, class Mean, class Rstd>
constexpr NormWithStatistics<Output, Mean, Rstd> with_statistics(const Output& output, const Mean& mean,
                                                                 const Rstd& rstd) {
    return {output, mean, rstd};
}
template <class Output, class Rstd>
constexpr RmsNormWithStatistics<Output, Rstd> with_statistics(const Output& output, const Rstd& rstd) {
    return {output, rstd};
}

/// Those of layer_norm(x, over, eps), which x and these axes share, beside an output that was made of it.
template <class Output, Expression X, class A>
constexpr auto beside_layer_statistics(const Output& output, const X& x, A over, double eps) {
    const auto v = in_floating(x);
    return with_statistics(output, mean(v, over, keepdims), rsqrt(var(v, over, keepdims) + eps));
}
template <class Output, Expression X, class A>
constexpr auto beside_rms_statistics(const Output& output, const X& x, A over, double eps) {
    return with_statistics(output, rsqrt(mean(square(in_floating(x)), over, keepdims) + eps));
}

}  // namespace detail

/// layer_norm(x, ...), its mean and its 1 / sqrt(var + eps), as torch.native_layer_norm returns them.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto layer_norm_with_statistics(const X& x, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(X::rank, A);
    return detail::beside_layer_statistics(layer_norm(x, over, eps), x, over, eps);
}
template <Expression X>
constexpr auto layer_norm_with_statistics(const X& x, double eps) {
    return layer_norm_with_statistics(x, axes<-1>, eps);
}
template <Expression X, Expression G, AxesOption A = axes_t<-1>>
constexpr auto layer_norm_with_statistics(const X& x, const G& gamma, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(X::rank, A);
    return detail::beside_layer_statistics(layer_norm(x, gamma, over, eps), x, over, eps);
}
template <Expression X, Expression G>
constexpr auto layer_norm_with_statistics(const X& x, const G& gamma, double eps) {
    return layer_norm_with_statistics(x, gamma, axes<-1>, eps);
}
template <Expression X, Expression G, Expression B, AxesOption A = axes_t<-1>>
constexpr auto layer_norm_with_statistics(const X& x, const G& gamma, const B& beta, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(X::rank, A);
    return detail::beside_layer_statistics(layer_norm(x, gamma, beta, over, eps), x, over, eps);
}
template <Expression X, Expression G, Expression B>
constexpr auto layer_norm_with_statistics(const X& x, const G& gamma, const B& beta, double eps) {
    return layer_norm_with_statistics(x, gamma, beta, axes<-1>, eps);
}

/// rms_norm(x, ...) and its 1 / sqrt(mean(x^2) + eps).
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto rms_norm_with_statistics(const X& x, A over = {}, double eps = detail::rms_epsilon<X>) {
    FUSE_CHECK_AXES(X::rank, A);
    return detail::beside_rms_statistics(rms_norm(x, over, eps), x, over, eps);
}
template <Expression X>
constexpr auto rms_norm_with_statistics(const X& x, double eps) {
    return rms_norm_with_statistics(x, axes<-1>, eps);
}
template <Expression X, Expression G, AxesOption A = axes_t<-1>>
constexpr auto rms_norm_with_statistics(const X& x, const G& gamma, A over = {}, double eps = detail::rms_epsilon<X>) {
    FUSE_CHECK_AXES(X::rank, A);
    return detail::beside_rms_statistics(rms_norm(x, gamma, over, eps), x, over, eps);
}
template <Expression X, Expression G>
constexpr auto rms_norm_with_statistics(const X& x, const G& gamma, double eps) {
    return rms_norm_with_statistics(x, gamma, axes<-1>, eps);
}

FUSE_END_NAMESPACE
