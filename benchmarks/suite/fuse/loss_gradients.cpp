// SPDX-License-Identifier: Apache-2.0
//
// Losses and their gradients in one eval.
#include <fuse/gradient.hpp>
#include <fuse/nn.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter classes("cross_entropy_gradient", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    const auto loss = cross_entropy(x, shaped<"t", std::int64_t>(s, k, s.extent(0)));
    eval(executor(s), scalar_of<"out">(s, k) = loss, matrix<"dx">(s, k) = gradient(loss, x));
});

const Enter errors("squared_error_gradient", [](const Setup& s, int k) {
    const auto a = array<"a">(s, k);
    const auto loss = mse_loss(a, array<"b">(s, k), reduction::sum);
    eval(executor(s), scalar_of<"out">(s, k) = loss, array<"da">(s, k) = gradient(loss, a));
});

const Enter divergence("kl_gradient", [](const Setup& s, int k) {
    const auto a = matrix<"a">(s, k);
    const auto loss = kl_div(log_softmax(a), log_softmax(matrix<"b">(s, k)), reduction::sum, fuse::loss::log_target);
    eval(executor(s), scalar_of<"out">(s, k) = loss, matrix<"da">(s, k) = gradient(loss, a));
});

const Enter angles("cosine_gradient", [](const Setup& s, int k) {
    const auto a = matrix<"a">(s, k);
    const auto loss = sum(1 - cosine_similarity(a, matrix<"b">(s, k)));
    eval(executor(s), scalar_of<"out">(s, k) = loss, matrix<"da">(s, k) = gradient(loss, a));
});

}  // namespace
}  // namespace bench
