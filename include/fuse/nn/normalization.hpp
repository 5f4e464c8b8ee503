// SPDX-License-Identifier: Apache-2.0
//
// Normalisations of rows: each is statistics of a row, then a map back over it, in one kernel that reads the
// row once. `axes` are the axes that share one set of statistics; the default is the last one. gamma and beta
// broadcast against x, so a view of shape (cols) scales every row alike.
#pragma once

#include <limits>

#include "fuse/lang/reductions.hpp"

FUSE_BEGIN_NAMESPACE

/// (x - mean) / sqrt(var + eps): Ba, Kiros, Hinton, "Layer Normalization", arXiv:1607.06450, eq. 4; var
/// divides by n. The variance is taken about the mean, in a second sweep over the row on chip. Shape of x.
/// Default eps of torch.nn.functional.layer_norm, whose normalized_shape is `axes` here.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto layer_norm(const X& x, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(detail::in_floating(x), [over, eps](const auto& v) {
        return (v - mean(v, over, keepdims)) * rsqrt(var(v, over, keepdims) + eps);
    });
}
template <Expression X>
constexpr auto layer_norm(const X& x, double eps) {
    return layer_norm(x, axes<-1>, eps);
}
/// layer_norm(x) * gamma, without a bias.
template <Expression X, Expression G, AxesOption A = axes_t<-1>>
constexpr auto layer_norm(const X& x, const G& gamma, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(gamma, [&x, over, eps](const auto& scale) { return layer_norm(x, over, eps) * scale; });
}
template <Expression X, Expression G>
constexpr auto layer_norm(const X& x, const G& gamma, double eps) {
    return layer_norm(x, gamma, axes<-1>, eps);
}
/// layer_norm(x) * gamma + beta
template <Expression X, Expression G, Expression B, AxesOption A = axes_t<-1>>
constexpr auto layer_norm(const X& x, const G& gamma, const B& beta, A over = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(gamma, beta, [&x, over, eps](const auto& scale, const auto& shift) {
        return layer_norm(x, over, eps) * scale + shift;
    });
}
template <Expression X, Expression G, Expression B>
constexpr auto layer_norm(const X& x, const G& gamma, const B& beta, double eps) {
    return layer_norm(x, gamma, beta, axes<-1>, eps);
}

namespace detail {

/// The eps of torch.nn.functional.rms_norm: the machine epsilon of the type that is computed in.
template <Expression X>
inline constexpr double rms_epsilon = std::numeric_limits<floating_t<value_t<X>>>::epsilon();

}  // namespace detail

/// x / sqrt(mean(x^2) + eps): Zhang, Sennrich, "Root Mean Square Layer Normalization", arXiv:1910.07467, eq.
/// 4. Shape of x. Default eps of torch.nn.functional.rms_norm: the machine epsilon.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto rms_norm(const X& x, A over = {}, double eps = detail::rms_epsilon<X>) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(detail::in_floating(x),
               [over, eps](const auto& v) { return v * rsqrt(mean(square(v), over, keepdims) + eps); });
}
template <Expression X>
constexpr auto rms_norm(const X& x, double eps) {
    return rms_norm(x, axes<-1>, eps);
}
/// rms_norm(x) * gamma
template <Expression X, Expression G, AxesOption A = axes_t<-1>>
constexpr auto rms_norm(const X& x, const G& gamma, A over = {}, double eps = detail::rms_epsilon<X>) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(gamma, [&x, over, eps](const auto& scale) { return rms_norm(x, over, eps) * scale; });
}
template <Expression X, Expression G>
constexpr auto rms_norm(const X& x, const G& gamma, double eps) {
    return rms_norm(x, gamma, axes<-1>, eps);
}

/// x / max(norm<2>(x), eps): torch.nn.functional.normalize with p = 2. Shape of x; a row of zeros stays zero.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto l2_normalize(const X& x, A over = {}, double eps = 1e-12) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(detail::in_floating(x), [over, eps](const auto& v) { return v / max(norm<2>(v, over, keepdims), eps); });
}
template <Expression X>
constexpr auto l2_normalize(const X& x, double eps) {
    return l2_normalize(x, axes<-1>, eps);
}

FUSE_END_NAMESPACE
