// SPDX-License-Identifier: Apache-2.0
//
// Each function of the catalogue uses its operands as one value each.
#include "lang/one_value.hpp"

#include "fuse/nn.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("norms of the catalogue of one value") {
    check([](const auto& h) { return softmax(h, 0.5); });
    check([](const auto& h) { return log_softmax(h, axes<0>, 0.5); });
    check([](const auto& h) { return softmin(h); });
    check([](const auto& h) { return masked_softmax(h, r > 0); });
    check([](const auto& h) { return causal_softmax(h, 1); });
    check([](const auto& h) { return gumbel_softmax(h, 7, 0.5); });
    check([](const auto& h) { return standardize(h); });
    check([](const auto& h) { return minmax_scale(h, -1.0, 1.0); });
    check([](const auto& h) { return batch_norm(h, line, line, line, line); });
    check([](const auto& h) { return batch_norm_training(h, line, line).output; });
    check([](const auto& h) { return batch_norm_training(h, line, line, line * 2.0F, line * 2.0F).running_mean; });
    check([](const auto& h) { return batch_norm_training(h, line, line, line * 2.0F, line * 2.0F).running_var; });
    check([](const auto& h) { return layer_norm_with_statistics(h).rstd; });
    check([](const auto& h) { return rms_norm_with_statistics(h, line).rstd; });
    check([](const auto& h) { return add_layer_norm(h, r).output; });
    check([](const auto& h) { return add_rms_norm(h, t, line).output; });
    check([](const auto& h) { return clip_grad_norm(h, 0.5).output; });
}

TEST_CASE("steps of optimizers of one value each") {
    check_pair([](const auto& a, const auto& b) { return sgd(a, b, {.weight_decay = 0.1}); });
    check_pair([](const auto& a, const auto& b) { return sgd(a, b, r, 1, {.momentum = 0.9}).param; });
    check_pair([](const auto& a, const auto& b) { return sgd(a, b, r, 1, {.momentum = 0.9}).momentum_buffer; });
    check_pair([](const auto& a, const auto& b) { return adam(a, b, r, r, 1).param; });
    check_pair([](const auto& a, const auto& b) { return adam(a, b, r, r, 1).exp_avg_sq; });
    check_pair([](const auto& a, const auto& b) { return adamw(a, b, r, r, 1).param; });
    check_pair([](const auto& a, const auto& b) { return lion(a, b, r).param; });
}
