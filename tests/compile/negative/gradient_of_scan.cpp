// SPDX-License-Identifier: Apache-2.0
//
// Scans that have no derivative: by ops other than those of the named ones.
// expect 1: fuse: of scans those by sum, product, maximum, minimum and logsumexp have a derivative, and discounted_cumsum: write a scan by another op with these. stop_gradient(...) takes it for a constant
// expect 2: fuse: the variable is reached through something that has no derivative rule: a sort. stop_gradient(...) takes it for a constant
#include <fuse/gradient.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::gradient(sum(fuse::scan(fuse::Mean{}, x) * x), x));
#elif FUSE_WRONG == 2
    static_cast<void>(fuse::gradient(sum(sort(x) * x), x));
#else
    static_cast<void>(fuse::gradient(sum(fuse::stop_gradient(fuse::scan(fuse::Mean{}, x)) * cumsum(x)), x));
#endif
}
