// SPDX-License-Identifier: Apache-2.0
//
// Further losses of rows, and a softmax with a mask that is computed.
#include <fuse/nn.hpp>

#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter smoothed("label_smoothing", [](const Setup& s, int k) {
    const auto target = shaped<"t", std::int64_t>(s, k, s.extent(0));
    eval(executor(s), scalar_of<"out">(s, k) = cross_entropy(matrix<"x">(s, k), target, loss::label_smoothing(0.1)));
});

const Enter triplet("triplet_margin", [](const Setup& s, int k) {
    eval(executor(s),
         scalar_of<"out">(s, k) = triplet_margin_loss(matrix<"a">(s, k), matrix<"p">(s, k), matrix<"n">(s, k)));
});

const Enter distilled("distillation", [](const Setup& s, int k) {
    eval(executor(s), scalar_of<"out">(s, k) = distillation_loss(matrix<"a">(s, k), matrix<"b">(s, k), 2.0));
});

const Enter causal("causal_softmax", [](const Setup& s, int k) {
    const auto x = shaped<"x", element>(s, k, s.extent(0), s.extent(1), s.extent(2));
    eval(executor(s), shaped<"y", element>(s, k, s.extent(0), s.extent(1), s.extent(2)) = causal_softmax(x));
});

}  // namespace
}  // namespace bench
