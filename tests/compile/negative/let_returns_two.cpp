// SPDX-License-Identifier: Apache-2.0
//
// A let is one expression: there is none for the two of a minmax.
// expect: fuse: the function of a let returns an expression
#include <fuse/fuse.hpp>

auto f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    return let(x, [](auto h) { return minmax(h).max; });
#else
    return let(x, [](auto h) { return minmax(h); });
#endif
}
