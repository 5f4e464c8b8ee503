// SPDX-License-Identifier: Apache-2.0
//
// Narrow operands beside wider ones, and outputs wider than what they are made of, in programs of every family on the
// emulated device: rows that vectors of either divide or do not, and that begin anywhere. Against plain loops in double.
#include "support/targets.hpp"
#include "support/tensor.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::cast;
using fuse::index_t;
using fuse::keepdims;

namespace {

double sum_of(const std::vector<double>& v) {
    double sum = 0;
    for (const double e : v) {
        sum += e;
    }
    return sum;
}

/// In: of x. Out: of outputs and of what rows have in common.
template <class In, class Out>
void check_mixed(index_t rows, index_t n, Placement x_placement, Placement y_placement) {
    INFO(rows << " x " << n << ", placements " << static_cast<int>(x_placement) << ' '
              << static_cast<int>(y_placement));
    const EmulatedTarget target;
    const NdArray x = random_integers({rows, n}, -9, 9, 11);
    const NdArray z = random_integers({rows, n}, -9, 9, 12);
    const NdArray w = random_integers({n}, -5, 5, 13);
    const NdArray r = random_integers({rows, 1}, -5, 5, 14);
    Tensor<EmulatedTarget, In> x_data(x, x_placement);
    Tensor<EmulatedTarget, Out> z_data(z, y_placement), w_data(w), r_data(r), y_data(x.extent, y_placement),
        s_data(Extent{rows}), one(Extent{});
    const auto X = x_data.template const_view<"x", 2>();
    const auto Z = z_data.template const_view<"z", 2>();
    const auto W = w_data.template const_view<"w", 1>();
    const auto R = r_data.template const_view<"r", 2>();
    const auto wide = cast<Out>(X);
    const auto y = [&] { return y_data.template view<"y", 2>(); };
    const auto expect = [&](const auto& element) {
        NdArray wanted(x.extent);
        for_each_coordinate(x.extent, [&](const Coordinate& at) { wanted(at) = element(at); });
        check_close(y_data.read(), wanted, 1e-5, 1e-5);
        CHECK(y_data.gaps_intact());
    };
    const NdArray row_sums = reduce_reference(sum_of, x, 0b10U, true);
    const NdArray column_sums = reduce_reference(sum_of, x, 0b01U, true);
    const double all = sum_of(x.value);

    target.eval(y() = wide * W + R);
    expect([&](const Coordinate& at) { return x(at) * w({at[1]}) + r({at[0], 0}); });
    target.eval(y() = wide * W * R + Z);
    expect([&](const Coordinate& at) { return x(at) * w({at[1]}) * r({at[0], 0}) + z(at); });
    target.eval(y() = wide * 2, s_data.template view<"s", 1>() = sum(wide, axes<1>));
    expect([&](const Coordinate& at) { return x(at) * 2; });
    check_close(s_data.read(), reduce_reference(sum_of, x, 0b10U), 1e-5, 1e-5);
    target.eval(y() = wide - mean(wide, axes<1>, keepdims));
    expect([&](const Coordinate& at) { return x(at) - row_sums({at[0], 0}) / static_cast<double>(n); });
    target.eval(y() = wide - mean(wide, axes<0>));
    expect([&](const Coordinate& at) { return x(at) - column_sums({0, at[1]}) / static_cast<double>(rows); });
    target.eval(y() = wide + sum(wide));
    expect([&](const Coordinate& at) { return x(at) + all; });
    for (const bool back : {false, true}) {
        if (back) {
            target.eval(y() = cumsum(wide, axes<1>, fuse::reverse));
        } else {
            target.eval(y() = cumsum(wide, axes<1>));
        }
        NdArray sums(x.extent);
        for (index_t i = 0; i < rows; ++i) {
            double sum = 0;
            for (index_t j = 0; j < n; ++j) {
                const index_t k = back ? n - 1 - j : j;
                sum += x({i, k});
                sums({i, k}) = sum;
            }
        }
        expect([&](const Coordinate& at) { return sums(at); });
    }
    target.eval(one.template view<"one", 0>() = sum(fuse::square(wide - Z)));
    double squares = 0;
    for (std::size_t i = 0; i < x.value.size(); ++i) {
        squares += (x.value[i] - z.value[i]) * (x.value[i] - z.value[i]);
    }
    check_close(one.read(), NdArray(Extent{}, squares), 1e-5, 1e-5);
}

template <class In, class Out>
void sweep_mixed() {
    // The longest are staged: one that 4 divides and 8 does not, one that neither does.
    const index_t shapes[][2] = {{1, 1}, {3, 7}, {37, 130}, {6, 1001}, {2, 4204}, {1, 8333}};
    for (const auto& [rows, n] : shapes) {
        check_mixed<In, Out>(rows, n, Placement::row_major, Placement::row_major);
        check_mixed<In, Out>(rows, n, Placement::misaligned, Placement::padded);
    }
}

}  // namespace

TEST_CASE("16-bit numbers beside floats") {
    sweep_mixed<fuse::bfloat16, float>();
}
TEST_CASE("bytes beside floats") {
    sweep_mixed<std::int8_t, float>();
}
TEST_CASE("floats beside doubles") {
    sweep_mixed<float, double>();
}
TEST_CASE("16-bit numbers beside doubles") {
    sweep_mixed<std::int16_t, double>();
}
