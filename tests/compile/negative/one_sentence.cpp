// SPDX-License-Identifier: Apache-2.0
//
// One mistake, one sentence: nothing is broadcast back here, so nothing is said about that.
// expect: fuse: two reductions over different axes cannot be one kernel
#include <fuse/fuse.hpp>

void f(const float* p, float* q) {
    const auto x = fuse::view<"x">(p, 4, 8);
    const auto columns = fuse::view<"c">(q, 8) = fuse::sum(x, fuse::axes<0>);
    const auto all = fuse::view<"s">(q + 8, fuse::shape()) = fuse::sum(x);
#ifdef FUSE_CONTROL
    static_assert(fuse::plan<decltype(columns)>::kernels == 1);
    static_assert(fuse::plan<decltype(all)>::kernels == 1);
#else
    static_assert(fuse::plan<decltype(columns), decltype(all)>::kernels == 1);
#endif
}
