// SPDX-License-Identifier: Apache-2.0
//
// index<A>() is a coordinate of the expression in which it stands, along an axis where that has an extent. An expand_dims
// gives it none: as the operand of a sum or a loss it would be compared with 0 alone. Nor do random numbers have a shape of their own.
// expect 1: fuse: index<Axis>() names an axis outside the expression in which it stands
// expect 2: fuse: index<Axis>() would be 0 everywhere
// expect 3: fuse: index<Axis>() would be 0 everywhere
// expect 4: fuse: coordinates and random numbers have no shape of their own
// expect 5: fuse: coordinates and random numbers have no shape of their own
#include <fuse/fuse.hpp>

void f(const float* p, const int* numbers, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto label = fuse::expand_dims<1>(fuse::view<"label">(numbers, 4));
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, y = x * fuse::index<2>());
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, y = fuse::cast<float>(label == fuse::index<1>()));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, y = binary_cross_entropy_with_logits(x, label == fuse::index<1>(), fuse::reduction::none));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, y = x * mean(fuse::uniform(7)));
#elif FUSE_WRONG == 5
    [[maybe_unused]] const auto s = fuse::value(fuse::host, sum(fuse::index<0>() * 2));
#else
    fuse::eval(fuse::host, y = x * fuse::index<1>() + where(label == fuse::index<1>(), 1, 0));
#endif
}
