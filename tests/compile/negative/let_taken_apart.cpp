// SPDX-License-Identifier: Apache-2.0
//
// The operands of a let have no identity without it.
// expect: fuse: an operand of a let has been carried out of its function
#include <fuse/fuse.hpp>

void f(const float* p, float* q) {
    const auto y = fuse::view<"y">(q, 4);
    const auto whole = let(fuse::view(p, 4), [](auto h) { return h * h; });
#ifdef FUSE_CONTROL
    const auto statement = y = whole;
#else
    const auto statement = y = whole.expression;
#endif
    static_assert(fuse::plan<std::remove_const_t<decltype(statement)>>::kernels == 1);
}
