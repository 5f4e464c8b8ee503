// SPDX-License-Identifier: Apache-2.0
//
// Normalisation of each sample of shape (channels, ...) by itself: instance_norm channel by channel, group_norm by
// groups of channels. Groups are an axis of their own, so group_norm works on, and gives, arrays of shape (n, groups,
// channels / groups, ...): that of a view of shape (n, channels, ...) is unflatten<1>(x, groups, -1), which costs
// nothing, also of the output and of what else meets it.
#pragma once

#include "fuse/lang/unflatten.hpp"
#include "fuse/nn/channels.hpp"
#include "fuse/nn/norm_statistics.hpp"

FUSE_BEGIN_NAMESPACE

/// (x - mean) / sqrt(var + eps) over the positions of each channel of each sample: Ulyanov, Vedaldi, Lempitsky,
/// "Instance Normalization", arXiv:1607.08022. x has shape (n, channels, ...). As torch.nn.functional.instance_norm,
/// whose eps is kept.
template <Expression X>
constexpr auto instance_norm(const X& x, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X);
    return layer_norm(x, detail::sample_axes<X>{}, eps);
}
/// instance_norm(x) * gamma + beta, both of shape (channels)
template <Expression X, Expression G, Expression B>
constexpr auto instance_norm(const X& x, const G& gamma, const B& beta, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X, G, B);
    return layer_norm(x, detail::per_channel<X>(gamma), detail::per_channel<X>(beta), detail::sample_axes<X>{}, eps);
}
/// {output, mean, rstd}: instance_norm(x, ...) and its statistics, of shape (n, channels, 1, ...), which outputs of
/// shape (n, channels) take. Computed once for what x is in norm_statistics.hpp.
template <Expression X>
constexpr auto instance_norm_with_statistics(const X& x, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X);
    return layer_norm_with_statistics(x, detail::sample_axes<X>{}, eps);
}
template <Expression X, Expression G, Expression B>
constexpr auto instance_norm_with_statistics(const X& x, const G& gamma, const B& beta, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X, G, B);
    return layer_norm_with_statistics(x, detail::per_channel<X>(gamma), detail::per_channel<X>(beta),
                                      detail::sample_axes<X>{}, eps);
}

namespace detail {

/// What there is per channel beside x of shape (n, groups, channels / groups, ...).
template <class X, class E>
auto per_grouped_channel(const X& x, const E& e) {
    if constexpr (E::rank == 1) {
        return before_axes<X::rank - 3>(unflatten<0>(e, shape_of(x)[1], -1));
    } else {
        return e;
    }
}

}  // namespace detail

/// (x - mean) / sqrt(var + eps) over the channels of a group and their positions: Wu, He, "Group Normalization",
/// arXiv:1803.08494, eq. 1-4. x, and what is returned, has shape (n, groups, channels / groups, ...). Default eps of
/// torch.nn.functional.group_norm.
template <Expression X>
auto group_norm(const X& x, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X);
    return layer_norm(x, detail::sample_axes<X>{}, eps);
}
/// group_norm(x) * gamma + beta, both of shape (channels)
template <Expression X, Expression G, Expression B>
auto group_norm(const X& x, const G& gamma, const B& beta, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X, G, B);
    return layer_norm(x, detail::per_grouped_channel(x, gamma), detail::per_grouped_channel(x, beta),
                      detail::sample_axes<X>{}, eps);
}
/// The same of x of shape (n, channels, ...), a view or maps of views, as unflatten<1>(x, groups, -1): write it to that
/// of an output, unflatten<1>(y, groups, -1) = group_norm(x, groups, gamma, beta). Throws shape_error if groups do not
/// divide channels.
template <Expression X, std::integral N>
auto group_norm(const X& x, N groups, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X);
    return group_norm(unflatten<1>(x, groups, -1), eps);
}
template <Expression X, std::integral N, Expression G, Expression B>
auto group_norm(const X& x, N groups, const G& gamma, const B& beta, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X, G, B);
    return group_norm(unflatten<1>(x, groups, -1), gamma, beta, eps);
}

/// {output, mean, rstd}: group_norm(x, ...) and its statistics, of shape (n, groups, 1, ...), which outputs of shape
/// (n, groups) take, as torch.native_group_norm returns them. Computed once for what x is in norm_statistics.hpp.
template <Expression X>
auto group_norm_with_statistics(const X& x, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X);
    return layer_norm_with_statistics(x, detail::sample_axes<X>{}, eps);
}
template <Expression X, Expression G, Expression B>
auto group_norm_with_statistics(const X& x, const G& gamma, const B& beta, double eps = 1e-5) {
    FUSE_CHECK_POSITIONS(X, G, B);
    return layer_norm_with_statistics(x, detail::per_grouped_channel(x, gamma), detail::per_grouped_channel(x, beta),
                                      detail::sample_axes<X>{}, eps);
}
template <Expression X, std::integral N>
auto group_norm_with_statistics(const X& x, N groups, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X);
    return group_norm_with_statistics(unflatten<1>(x, groups, -1), eps);
}
template <Expression X, std::integral N, Expression G, Expression B>
auto group_norm_with_statistics(const X& x, N groups, const G& gamma, const B& beta, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X, G, B);
    return group_norm_with_statistics(unflatten<1>(x, groups, -1), gamma, beta, eps);
}

FUSE_END_NAMESPACE
