// SPDX-License-Identifier: Apache-2.0
//
// An op that does not commute folds rows in order, but not all elements after the rows have been reduced: threads
// share the rows.
// expect: fuse: an op that does not commute cannot fold all elements after another reduction
#include <fuse/fuse.hpp>

struct Last {
    static constexpr bool commutative = false;
    static constexpr float identity = 0;
    FUSE_HD constexpr float operator()(float, float b) const { return b; }
};

float f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    return fuse::value(fuse::host, fuse::reduce(Last{}, fuse::max(x, fuse::axes<1>)));
#else
    return fuse::value(fuse::host, fuse::reduce(Last{}, x - fuse::max(x, fuse::axes<1>, fuse::keepdims)));
#endif
}
