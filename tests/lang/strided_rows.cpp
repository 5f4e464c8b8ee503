// SPDX-License-Identifier: Apache-2.0
//
// Rows of whole vectors that do not lie side by side, in every family on the host, with the blocks that users have and
// with odd ones: a share that began inside a vector would read and write beyond the end of a row.
#include <vector>

#include "support/host_target.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

CpuTarget<HostExecutor> with_blocks(index_t items) {
    Policy p;
    p.host_block_items = items;
    return {host.with(p)};
}

template <class T>
void check_families(index_t block, const Extent& extent) {
    using Target = CpuTarget<HostExecutor>;
    INFO("blocks of " << block << ", shape " << to_text(extent));
    const Target target = with_blocks(block);
    const NdArray x = random_reals(extent, -2, 2, 1);
    Tensor<Target, T> x_data(x, Placement::wide);
    const NdArray values = x_data.read();
    Tensor<Target, T> y_data(extent, Placement::wide);
    const auto X = x_data.template const_view<"x", 2>();
    const auto y = y_data.template view<"y", 2>();
    const double mean_of_all = mean_reference(values.value);
    const double tolerance = 2e-5;

    const auto check = [&](const NdArray& expected) {
        check_close(y_data.read(), expected, tolerance, tolerance);
        CHECK(y_data.gaps_intact());
    };
    target.eval(y = X * 2);
    check(map_reference([](double a) { return 2 * a; }, values));
    target.eval(y = X - mean(X));
    check(map_reference([&](double a) { return a - mean_of_all; }, values));
    const auto squares = map_reference([&](double a) { return (a - mean_of_all) * (a - mean_of_all); }, values);
    CHECK(static_cast<double>(target.value(var(X))) == Catch::Approx(mean_reference(squares.value)).epsilon(1e-4));
    CHECK(static_cast<double>(target.value(stddev(X))) ==
          Catch::Approx(std::sqrt(mean_reference(squares.value))).epsilon(1e-4));
    CHECK(
        static_cast<double>(target.value(sum(abs(X)))) ==
        Catch::Approx(sum_reference(map_reference([](double a) { return std::fabs(a); }, values).value)).epsilon(1e-5));

    const NdArray rows = reduce_reference(max_reference, values, 0b10, true);
    const NdArray columns = reduce_reference(max_reference, values, 0b01, true);
    const auto minus = [](double a, double b) { return a - b; };
    target.eval(y = X - max(X, axes<1>, keepdims));
    check(map_reference(minus, values, rows));
    target.eval(y = X - max(X, axes<0>, keepdims));
    check(map_reference(minus, values, columns));
    target.eval(y = softmax(X, axes<0, 1>));
    double total = 0;
    for (const double v : values.value) {
        total += std::exp(v);
    }
    check(map_reference([&](double a) { return std::exp(a) / total; }, values));
    target.eval(y = cumsum(X, axes<0>) - cumsum(X, axes<0>, exclusive));
    check(values);
    // A row of which the next one begins with the same elements.
    const auto repeated = view<"r">(x_data.origin(), shape(extent[0], extent[1]), strides(0, 1));
    target.eval(y = repeated - sum(repeated) * T(0));
    NdArray first_row(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) { first_row(at) = values({0, at[1]}); });
    check(first_row);
}

}  // namespace

TEMPLATE_TEST_CASE("every family on rows that lie apart", "", float, double) {
    for (const index_t block : {8192, 64, 100, 1000, 8200, 1}) {
        check_families<TestType>(block, {301, 64});
        check_families<TestType>(block, {131, 128});
    }
    check_families<TestType>(8192, {4099, 64});
}
