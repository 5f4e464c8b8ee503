// SPDX-License-Identifier: Apache-2.0
//
// Two reductions over different axes, each needed by every element, cannot be one kernel. The sentence is followed by
// the compiler's own account of the template arguments, which name both reductions and their axes.
// expect: fuse: two reductions over different axes cannot be one kernel
// expect later: axes_t<0>
// expect later: axes_t<1>
#include <fuse/fuse.hpp>

void f(const float* p, float* q) {
    const auto x = fuse::view<"x">(p, 4, 8);
    const auto rows = fuse::sum(x, fuse::axes<1>, fuse::keepdims);
#ifdef FUSE_CONTROL
    const auto other = fuse::max(x, fuse::axes<1>, fuse::keepdims);
#else
    const auto other = fuse::max(x, fuse::axes<0>, fuse::keepdims);
#endif
    const auto statement = fuse::view<"y">(q, 4, 8) = x / rows / other;
    static_assert(fuse::plan<decltype(statement)>::kernels == 1);
}
