// SPDX-License-Identifier: Apache-2.0
//
// Element by element beside an operand of fewer axes.
#include <fuse/nn.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter bias_relu("bias_relu", [](const Setup& s, int k) {
    eval(executor(s), matrix<"y">(s, k) = relu(matrix<"x">(s, k) + shaped<"b", element>(s, k, s.extent(1))));
});

const Enter batch("batch_norm_inference", [](const Setup& s, int k) {
    eval(executor(s),
         image<"y">(s, k) = relu(batch_norm(image<"x">(s, k), channels<"mean">(s, k), channels<"var">(s, k),
                                            channels<"w">(s, k), channels<"b">(s, k))));
});

const Enter scaled_error("scaled_error", [](const Setup& s, int k) {
    const auto w = expand_dims<1>(expand_dims<1>(channels<"w">(s, k)));
    eval(executor(s), scalar_of<"out">(s, k) = mean(square(image<"x">(s, k) * w - image<"t">(s, k))));
});

}  // namespace
}  // namespace bench
