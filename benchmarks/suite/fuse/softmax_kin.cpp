// SPDX-License-Identifier: Apache-2.0
//
// Softmax with a mask, over a middle axis, and its gradient.
#include "entry_of_fuse.hpp"

namespace bench {
namespace {

using namespace fuse;

const Enter masked("masked_softmax", [](const Setup& s, int k) {
    const auto mask = shaped<"mask", bool>(s, k, s.extent(0), s.extent(1));
    const auto scores = named<"scores">(where(mask, matrix<"x">(s, k) * 0.125F, -INFINITY));
    eval(executor(s), matrix<"y">(s, k) = softmax(scores));
});

const Enter middle("softmax_middle", [](const Setup& s, int k) {
    const index_t a = s.extent(0), b = s.extent(1), c = s.extent(2);
    eval(executor(s), shaped<"y", element>(s, k, a, b, c) = softmax(shaped<"x", element>(s, k, a, b, c), axes<1>));
});

const Enter backward("softmax_backward", [](const Setup& s, int k) {
    const auto p = matrix<"p">(s, k);
    const auto g = matrix<"x">(s, k);
    eval(executor(s), matrix<"y">(s, k) = p * (g - sum(g * p, axes<1>, keepdims)));
});

}  // namespace
}  // namespace bench
