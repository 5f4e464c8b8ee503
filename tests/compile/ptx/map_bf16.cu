// SPDX-License-Identifier: Apache-2.0
//
// 16-bit results are packed two at a time, and each vector of a thread is stored in one piece.
// ptx: entries 1
// ptx: no .local
// ptx: contains cvt.rn.bf16x2.f32
// ptx: contains st.global.v4|st.global.v2.u64|st.global.v2.b64
// ptx: no st.global.u32
// ptx: no st.global.v2.u16
// ptxas: no spills
#include <fuse/fuse.hpp>

void map(const fuse::bfloat16* a, const fuse::bfloat16* b, const fuse::bfloat16* c, fuse::bfloat16* out,
         fuse::index_t count) {
    fuse::eval(fuse::cuda, fuse::view<"y">(out, count) =
                               gelu(fuse::view<"a">(a, count) * fuse::view<"b">(b, count) + fuse::view<"c">(c, count)));
}
