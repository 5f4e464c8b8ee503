// SPDX-License-Identifier: Apache-2.0
//
// What fits no kernel, and what is asked for first.
// expect 1: fuse: keepdims or expand_dims is missing
// expect 2: fuse: the rank of an output is neither that of its expression
// expect 2 later g++: Output = 1
// expect 3: fuse: these operands do not broadcast
// expect 4: fuse: a sort cannot be one kernel with a scan or a reduction, as in mean(sort(x))
// expect 5: fuse: a sort cannot be one kernel with a scan or a reduction
// expect 6: fuse: a median is two kernels
// expect 7: fuse: a quantile is two kernels
// expect 8: fuse: keepdims or expand_dims is missing
// expect 9: fuse: passes<...>: no leaf of this name
// expect 10: fuse: a constant with denominator 0
// expect 11: fuse: this compares the truth of a comparison with a number, as 0 < x < 1 does
// expect 12: fuse: this compares the truth of a comparison with a number, as 0 < x < 1 does
// expect 13: fuse: at most 64 distinct leaves and outputs in one kernel: evaluate a part into a view first
// expect 14: fuse: at most 64 distinct reductions in one kernel: evaluate some of them first
// expect 15: fuse: at most 64 distinct leaves and outputs in one kernel: evaluate a part into a view first
// expect 16: fuse: a sort runs along the last axis of the kernel: evaluate it into a view first
// expect 17: or, where another axis is meant, as numpy aligns axes at the end, expand_dims<0>(sum(x, axes<1>))
// expect 18: fuse: at most 64 distinct leaves and outputs in one kernel: evaluate a part into a view first
// expect 19: fuse: the rank of an output is neither that of its expression
// expect 19 later g++: Output = 1
#include <fuse/fuse.hpp>

template <std::size_t... I>
auto sum_of_numbers(std::index_sequence<I...>) {
    return (fuse::scalar(static_cast<float>(I)) + ...);
}
template <class X, std::size_t... I>
auto sum_of_sums(const X& x, std::index_sequence<I...>) {
    return (sum(x * fuse::constant<I>) + ...);
}
template <class X, std::size_t... I>
auto sum_of_parts(const X& x, std::index_sequence<I...>) {
    return ((fuse::slice<1>(x, 0, 3) * fuse::scalar(static_cast<float>(I))) + ...);
}

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
    [[maybe_unused]] const auto cube = fuse::view<"c">(p, 2, 4, 2);
    [[maybe_unused]] const auto other = fuse::view<"o">(p, 4, 2, 2);
    [[maybe_unused]] const auto wide = fuse::view<"w">(p, fuse::extents<4, 8>{});
    [[maybe_unused]] const auto narrow = fuse::view<"n">(p, fuse::extents<4, 6>{});
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, y = x / sum(x, fuse::axes<1>));
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, r = x * 2);
#elif FUSE_WRONG == 3
    *q = fuse::value(fuse::host, sum(wide - narrow));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, r = mean(sort(x), fuse::axes<1>));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, r = take(sort(x), fuse::cast<int>(r), fuse::axes<1>));
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, r = median(x));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, r = quantile(x, 0.5));
#elif FUSE_WRONG == 8
    static_cast<void>(fuse::explain(fuse::host, y = x / sum(x, fuse::axes<1>)));
#elif FUSE_WRONG == 9
    static_assert(fuse::plan<decltype(y = x * 2)>::passes<"z"> == 1);
#elif FUSE_WRONG == 10
    static_cast<void>(x * fuse::constant<1, 0>);
#elif FUSE_WRONG == 11
    fuse::eval(fuse::host, y = where(0 < x < 1, x, 0));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, y = where(y >= (x > r), x, 0));
#elif FUSE_WRONG == 13
    fuse::eval(fuse::host, y = x + sum_of_numbers(std::make_index_sequence<65>{}));
#elif FUSE_WRONG == 14
    fuse::eval(fuse::host, y = x + sum_of_sums(x, std::make_index_sequence<65>{}));
#elif FUSE_WRONG == 15
    fuse::eval(fuse::host, y = x + sum_of_numbers(std::make_index_sequence<62>{}), fuse::view<"z">(q, 4, 8) = x);
#elif FUSE_WRONG == 16
    fuse::eval(fuse::host, y = fuse::expand_dims<1>(sort(r)) + x);
#elif FUSE_WRONG == 17
    fuse::eval(fuse::host, fuse::view<"z">(q, 2, 4, 2) = cube + sum(other, fuse::axes<2>));
#elif FUSE_WRONG == 18
    *q = fuse::value(fuse::host, mean(x) + sum(sum_of_parts(x, std::make_index_sequence<66>{})));
#elif FUSE_WRONG == 19
    fuse::eval(fuse::host, r = x - mean(x, fuse::axes<0>) - mean(x));
#else
    static_assert(fuse::plan<decltype(y = x * 2 * fuse::constant<1, 3>)>::passes<"x"> == 1);
    fuse::eval(fuse::host, y = x / sum(x, fuse::axes<1>, fuse::keepdims));
    fuse::eval(fuse::host, fuse::view<"z">(q, 2, 4, 2) = cube + fuse::expand_dims<0>(sum(other, fuse::axes<2>)));
    fuse::eval(fuse::host, y = where((x > 0) <= (x > 1) && (x > 0) < true && (x > 0) == 1, x, 0));
#endif
}
