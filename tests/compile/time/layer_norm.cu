// SPDX-License-Identifier: Apache-2.0
//
// The normalisation of every row, with scale and shift, in one expression.
// compile_time: misses 40 %, stays below 62 % (docs/performance.md)
#include <fuse/fuse.hpp>

void layer_norm(const float* in, const float* scale, const float* shift, float* out, fuse::index_t rows,
                fuse::index_t columns) {
    const auto x = fuse::view<"x">(in, rows, columns);
    const auto centred = x - fuse::mean(x, fuse::axes<-1>, fuse::keepdims);
    const auto variance = fuse::mean(fuse::square(centred), fuse::axes<-1>, fuse::keepdims);
    fuse::eval(fuse::cuda, fuse::view<"y">(out, rows, columns) =
                               centred * fuse::rsqrt(variance + 1e-5F) * fuse::view<"scale">(scale, columns) +
                               fuse::view<"shift">(shift, columns));
}
