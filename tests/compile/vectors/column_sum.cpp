// SPDX-License-Identifier: Apache-2.0
//
// Adds neighbouring columns: a loop over floats that any compiler turns into vectors where it takes it for worth while.
// vectors: addps
#include <fuse/fuse.hpp>

void column_sum(const float* in, float* out, fuse::index_t rows, fuse::index_t columns) {
    fuse::eval(fuse::host,
               fuse::view<"y">(out, columns) = fuse::sum(fuse::view<"x">(in, rows, columns), fuse::axes<0>));
}
