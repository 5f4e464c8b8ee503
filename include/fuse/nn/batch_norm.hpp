// SPDX-License-Identifier: Apache-2.0
//
// Batch normalisation of inputs of shape (n, channels, ...), in training and in use: statistics of a channel over all
// samples and positions, one kernel that writes them beside the output.
#pragma once

#include "fuse/error.hpp"
#include "fuse/nn/channels.hpp"
#include "fuse/nn/norm_statistics.hpp"

FUSE_BEGIN_NAMESPACE

/// auto [output, mean, rstd, running_mean, running_var] = batch_norm_training(x, gamma, beta, running_mean,
/// running_var)
template <class Output, class Mean, class Rstd, class RunningMean, class RunningVar>
struct BatchNormTraining {
    Output output;
    Mean mean;                 ///< of the batch, (1, channels, 1, ...), which an output of shape (channels) takes
    Rstd rstd;                 ///< 1 / sqrt(var + eps) of the batch, likewise, var divided by n
    RunningMean running_mean;  ///< (channels): what it is after this batch
    RunningVar running_var;    ///< (channels), of variances divided by n - 1, as in PyTorch
};

namespace detail {

/// Elements of one channel. As in PyTorch one alone has no statistics.
template <class X>
index_t count_of_channel(const X& x) {
    const Shape shape = shape_of(x);
    index_t count = 1;
    for (int axis = 0; axis < shape.rank; ++axis) {
        count *= axis == 1 ? 1 : shape[axis];
    }
    if (count == 1) {
        throw shape_error(Text() << "batch_norm_training takes more than one element of a channel: the input has shape "
                                 << shape);
    }
    return count;
}

/// (1 - momentum) * running + momentum * scale * batch; what it was where the batch has no elements.
template <class R, class B>
auto running_average(const R& running, const B& batch, double momentum, index_t count, double scale = 1) {
    return where(scalar(count) > constant<0>, running * (1 - momentum) + batch * (momentum * scale), running);
}

template <class S, class M, class V>
BatchNormTraining<decltype(S::output), decltype(S::mean), decltype(S::rstd), M, V> with_running(const S& s, const M& m,
                                                                                                const V& v) {
    return {s.output, s.mean, s.rstd, m, v};
}

}  // namespace detail

/// (x - running_mean) / sqrt(running_var + eps), channel by channel: Ioffe, Szegedy, "Batch Normalization",
/// arXiv:1502.03167, algorithm 2. x has shape (n, channels, ...), the others (channels). Shape of x. As
/// torch.nn.functional.batch_norm with training=False, whose eps is kept.
template <Expression X, Expression M, Expression V>
constexpr auto batch_norm(const X& x, const M& running_mean, const V& running_var, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X, M, V);
    return (detail::in_floating(x) - detail::per_channel<X>(running_mean)) *
           rsqrt(detail::per_channel<X>(running_var) + eps);
}
/// batch_norm(x, running_mean, running_var) * gamma + beta
template <Expression X, Expression M, Expression V, Expression G, Expression B>
constexpr auto batch_norm(const X& x, const M& running_mean, const V& running_var, const G& gamma, const B& beta,
                          double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X, M, V, G, B);
    return batch_norm(x, running_mean, running_var, eps) * detail::per_channel<X>(gamma) + detail::per_channel<X>(beta);
}

/// x normalised by the mean and the variance (divided by n) of its channels over samples and positions, algorithm 1
/// there, and these statistics: {output, mean, rstd}. x has shape (n, channels, ...). Computed once for what x is in
/// norm_statistics.hpp. Throws shape_error where a channel has one element alone, as PyTorch.
template <Expression X>
auto batch_norm_training(const X& x, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X);
    detail::count_of_channel(x);
    return layer_norm_with_statistics(x, detail::batch_axes<X>{}, eps);
}
/// With output * gamma + beta, both of shape (channels).
template <Expression X, Expression G, Expression B>
auto batch_norm_training(const X& x, const G& gamma, const B& beta, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X, G, B);
    detail::count_of_channel(x);
    return layer_norm_with_statistics(x, detail::per_channel<X>(gamma), detail::per_channel<X>(beta),
                                      detail::batch_axes<X>{}, eps);
}
/// And with the running statistics after this batch, (1 - momentum) * running + momentum * batch, momentum and the
/// unbiased variance as in torch.nn.functional.batch_norm: written to other memory or over the old ones.
template <Expression X, Expression G, Expression B, Expression M, Expression V>
auto batch_norm_training(const X& x, const G& gamma, const B& beta, const M& running_mean, const V& running_var,
                         double momentum = 0.1, double eps = 1e-5) {
    FUSE_CHECK_CHANNELS(X, G, B, M, V);
    const index_t count = detail::count_of_channel(x);
    const double unbiased = static_cast<double>(count) / static_cast<double>(count - 1);
    const auto v = detail::in_floating(x);
    return detail::with_running(
        batch_norm_training(x, gamma, beta, eps),
        detail::running_average(running_mean, mean(v, detail::batch_axes<X>{}), momentum, count),
        detail::running_average(running_var, var(v, detail::batch_axes<X>{}), momentum, count, unbiased));
}

FUSE_END_NAMESPACE
