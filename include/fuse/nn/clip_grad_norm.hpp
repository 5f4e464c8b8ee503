// SPDX-License-Identifier: Apache-2.0
//
// clip_grad_norm: a gradient that is at most so long.
#pragma once

#include "fuse/lang/reductions.hpp"
#include "fuse/nn/optimizer_options.hpp"

FUSE_BEGIN_NAMESPACE

/// auto [output, total_norm] = clip_grad_norm(grad, 1.0)
template <class Output, class Norm>
struct ClippedGradient {
    Output output;    ///< the gradient, shorter if it was longer than max_norm
    Norm total_norm;  ///< a scalar: the norm that it had
};

namespace detail {

template <class Output, class Norm>
constexpr ClippedGradient<Output, Norm> clipped(const Output& output, const Norm& norm) {
    return {output, norm};
}

}  // namespace detail

/// grad * min(1, max_norm / (norm<P>(grad) + 1e-6)), norm_type P being 2 unless another is given (fuse::inf for the
/// largest), and the norm: Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks",
/// arXiv:1211.5063, algorithm 1. As torch.nn.utils.clip_grad_norm_ of one tensor, which writes it over grad: eval(cuda,
/// grad = output). Both are one kernel, which reads grad twice. Throws argument_error for a max_norm below 0 or NaN.
template <int P = 2, Expression G>
constexpr auto clip_grad_norm(const G& grad, double max_norm) {
    detail::check_at_least_0("clip_grad_norm", "max_norm", max_norm);
    return detail::clipped(
        let(detail::in_floating(grad),
            [max_norm](const auto& g) { return g * min(max_norm / (norm<P>(g) + 1e-6), constant<1>); }),
        norm<P>(grad));
}

FUSE_END_NAMESPACE
