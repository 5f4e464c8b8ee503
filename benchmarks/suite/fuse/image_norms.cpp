// SPDX-License-Identifier: Apache-2.0
//
// Normalisations of images by channels and groups of them, and the gradients of a batch norm.
#include <fuse/gradient.hpp>
#include <fuse/nn.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter batch("batch_norm_training", [](const Setup& s, int k) {
    const auto [y, mean, rstd] = batch_norm_training(image<"x">(s, k), channels<"w">(s, k), channels<"b">(s, k));
    eval(executor(s), image<"y">(s, k) = y, channels<"mean", float>(s, k) = mean, channels<"rstd", float>(s, k) = rstd);
});

const Enter groups("group_norm", [](const Setup& s, int k) {
    const auto y = group_norm(image<"x">(s, k), 32, channels<"w">(s, k), channels<"b">(s, k));
    eval(executor(s), unflatten<1>(image<"y">(s, k), 32, -1) = y);
});

const Enter instances("instance_norm", [](const Setup& s, int k) {
    eval(executor(s), image<"y">(s, k) = instance_norm(image<"x">(s, k), channels<"w">(s, k), channels<"b">(s, k)));
});

const Enter gradients("batch_norm_gradients", [](const Setup& s, int k) {
    const auto x = image<"x">(s, k);
    const auto dy = image<"dy">(s, k);
    const auto w = channels<"w">(s, k);
    const auto b = channels<"b">(s, k);
    const auto y = batch_norm_training(x, w, b).output;
    eval(executor(s), image<"dx">(s, k) = vjp(y, x, dy), channels<"dw">(s, k) = vjp(y, w, dy),
         channels<"db">(s, k) = vjp(y, b, dy));
});

}  // namespace
}  // namespace bench
