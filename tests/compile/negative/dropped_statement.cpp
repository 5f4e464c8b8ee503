// SPDX-License-Identifier: Apache-2.0
//
// A statement does nothing until it is evaluated; dropping one is warned about.
// flags: -Werror
// expect: fuse: a statement does nothing until fuse::eval runs it
#include <fuse/fuse.hpp>

void f(const float* p, float* q) {
    const auto y = fuse::view<"y">(q, 8);
#ifdef FUSE_CONTROL
    const auto statement = y = fuse::view<"x">(p, 8) * 2.0F;
    static_cast<void>(statement);
#else
    y = fuse::view<"x">(p, 8) * 2.0F;
#endif
}
