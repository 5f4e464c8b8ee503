// SPDX-License-Identifier: Apache-2.0
//
// Axes are types, not numbers as in NumPy.
// expect 1: fuse: the options of a reduction are axes<1>
// expect 2: write sum(x, axes<1>); var<1>(x) divides by n - 1
// expect 3: fuse: the options of a reduction are axes<1>
// expect 4: fuse: the options of a scan are axes<1>
// expect 5: fuse: the axes of a norm are axes<...>, not a number: write softmax(x, axes<1>)
// expect 6: fuse: the axes of a norm are axes<...>
// expect 7: fuse: the options of a sort are axes<-1> and descending
// expect 8: fuse: the axes of a norm are axes<...>, not a number
#include <fuse/fuse.hpp>

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, r = sum(x, 1));
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, r = var(x, 1));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, r = argmax(x, 1));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, y = cumsum(x, 1));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, y = softmax(x, 1));
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, y = layer_norm(x, 1));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, y = sort(x, 1));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, y = layer_norm(x, x, 1));
#else
    fuse::eval(fuse::host, r = var<1>(x, fuse::axes<1>));
    fuse::eval(fuse::host, y = layer_norm(x, 1e-6F));
    fuse::eval(fuse::host, y = layer_norm(x, x, 1e-6F));
#endif
}
