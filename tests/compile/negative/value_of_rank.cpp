// SPDX-License-Identifier: Apache-2.0
//
// value() returns numbers: of expressions with axes it says so first, whatever its value is put into.
// expect 1: fuse: value() takes a scalar expression: reduce over all axes, without keepdims
// expect 2: fuse: value() takes a scalar expression: reduce over all axes, without keepdims
// expect 3: fuse: value() takes scalar expressions: reduce over all axes, without keepdims
// expect 4: fuse: a sort cannot be one kernel with a scan or a reduction
// expect 5: fuse: a sort cannot be one kernel with a scan or a reduction
#include <fuse/fuse.hpp>

#include <vector>

float f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#if FUSE_WRONG == 1
    return fuse::value(fuse::host, fuse::sum(x, fuse::axes<1>));
#elif FUSE_WRONG == 2
    std::vector<float> out = fuse::value(fuse::host, x * 2);
    return out[0];
#elif FUSE_WRONG == 3
    const auto [s, m] = fuse::value(fuse::host, sum(x), x);
    return s;
#elif FUSE_WRONG == 4
    return fuse::value(fuse::host, mean(sort(x)));
#elif FUSE_WRONG == 5
    const auto [s, m] = fuse::value(fuse::host, sum(x), mean(sort(x)));
    return s + m;
#else
    return fuse::value(fuse::host, fuse::sum(x));
#endif
}
