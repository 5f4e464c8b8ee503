// SPDX-License-Identifier: Apache-2.0
//
// A kernel of rows, in which a function that is not inlined would have the vectors of the compiler's flags alone.
// vectors: mulps addps
// dispatched: ymm zmm
// told: zmm
#include <fuse/fuse.hpp>

void softmax(const float* in, float* out, fuse::index_t rows, fuse::index_t columns) {
    fuse::eval(fuse::host, fuse::view<"y">(out, rows, columns) = fuse::softmax(fuse::view<"x">(in, rows, columns)));
}
