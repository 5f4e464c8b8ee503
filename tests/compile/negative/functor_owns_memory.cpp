// SPDX-License-Identifier: Apache-2.0
//
// A functor is copied to the device byte by byte; one that owns memory cannot be.
// expect: a map functor is copied to the device: it must be trivially copyable (capture by value)
#include <fuse/fuse.hpp>

#include <vector>

void f(const float* p) {
    const std::vector<float> table(4);
#ifdef FUSE_CONTROL
    const float shift = table[0];
    const auto y = fuse::map([shift](float v) { return v + shift; }, fuse::view<"x">(p, 8));
#else
    const auto y = fuse::map([table](float v) { return v + table[0]; }, fuse::view<"x">(p, 8));
#endif
    static_cast<void>(y);
}
