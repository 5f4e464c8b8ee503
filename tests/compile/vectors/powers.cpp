// SPDX-License-Identifier: Apache-2.0
//
// Functions of a float that are computed in double, some of whose integers are as wide: sin and pow.
// vectors: cvtps2pd mulpd divpd mulps
#include <fuse/fuse.hpp>

void powers(const float* in, float* out, fuse::index_t n) {
    const auto x = fuse::view<"x">(in, n);
    fuse::eval(fuse::host, fuse::view<"y">(out, n) = fuse::sin(x) * fuse::pow(x, 2.5F));
}
