// SPDX-License-Identifier: Apache-2.0
//
// Static extents that do not broadcast are found by the compiler.
// expect: fuse: these operands do not broadcast
#include <fuse/fuse.hpp>

#ifdef FUSE_CONTROL
inline constexpr fuse::index_t columns = 128;
#else
inline constexpr fuse::index_t columns = 64;
#endif

void f(const float* p, const float* q, float* r) {
    const auto x = fuse::view<"x">(p, fuse::extents<fuse::dynamic, 128>{4});
    const auto t = fuse::view<"t">(q, fuse::extents<fuse::dynamic, columns>{4});
    fuse::eval(fuse::host, fuse::view<"y">(r, 4, 128) = x - t);
}
