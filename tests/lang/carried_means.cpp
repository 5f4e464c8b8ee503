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

template <int Spread, int Behind, int... A, class Target>
void check_pair(const Target& target, index_t n, index_t m) {
    constexpr bool all = sizeof...(A) == 2;
    INFO("spread " << Spread << ", behind " << Behind << ", " << n << " x " << m << ", axes of all " << all);
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
    target.eval(s = of_spread, y = later);
    check_close(s_data.read(), everywhere, 1e-12, 1e-12);
    check_close(y_data.read(), plain, 1e-11, 1e-11);
    target.eval(y = later, s = of_spread);
    check_close(s_data.read(), everywhere, 1e-12, 1e-12);
    check_close(y_data.read(), plain, 1e-11, 1e-11);
    target.eval(y = spread<Spread, A...>(X) * later);
    check_close(y_data.read(), scaled, 1e-11, 1e-11);
}

template <int Spread, class Target>
void check_spread(const Target& target) {
    for (const index_t n : {2, 7, 40}) {
        for (const index_t m : {3, 36}) {
            check_pair<Spread, 0, 0>(target, n, m);
            check_pair<Spread, 1, 0>(target, n, m);
            check_pair<Spread, 0, 0, 1>(target, n, m);
        }
    }
}

}  // namespace

TEST_CASE("variances beside deviations from the same mean, in steps") {
    check_spread<0>(HostTarget());
    check_spread<1>(HostTarget());
    check_spread<2>(HostTarget());
}
TEST_CASE("variances beside deviations from the same mean, in steps, on the emulated device") {
    check_pair<0, 0, 0>(EmulatedTarget(), 7, 36);
    check_pair<0, 0, 0, 1>(EmulatedTarget(), 7, 36);
}
