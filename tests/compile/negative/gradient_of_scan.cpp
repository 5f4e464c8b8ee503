// SPDX-License-Identifier: Apache-2.0
//
// Scans have no derivative yet.
// expect: fuse: the variable is reached through something that has no derivative rule: a scan, a sort, or a reduction op of one's own. stop_gradient(...) takes it for a constant
#include <fuse/gradient.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4);
#ifdef FUSE_CONTROL
    static_cast<void>(fuse::gradient(sum(fuse::stop_gradient(cumsum(x)) * x), x));
#else
    static_cast<void>(fuse::gradient(sum(cumsum(x) * x), x));
#endif
}
