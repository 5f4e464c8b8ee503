// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of softmax and of norms, derived.
#include <fuse/gradient.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

template <fixed_name N>
auto row(const Setup& s, int k) {
    return shaped<N, element>(s, k, s.extent(1));
}

const Enter of_softmax("softmax_vjp", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    eval(executor(s), matrix<"dx">(s, k) = vjp(softmax(x), x, matrix<"dy">(s, k)));
});

const Enter of_log_softmax("log_softmax_vjp", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    eval(executor(s), matrix<"dx">(s, k) = vjp(log_softmax(x), x, matrix<"dy">(s, k)));
});

const Enter of_layer_norm("layer_norm_vjp", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    const auto y = layer_norm(x, row<"w">(s, k), row<"b">(s, k), 1e-5);
    eval(executor(s), matrix<"dx">(s, k) = vjp(y, x, matrix<"dy">(s, k)));
});

const Enter of_rms_norm("rms_norm_vjp", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    eval(executor(s), matrix<"dx">(s, k) = vjp(rms_norm(x, row<"w">(s, k), 1e-6), x, matrix<"dy">(s, k)));
});

const Enter all_of_layer_norm("layer_norm_gradients", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    const auto dy = matrix<"dy">(s, k);
    const auto w = row<"w">(s, k);
    const auto b = row<"b">(s, k);
    const auto y = layer_norm(x, w, b, 1e-5);
    eval(executor(s), matrix<"dx">(s, k) = vjp(y, x, dy), row<"dw">(s, k) = vjp(y, w, dy),
         row<"db">(s, k) = vjp(y, b, dy));
});

const Enter all_of_rms_norm("rms_norm_gradients", [](const Setup& s, int k) {
    const auto x = matrix<"x">(s, k);
    const auto dy = matrix<"dy">(s, k);
    const auto w = row<"w">(s, k);
    const auto y = rms_norm(x, w, 1e-6);
    eval(executor(s), matrix<"dx">(s, k) = vjp(y, x, dy), row<"dw">(s, k) = vjp(y, w, dy));
});

}  // namespace
}  // namespace bench
