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
    check([](const auto& h) { return layer_norm_with_statistics(h, line).output; });
    check([](const auto& h) { return rms_norm_with_statistics(h, line).rstd; });
    check([](const auto& h) { return add_layer_norm(h, r).output; });
    check([](const auto& h) { return add_layer_norm(h, t, line).output; });
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

TEST_CASE("integers are converted before anything else") {
    const auto same = []<class A, class B>(const A&, const B&) { return std::is_same_v<A, B>; };
    const auto check_type = [&](const auto& i, const auto& u) {
        CHECK((same(softmin(i), softmin(u)) && same(softmax(i, 0.5), softmax(u, 0.5))));
        CHECK((same(masked_softmax(i, t), masked_softmax(u, t)) && same(standardize(i), standardize(u))));
        CHECK((same(minmax_scale(i), minmax_scale(u)) && same(causal_softmax(i), causal_softmax(u))));
        CHECK(same(batch_norm_training(i).output, batch_norm_training(u).output));
        CHECK(same(batch_norm_training(i).rstd, batch_norm_training(u).rstd));
        CHECK(same(rms_norm_with_statistics(i).rstd, rms_norm_with_statistics(u).rstd));
        CHECK(same(clip_grad_norm(i, 1).total_norm, clip_grad_norm(u, 1).total_norm));
    };
    const auto narrow = view<"i">(static_cast<const std::int8_t*>(nullptr), 4, 5);
    const auto wide = view<"i">(static_cast<const std::int64_t*>(nullptr), 4, 5);
    check_type(narrow, cast<float>(narrow));
    check_type(wide, cast<double>(wide));
}
