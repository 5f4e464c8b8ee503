// SPDX-License-Identifier: Apache-2.0
//
// A view of const data can be read and not written.
// expect: fuse: this view is read-only
#include <fuse/fuse.hpp>

#ifdef FUSE_CONTROL
using element = float;
#else
using element = const float;
#endif

void f(element* p, const float* q) {
    const auto statement = fuse::view<"y">(p, 8) = fuse::view<"x">(q, 8) * 2.0F;
    static_cast<void>(statement);
}
