// SPDX-License-Identifier: Apache-2.0
//
// A kernel of rows, in which a function that is not inlined would have the vectors of the compiler's flags alone. One that copies
// short rows has, and each of its instructions takes several times as long where the upper halves are not cleared before.
// vectors: mulps addps
// dispatched: ymm zmm
// told: zmm
// clears: copy_neighbours
#include <fuse/fuse.hpp>

void softmax(const float* in, float* out, fuse::index_t rows, fuse::index_t columns) {
    fuse::eval(fuse::host, fuse::view<"y">(out, rows, columns) = fuse::softmax(fuse::view<"x">(in, rows, columns)));
}
