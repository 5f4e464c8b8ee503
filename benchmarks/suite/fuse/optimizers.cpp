// SPDX-License-Identifier: Apache-2.0
//
// What stands between a gradient and the parameters.
#include <fuse/nn.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter clip("clip_grad_norm", [](const Setup& s, int k) {
    eval(executor(s), array<"y">(s, k) = clip_grad_norm(array<"x">(s, k), 1.0).output);
});

template <fixed_name N>
auto moment(const Setup& s, int k) {
    return shaped<N, float>(s, k, s.extent(0));
}

const Enter step("adamw", [](const Setup& s, int k) {
    const auto [param, exp_avg, exp_avg_sq] =
        adamw(array<"x">(s, k), array<"g">(s, k), moment<"m">(s, k), moment<"v">(s, k), 10);
    eval(executor(s), array<"y">(s, k) = param, moment<"m1">(s, k) = exp_avg, moment<"v1">(s, k) = exp_avg_sq);
});

}  // namespace
}  // namespace bench
