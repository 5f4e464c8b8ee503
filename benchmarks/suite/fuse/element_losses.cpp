// SPDX-License-Identifier: Apache-2.0
//
// Losses of elements.
#include <fuse/nn.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

/// loss(x, t), a scalar.
template <class Loss>
auto scalar_loss(Loss loss) {
    return [loss](const Setup& s, int k) {
        eval(executor(s), scalar_of<"out">(s, k) = loss(array<"x">(s, k), array<"t">(s, k)));
    };
}

const Enter binary("bce_with_logits",
                   scalar_loss([](const auto& x, const auto& t) { return binary_cross_entropy_with_logits(x, t); }));
const Enter focal("focal_loss",
                  scalar_loss([](const auto& x, const auto& t) { return sigmoid_focal_loss(x, t, reduction::mean); }));
const Enter smooth("smooth_l1_loss", scalar_loss([](const auto& x, const auto& t) { return smooth_l1_loss(x, t); }));
const Enter poisson("poisson_nll_loss",
                    scalar_loss([](const auto& x, const auto& t) { return poisson_nll_loss(x, t); }));

}  // namespace
}  // namespace bench
