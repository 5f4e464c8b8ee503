// SPDX-License-Identifier: Apache-2.0
//
// The variable in another shape, and parts whose derivative cannot be put back.
// expect 1: fuse: the expression reads the variable in another shape
// expect 2: fuse: the expression reads the variable in another shape
// expect 3: fuse: the expression reads the variable in another shape
// expect 4: fuse: the expression reads a part of the variable, and the derivative
// expect 5: fuse: the expression reads a part of the variable, and the derivative
// expect 6: fuse: the expression reads a part of the variable, and the derivative
#include <fuse/gradient.hpp>
#include <fuse/lang/shifts.hpp>
#include <fuse/lang/unflatten.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto h = fuse::named<"h">(x * 2);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::gradient(sum(square(reshape(x, 8, 4))), x));
#elif FUSE_WRONG == 2
    static_cast<void>(fuse::gradient(sum(square(unflatten<1>(x, 2, -1))) * sum(x), x));
#elif FUSE_WRONG == 3
    static_cast<void>(fuse::gradient(sum(square(h[0])), h));
#elif FUSE_WRONG == 4
    static_cast<void>(fuse::gradient(sum(square(cumsum(slice<1>(x, 1, 5), fuse::axes<1>))), x));
#elif FUSE_WRONG == 5
    static_cast<void>(fuse::gradient(sum(square(cumsum(roll(x, 1, fuse::axes<1>), fuse::axes<1>))), x));
#elif FUSE_WRONG == 6
    static_cast<void>(fuse::gradient(sum(roll(x, 1, fuse::axes<1>) * fuse::uniform<1>()), x));
#else
    static_cast<void>(fuse::gradient(sum(log_softmax(slice<1>(x, 1, 5))), x));
    static_cast<void>(fuse::gradient(sum(roll(x, 1, fuse::axes<1>) * fuse::index<1>()), x));
    static_cast<void>(fuse::gradient(
        sum(square(cumsum(flip<0>(x), fuse::axes<1>)) * cumsum(roll(x, 1, fuse::axes<0>), fuse::axes<1>)), x));
    const auto grouped = unflatten<1>(x, 2, -1);
    static_cast<void>(fuse::gradient(sum(x[0] * x[0]) + sum(square(diff(x))), x));
    static_cast<void>(fuse::gradient(sum(grouped * grouped), grouped));
    static_cast<void>(fuse::gradient(sum(grouped * grouped), x));
#endif
}
