// SPDX-License-Identifier: Apache-2.0
//
// softmax with a temperature, a mask and a causal mask, softmin, gumbel_softmax, standardize and minmax_scale on the
// host and on the emulated device, and their plans.
#include "support/targets.hpp"

#include "nn/rows.hpp"
#include "nn/softmax_cases.hpp"

namespace {

using namespace fuse::testing;
using fuse::axes;

template <class... S>
inline constexpr bool reads_once =
    fuse::plan<S...>::kernels == 1 && fuse::plan<S...>::phases == 2 && fuse::plan<S...>::template passes<"x"> == 1;

static_assert(reads_once<decltype(matrix<"y">() = softmax(matrix<"x">(), 0.5))>);
static_assert(reads_once<decltype(matrix<"y">() = log_softmax(matrix<"x">(), axes<0>, 0.5F))>);
static_assert(reads_once<decltype(matrix<"y">() = softmin(matrix<"x">()))>);
static_assert(reads_once<decltype(matrix<"y">() = masked_softmax(matrix<"x">(), matrix<"k">() > 0))>);
static_assert(reads_once<decltype(matrix<"y">() = causal_softmax(matrix<"x">() * 0.125F))>);
static_assert(reads_once<decltype(matrix<"y">() = gumbel_softmax(matrix<"x">(), 7))>);
static_assert(reads_once<decltype(matrix<"y">() = standardize(matrix<"x">()))>);
using Scaled = fuse::plan<decltype(matrix<"y">() = minmax_scale(matrix<"x">()))>;
static_assert(Scaled::kernels == 1 && Scaled::phases == 1 && Scaled::passes<"x"> == 1);

}  // namespace

TEMPLATE_TEST_CASE("softmax with a temperature and a mask, softmin", "", HostTarget, EmulatedTarget) {
    check_softmax_variants(TestType{});
    check_masked_softmax_edges(TestType{});
}

TEMPLATE_TEST_CASE("causal_softmax", "", HostTarget, EmulatedTarget) {
    check_causal_softmax(TestType{});
}

TEMPLATE_TEST_CASE("gumbel_softmax", "", HostTarget, EmulatedTarget) {
    check_gumbel_softmax(TestType{});
}

TEMPLATE_TEST_CASE("standardize and minmax_scale", "", HostTarget, EmulatedTarget) {
    check_scaling(TestType{});
    check_standardized_constants(TestType{});
}

TEST_CASE("softmax with a temperature of integers, standardize by n - 1 down the columns") {
    const std::vector<int> in{0, 2};
    std::vector<double> out(2);
    fuse::eval(fuse::host, fuse::view<"y">(out) = softmax(fuse::view<"x">(in), 0.5));
    CHECK(std::fabs(out[1] - 1 / (1 + std::exp(-4.0))) < 1e-15);
    const std::vector<double> columns{1, 5, 2, 5, 3, 5};
    std::vector<double> scaled(6);
    fuse::eval(fuse::host,
               fuse::view<"y">(scaled, 3, 2) = fuse::standardize<1>(fuse::view<"x">(columns, 3, 2), axes<0>));
    CHECK(scaled == std::vector<double>{-1, 0, 0, 0, 1, 0});
}

TEST_CASE("minmax_scale takes a range that is not empty") {
    const std::vector<float> x{1, 2, 3};
    CHECK_THROWS_WITH(minmax_scale(fuse::view<"x">(x), axes<0>, 1),
                      "the least value of minmax_scale, 1, is not less than the greatest, 1");
    CHECK_THROWS_AS(minmax_scale(fuse::view<"x">(x), 4.0, -4.0), fuse::argument_error);
    CHECK_THROWS_AS(minmax_scale(fuse::view<"x">(x), std::nan(""), 1.0), fuse::argument_error);
}

TEST_CASE("the argmax of gumbel_softmax is a sample of softmax") {
    constexpr int draws = 20000;
    const std::vector<float> logits{0, std::log(2.0F), std::log(5.0F)};
    std::vector<float> drawn(3 * draws);
    const auto x = fuse::view<"x">(logits.data(), fuse::shape(draws, 3), fuse::strides(0, 1));
    fuse::eval(fuse::host, fuse::view<"y">(drawn, draws, 3) = gumbel_softmax(x, 11, 0.1));
    int count[3] = {};
    for (int i = 0; i < draws; ++i) {
        const float* row = &drawn[static_cast<std::size_t>(3 * i)];
        ++count[row[0] > row[1] && row[0] > row[2] ? 0 : row[1] > row[2] ? 1 : 2];
    }
    // Four deviations of a binomial distribution.
    for (int k = 0; k < 3; ++k) {
        const double p = (k == 0 ? 1 : k == 1 ? 2 : 5) / 8.0;
        CHECK(std::fabs(count[k] - draws * p) < 4 * std::sqrt(draws * p * (1 - p)));
    }
}
