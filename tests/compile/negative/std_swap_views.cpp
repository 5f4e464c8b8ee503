// SPDX-License-Identifier: Apache-2.0
//
// std::swap by its full name does not find the swap of views, and must not do nothing instead.
// expect g++ clang++: no matching function for call to 'swap
// expect nvcc: no instance of overloaded function "std::swap" matches
#include <fuse/fuse.hpp>

#include <utility>

void f(float* p, float* q) {
    auto now = fuse::view(p, 8);
    auto then = fuse::view(q, 8);
#ifdef FUSE_CONTROL
    using std::swap;
    swap(now, then);
#else
    std::swap(now, then);
#endif
}
