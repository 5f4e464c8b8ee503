// SPDX-License-Identifier: Apache-2.0
//
// roll and pad along axes that there are not, and of what is not shifted by shifting its operands.
// expect 1: fuse: roll of several axes: say which
// expect 2: fuse: an axis of axes<...> is outside the operand's rank
// expect 3: fuse: an axis is named twice
// expect 4: fuse: index<>() and random numbers count in the whole expression
// expect 5: fuse: a scan or sort runs along this axis
// expect 6: fuse: pad needs an axis
// expect 7: fuse: an axis of axes<...> is outside the operand's rank
// expect 8: fuse: a scan or sort runs along this axis
// expect 9: fuse: roll needs an axis: its operand is a scalar
// expect 10: fuse: at most 15 shifts and paddings, one of another, of one view
// expect 11: fuse: at most 15 shifts and paddings, one of another, of one view
#include <fuse/fuse.hpp>
#include <fuse/stencil.hpp>

template <int Times, class X>
auto often(const X& x) {
    if constexpr (Times == 0) {
        return x;
    } else {
        return often<Times - 1>(roll(x, 1, fuse::axes<0>));
    }
}

void f(const float* p) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
#if FUSE_WRONG == 1
    static_cast<void>(roll(x, 1));
#elif FUSE_WRONG == 2
    static_cast<void>(roll(x, 1, fuse::axes<2>));
#elif FUSE_WRONG == 3
    static_cast<void>(roll(x, 1, fuse::axes<1, -1>));
#elif FUSE_WRONG == 4
    static_cast<void>(roll(x + fuse::index<0>(), 1, fuse::axes<0>));
#elif FUSE_WRONG == 5
    static_cast<void>(roll(cumsum(x, fuse::axes<1>), 1, fuse::axes<1>));
#elif FUSE_WRONG == 6
    static_cast<void>(pad(sum(x), 1, 1));
#elif FUSE_WRONG == 7
    static_cast<void>(pad(x, 1, 1, fuse::axes<-3>));
#elif FUSE_WRONG == 8
    static_cast<void>(pad(cumsum(x, fuse::axes<0>), 1, 1));
#elif FUSE_WRONG == 9
    static_cast<void>(roll(sum(x), 1));
#elif FUSE_WRONG == 10
    static_cast<void>(roll(often<15>(x), 1, fuse::axes<0>));
#elif FUSE_WRONG == 11
    static_cast<void>(pad(often<14>(x), 1, 1));
#else
    static_cast<void>(often<15>(x));
    static_cast<void>(roll(softmax(x), 1, fuse::axes<1>));
    static_cast<void>(pad(softmax(x), 1, 1));
#endif
}
