// SPDX-License-Identifier: Apache-2.0
//
// Statistics of rows, columns and all elements on the host and on the emulated device: values, plans, constant numbers.
#include "nn/statistics_cases.hpp"

#include "nn/rows.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::keepdims;

namespace {

// Both means, then the sums of products: one read of rows that fit on chip.
using Correlation = fuse::plan<decltype(vector<"r">() = correlation(matrix<"x">(), matrix<"y">(), axes<1>))>;
static_assert(Correlation::kernels == 1 && Correlation::phases == 2 && Correlation::steps == 1);
static_assert(Correlation::passes<"x"> == 1 && Correlation::passes<"y"> == 1);
static_assert(Correlation::planner::ir_reductions::size == 5);
// Four moments: mean, and what is made of deviations. skewness and kurtosis share them with mean and var.
using Moments = fuse::plan<decltype(vector<"m">() = mean(matrix<"x">(), axes<1>)),
                           decltype(vector<"v">() = var(matrix<"x">(), axes<1>)),
                           decltype(vector<"s">() = skewness(matrix<"x">(), axes<1>)),
                           decltype(vector<"k">() = kurtosis(matrix<"x">(), axes<1>))>;
static_assert(Moments::kernels == 1 && Moments::phases == 2 && Moments::passes<"x"> == 1 && Moments::steps == 1);
static_assert(Moments::planner::ir_reductions::size == 4);

// An operand with a number in it is one value, however often the formula has it; those with a threshold have an epsilon, for each operand, and NaN.
template <class E>
constexpr auto leaves = fuse::plan<decltype(vector<"o">() = std::declval<E>())>::planner::ir_leaves::size;
static_assert(leaves<decltype(correlation(matrix<"x">() * 2, matrix<"y">() * 2, axes<1>))> == 7);
static_assert(leaves<decltype(covariance(matrix<"x">() * 2, matrix<"y">() * 2, axes<1>))> == 4);
static_assert(leaves<decltype(skewness(matrix<"x">() * 2, axes<1>))> == 4);
static_assert(leaves<decltype(kurtosis(matrix<"x">() * 2, axes<1>))> == 4);

}  // namespace

TEMPLATE_TEST_CASE("statistics by name", "", HostTarget, EmulatedTarget) {
    check_statistics<2, float>(TestType{}, nn_extents);
    check_statistics<1, float>(TestType{}, {{1, 3}, {7, 5}, {64, 17}, {1000, 3}});
    check_statistics_of_all(TestType{});
}

TEMPLATE_TEST_CASE("statistics of other types", "", double, fuse::bfloat16) {
    check_statistics<2, TestType>(HostTarget{}, {{1, 1}, {5, 7}, {3, 1000}});
}

TEST_CASE("statistics: numbers that are equal have no shape, also where their mean is rounded") {
    const std::vector<float> equal(1000, 0.1F);
    const std::vector<float> other = random_floats(1000, 5);
    const auto x = fuse::view<"x">(equal);
    CHECK(std::isnan(fuse::value(fuse::host, skewness(x))));
    CHECK(std::isnan(fuse::value(fuse::host, kurtosis(x))));
    const std::vector<float> zeros(8);
    const auto z = fuse::view<"z">(zeros);
    CHECK(std::isnan(fuse::value(fuse::host, skewness(z))));
    CHECK(std::isnan(fuse::value(fuse::host, correlation(z, fuse::view<"some">(other.data(), 8)))));
    for (std::size_t n = 1; n <= 40; ++n) {
        INFO("of " << n);
        const auto same = fuse::view<"same">(equal.data(), n);
        CHECK(std::isnan(fuse::value(fuse::host, correlation(same, fuse::view<"some">(other.data(), n)))));
        CHECK(std::isnan(fuse::value(fuse::host, correlation(same, fuse::view<"again">(equal.data() + 40, n)))));
    }
    CHECK(std::isnan(
        fuse::value(fuse::host, covariance(fuse::view<"none">(zeros.data(), 0), fuse::view<"n">(zeros.data(), 0)))));
}

TEST_CASE("statistics: perfect correlation, keepdims, integers, a column beside a matrix") {
    const std::vector<float> up = {1, 2, 4, 8, 16, 32};
    const std::vector<float> down = {-3, -6, -12, -24, -48, -96};
    CHECK(fuse::value(fuse::host, correlation(fuse::view<"x">(up), fuse::view<"y">(down))) == -1);
    const std::vector<std::int32_t> large = {2000000000, -2000000000, 2000000000, 0};
    const auto i = fuse::view<"i">(large);
    check_close(static_cast<float>(fuse::value(fuse::host, correlation(i, i))), 1);
    static_assert(std::is_same_v<fuse::value_t<decltype(covariance(i, i))>, double>);
    CHECK(fuse::value(fuse::host, covariance<1>(i, i)) == 3.6666666666666665e18);
    const auto x = fuse::view<"x">(up.data(), 2, 3);
    std::vector<float> kept(2);
    fuse::eval(fuse::host, fuse::view<"k">(kept.data(), 2, 1) =
                               covariance(x, fuse::view<"y">(down.data(), 2, 3), axes<1>, keepdims));
    check_close(kept[0], covariance_reference({1, 2, 4}, {-3, -6, -12}, 0), 4);
    check_close(kept[1], covariance_reference({8, 16, 32}, {-24, -48, -96}, 0), 64);
    // One row beside several, over all elements.
    const double twice = correlation_reference({1, 2, 4, 8, 16, 32}, {5, 3, 7, 5, 3, 7});
    const std::vector<float> row = {5, 3, 7};
    check_close(fuse::value(fuse::host, correlation(x, fuse::view<"r">(row.data(), 1, 3))), twice, 1);
    // One column, which stretches: constant along the rows.
    std::vector<float> none(2);
    fuse::eval(fuse::host, fuse::view<"k">(none) = covariance(x, fuse::view<"c">(down.data(), 2, 1), axes<1>));
    CHECK((none[0] == 0 && none[1] == 0));
}
