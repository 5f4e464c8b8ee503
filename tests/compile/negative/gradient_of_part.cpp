// SPDX-License-Identifier: Apache-2.0
//
// A part of the variable is another view.
// expect 1: fuse: the expression reads a part of the variable
// expect 2: fuse: the expression reads a part of the variable
#include <fuse/gradient.hpp>
#include <fuse/lang/unflatten.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::gradient(sum(x[0] * x[0]), x));
#elif FUSE_WRONG == 2
    static_cast<void>(fuse::gradient(sum(square(unflatten<1>(x, 2, -1))) * sum(x), x));
#else
    const auto part = fuse::view<"part">(x[0]);
    const auto grouped = unflatten<1>(x, 2, -1);
    static_cast<void>(fuse::gradient(sum(part * part), part));
    static_cast<void>(fuse::gradient(sum(grouped * grouped), grouped));
    static_cast<void>(fuse::gradient(sum(grouped * grouped), x));
#endif
}
