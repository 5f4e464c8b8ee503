// SPDX-License-Identifier: Apache-2.0
//
// An elementwise expression has no reduction to choose a strategy for: one kernel, read and written 16 bytes at a time.
// ptx: entries 1
// ptx: no .local
// ptx: contains ld.global.v4|ld.global.nc.v4
// ptx: contains st.global.v4|st.global.v2.u64|st.global.v2.b64
// ptxas: no spills
#include <fuse/fuse.hpp>

void map(const float* in, float* out, fuse::index_t count) {
    fuse::eval(fuse::cuda, fuse::view<"y">(out, count) = fuse::exp(fuse::view<"x">(in, count)) * 2.0F);
}
