// SPDX-License-Identifier: Apache-2.0
//
// Weights of the classes without the header that has them.
// expect: fuse: cross_entropy with weights of the classes needs fuse/nn.hpp
#include <fuse/fuse.hpp>

void f(const float* p, const int* classes, const float* weights) {
    const auto x = fuse::view<"x">(p, 4, 3);
    const auto t = fuse::view<"t">(classes, 4);
    [[maybe_unused]] const auto w = fuse::view<"w">(weights, 3);
#ifdef FUSE_CONTROL
    static_cast<void>(cross_entropy(x, t, fuse::reduction::sum));
#else
    static_cast<void>(cross_entropy(x, t, w));
#endif
}
