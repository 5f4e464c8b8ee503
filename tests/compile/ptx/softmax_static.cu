// SPDX-License-Identifier: Apache-2.0
//
// As softmax.cu, but with rows of a length known to the compiler, which may only shorten the ladder.
// ptx: entries at most 7
// ptx: no .local
// ptx: contains ld.global.v4|ld.global.nc.v4
// ptxas: no spills
#include <fuse/fuse.hpp>

void softmax(const float* in, float* out, fuse::index_t rows) {
    const fuse::extents<fuse::dynamic, 1024> shape{rows};
    const auto x = fuse::view<"x">(in, shape);
    const auto e = fuse::exp(x - fuse::max(x, fuse::axes<-1>, fuse::keepdims));
    fuse::eval(fuse::cuda, fuse::view<"y">(out, shape) = e / fuse::sum(e, fuse::axes<-1>, fuse::keepdims));
}
