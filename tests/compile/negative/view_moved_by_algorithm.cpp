// SPDX-License-Identifier: Apache-2.0
//
// Algorithms that move elements would make statements and drop them.
// expect nvcc: it is a deleted function
// expect later g++ clang++: fuse: this rebinds no view: swap(a, b), a.rebind(b), or name the right side
#include <fuse/fuse.hpp>

#include <algorithm>
#include <vector>

void f(std::vector<decltype(fuse::view(std::declval<float*>(), 1))>& views) {
#ifdef FUSE_CONTROL
    std::reverse(views.begin(), views.end());
#else
    views.erase(views.begin());
#endif
}
