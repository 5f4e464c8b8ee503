// SPDX-License-Identifier: Apache-2.0
//
// Variances of columns and of whole arrays, which are folded without their mean, before and behind deviations from that
// mean, in evals that are done in steps: what is carried between steps is then the mean of the second alone.
#include <cmath>

#include "support/targets.hpp"
#include "support/tensor.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::index_t;
using fuse::keepdims;

namespace {

/// The spread of x, n x m, over axes A.
template <int Kind, int... A, class X>
auto spread(const X& x) {
    if constexpr (Kind == 0) {
        return var(x, axes<A...>);
    } else if constexpr (Kind == 1) {
        return fuse::stddev(x, axes<A...>, keepdims);
    } else {
        return fuse::rsqrt(sum(square(x - mean(x, axes<A...>)), axes<A...>));
    }
}
double spread_of(int kind, double squares, double count) {
    const double values[] = {squares / count, std::sqrt(squares / count), 1 / std::sqrt(squares)};
    return values[kind];
}

/// What waits for deviations from the mean: they run along rows, or others are folded along them.
template <int Kind, class D>
auto behind(const D& d) {
    if constexpr (Kind == 0) {
        return cumsum(d, axes<1>);
    } else {
        return d / sum(abs(d), axes<1>, keepdims);
    }
}
NdArray behind_reference(int kind, const NdArray& d) {
    NdArray y = d;
    const index_t m = d.extent[1];
    for (index_t i = 0; i < d.extent[0]; ++i) {
        double running = 0;
        double sizes = 0;
        for (index_t j = 0; j < m; ++j) {
            sizes += std::fabs(d({i, j}));
        }
        for (index_t j = 0; j < m; ++j) {
            running += d({i, j});
            y({i, j}) = kind == 0 ? running : d({i, j}) / sizes;
        }
    }
    return y;
}

/// Deviations of x from its means over axis 0, or over both, and those means' sums of squares.
struct Deviations {
    NdArray d;
    NdArray squares;
    double count = 0;
};
Deviations deviations(const NdArray& x, bool all) {
    const std::uint32_t mask = all ? 0b11 : 0b01;
    const NdArray means = reduce_reference(mean_reference, x, mask, true);
    const NdArray d = map_reference([](double a, double b) { return a - b; }, x, means);
    const NdArray squares =
        reduce_reference(sum_reference, map_reference([](double a) { return a * a; }, d), mask, true);
    return {d, squares, static_cast<double>(x.extent[0] * (all ? x.extent[1] : 1))};
}

/// How a spread and what is behind deviations stand in one eval.
enum class Together { spread_first, deviations_first, multiplied };

template <int Spread, int Behind, Together How, int... A, class Target>
void check_pair(const Target& target, index_t n, index_t m) {
    constexpr bool all = sizeof...(A) == 2;
    INFO("spread " << Spread << ", behind " << Behind << ", together " << int(How) << ", " << n << " x " << m
                   << ", axes of all " << all);
    const NdArray x = random_reals({n, m}, -2, 2, 91);
    const Deviations wanted = deviations(x, all);
    const NdArray spreads = map_reference([&](double s) { return spread_of(Spread, s, wanted.count); }, wanted.squares);
    const NdArray plain = behind_reference(Behind, wanted.d);
    const NdArray scaled = map_reference([](double a, double b) { return a * b; }, plain, spreads);
    Tensor<Target, double> x_data(x), y_data(x.extent), s_data(x.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto y = y_data.template view<"y", 2>();
    const auto s = s_data.template view<"s", 2>();
    const auto of_spread = 0 * X + spread<Spread, A...>(X);
    const NdArray everywhere = map_reference([](double a, double b) { return 0 * a + b; }, x, spreads);
    const auto later = behind<Behind>(X - mean(X, axes<A...>));
    if constexpr (How == Together::multiplied) {
        target.eval(y = spread<Spread, A...>(X) * later);
        check_close(y_data.read(), scaled, 1e-11, 1e-11);
        return;
    } else if constexpr (How == Together::spread_first) {
        target.eval(s = of_spread, y = later);
    } else {
        target.eval(y = later, s = of_spread);
    }
    check_close(s_data.read(), everywhere, 1e-12, 1e-12);
    check_close(y_data.read(), plain, 1e-11, 1e-11);
}

/// Each of a spread, what is behind and over which axes, in these ways.
template <int Spread, Together OfRows, Together Divided, Together OfAll>
void check_spread() {
    const HostTarget target;
    for (const index_t n : {2, 7, 40}) {
        for (const index_t m : {3, 36}) {
            check_pair<Spread, 0, OfRows, 0>(target, n, m);
            check_pair<Spread, 1, Divided, 0>(target, n, m);
            check_pair<Spread, 0, OfAll, 0, 1>(target, n, m);
        }
    }
}

}  // namespace

// A variance in every way; the other spreads in each way once.
TEST_CASE("variances beside deviations from the same mean, in steps") {
    constexpr auto first = Together::spread_first, last = Together::deviations_first, product = Together::multiplied;
    check_spread<0, first, last, product>();
    check_spread<0, last, product, first>();
    check_spread<0, product, first, last>();
    check_spread<1, last, product, first>();
    check_spread<2, product, first, last>();
}
TEST_CASE("variances beside deviations from the same mean, in steps, on the emulated device") {
    const EmulatedTarget target;
    check_pair<0, 0, Together::spread_first, 0>(target, 7, 36);
    check_pair<0, 0, Together::deviations_first, 0, 1>(target, 7, 36);
    check_pair<0, 0, Together::multiplied, 0>(target, 7, 36);
    check_pair<0, 0, Together::multiplied, 0, 1>(target, 7, 36);
}
