// SPDX-License-Identifier: Apache-2.0
//
// A map of matrices may find its input transposed: beside the four kernels of maps one that turns tiles in shared memory,
// copied without registers.
// ptx: entries 5
// ptx: no .local
// ptx: contains cp.async.ca.shared.global
// ptx: contains st.global.v4|st.global.v2.u64|st.global.v2.b64
#include <fuse/fuse.hpp>

void transpose(const float* in, float* out, fuse::index_t rows, fuse::index_t columns) {
    fuse::eval(fuse::cuda,
               fuse::view<"y">(out, rows, columns) =
                   2.0F * fuse::view<"x">(in, fuse::shape(rows, columns), fuse::strides(fuse::index_t{1}, rows)));
}
