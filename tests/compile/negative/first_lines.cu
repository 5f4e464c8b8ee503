// SPDX-License-Identifier: Apache-2.0
//
// The sentences of each kind under nvcc.
// expect 1: fuse: keepdims or expand_dims is missing
// expect 2: fuse: the options of a reduction are axes<1>
// expect 3: fuse: eval takes statements, output = expression
// expect 4: fuse: an expression is not a number
// expect 5: fuse: a map functor must be callable
// expect 6: a_temporary_would_be_gone_before_the_expression_runs
// expect 7: fuse: an expression is not a number
// expect 8: fuse: a container is not an operand: a view of it is
// expect 9: fuse: a constant with denominator 0
// expect 10: fuse: passes<...>: no leaf of this name
// expect 11: and a temperature, which is a floating-point number
// expect 12: fuse: an array is not an operand: a view of it is, sum(view<
// expect 13: a_view_has_no_iterators__write_sort_of_x__or_take_data_and_size
#include <fuse/fuse.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
#if FUSE_WRONG == 1
    fuse::eval(fuse::cuda, y = x / sum(x, fuse::axes<1>));
#elif FUSE_WRONG == 2
    fuse::eval(fuse::cuda, r = sum(x, 1));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::cuda, x * 2);
#elif FUSE_WRONG == 4
    if (x > 0) {
        *q = 1;
    }
#elif FUSE_WRONG == 5
    static_cast<void>(x & 1);
#elif FUSE_WRONG == 6
    static_cast<void>(fuse::view<"v">(std::vector<float>(3)));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::cuda, y = std::sin(x));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::cuda, r += std::vector<float>(4));
#elif FUSE_WRONG == 9
    static_cast<void>(x * fuse::constant<1, 0>);
#elif FUSE_WRONG == 10
    static_assert(fuse::plan<decltype(y = x * 2)>::passes<"z"> == 1);
#elif FUSE_WRONG == 11
    fuse::eval(fuse::cuda, y = softmax(x, fuse::axes<1>, 2));
#elif FUSE_WRONG == 12
    *q = fuse::value(fuse::cuda, sum(fuse::tensor<float>(4, 8)));
#elif FUSE_WRONG == 13
    std::sort(r.begin(), r.end());
#else
    fuse::eval(fuse::cuda, y = x / sum(x, fuse::axes<1>, fuse::keepdims));
#endif
}
