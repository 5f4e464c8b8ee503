// SPDX-License-Identifier: Apache-2.0
//
// A temporary view on the right of one of its own type looks like what std::exchange and a moved-from container pass.
// expect clang++: fuse: this rebinds no view: swap(a, b), a.rebind(b), or name the right side
// expect g++: this_rebinds_no_view__write_swap_or_rebind_or_name_the_right_side
#include <fuse/fuse.hpp>

void f(float* p, float* q) {
    auto y = fuse::view(q, 8);
#ifdef FUSE_CONTROL
    const auto x = fuse::view(p, 8);
    fuse::eval(fuse::host, y = x);
#else
    fuse::eval(fuse::host, y = fuse::view(p, 8));
#endif
}
