// SPDX-License-Identifier: Apache-2.0
//
// A functor of numbers alone has no derivative unless it says it.
// expect: fuse: this functor has no derivative: make its call operator a template (a generic lambda; nvcc wants a struct), so that it takes fuse::Dual, too, or give it a member template <int I> partial(x, ...)
#include <fuse/gradient.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4);
#ifdef FUSE_CONTROL
    static_cast<void>(fuse::gradient(sum(map([](auto v) { return v * v; }, x)), x));
#else
    static_cast<void>(fuse::gradient(sum(map([](float v) { return v * v; }, x)), x));
#endif
}
