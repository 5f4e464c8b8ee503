// SPDX-License-Identifier: Apache-2.0
//
// Losses of single elements that nn.hpp has beside those of fuse.hpp, on the host and on the emulated device: values,
// plans, what is out of range.
#include "nn/element_loss_cases.hpp"

#include "nn/rows.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;
namespace reduction = fuse::reduction;
namespace loss = fuse::loss;

namespace {

template <class E>
constexpr bool one_sweep = [] {
    using P = fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>;
    return P::kernels == 1 && P::phases == 1 && P::family == fuse::Family::full && P::template passes<"x"> == 1 &&
           P::template passes<"t"> == 1;
}();
template <class E>
constexpr auto leaves = fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>::planner::ir_leaves::size;

using X = decltype(matrix<"x">() * 2);
using T = decltype(matrix<"t">() * 2);
using Y = decltype(matrix<"y">());

// Operands with a number in them: each is one value however often the formula has it. Beside the two views and their
// numbers there are the numbers of the loss.
template <class E>
constexpr int numbers_of = one_sweep<E> ? int(leaves<E>) - 4 : -1;
static_assert(numbers_of<decltype(smooth_l1_loss(std::declval<X>(), std::declval<T>(), 0.5))> == 2);
static_assert(numbers_of<decltype(binary_cross_entropy(std::declval<X>(), std::declval<T>()))> == 0);
static_assert(numbers_of<decltype(binary_cross_entropy(std::declval<X>(), std::declval<T>(), std::declval<Y>()))> == 1);
static_assert(numbers_of<decltype(sigmoid_focal_loss(std::declval<X>(), std::declval<T>(), reduction::mean))> == 2);
static_assert(
    numbers_of<decltype(sigmoid_focal_loss(std::declval<X>(), std::declval<T>(), 0.25, 1.5, reduction::mean))> == 3);
static_assert(numbers_of<decltype(poisson_nll_loss(std::declval<X>(), std::declval<T>()))> == 0);
static_assert(
    numbers_of<decltype(poisson_nll_loss(std::declval<X>(), std::declval<T>(), loss::log_input<false>, loss::full))> ==
    2);
static_assert(numbers_of<decltype(gaussian_nll_loss(std::declval<X>(), std::declval<T>(), std::declval<Y>()))> == 2);
static_assert(numbers_of<decltype(margin_ranking_loss(std::declval<X>(), std::declval<T>(), std::declval<Y>(), 0.5))> ==
              2);
static_assert(numbers_of<decltype(hinge_embedding_loss(std::declval<X>(), std::declval<T>(), 0.5))> == 1);
static_assert(numbers_of<decltype(kl_div(std::declval<X>(), std::declval<T>(), loss::log_target))> == 0);
static_assert(numbers_of<decltype(js_div(std::declval<X>(), std::declval<T>()))> == 0);

}  // namespace

TEMPLATE_TEST_CASE("losses of elements in nn.hpp", "", HostTarget, EmulatedTarget) {
    check_element_losses<float>(TestType{}, nn_extents);
    check_element_loss_totals(TestType{});
}

TEMPLATE_TEST_CASE("losses of elements of other types", "", double, fuse::bfloat16) {
    check_element_losses<TestType>(HostTarget{}, {{1, 1}, {5, 7}, {3, 1000}});
}

TEST_CASE("losses of elements: what is not a probability, NaN, no elements, a negative beta") {
    const std::vector<float> in = {-0.5F, 1.5F, std::nanf("")};
    const std::vector<float> target = {0, 1, 1};
    std::vector<float> each(3);
    const auto x = fuse::view<"x">(in);
    const auto t = fuse::view<"t">(target);
    fuse::eval(fuse::host, fuse::view<"y">(each) = binary_cross_entropy(x, t, reduction::none));
    CHECK((std::isnan(each[0]) && std::isnan(each[1]) && std::isnan(each[2])));
    fuse::eval(fuse::host, fuse::view<"y">(each) = smooth_l1_loss(x, t, reduction::none));
    CHECK((each[0] == 0.125F && each[1] == 0.125F && std::isnan(each[2])));
    fuse::eval(fuse::host, fuse::view<"y">(each) = hinge_embedding_loss(x, t, reduction::none));
    CHECK((each[1] == 1.5F && std::isnan(each[2])));
    const auto none = fuse::view<"none">(in.data(), 0);
    CHECK(std::isnan(fuse::value(fuse::host, smooth_l1_loss(none, none))));
    CHECK(std::isnan(fuse::value(fuse::host, binary_cross_entropy(none, none))));
    CHECK(std::isnan(fuse::value(fuse::host, gaussian_nll_loss(none, none, none))));
    CHECK(fuse::value(fuse::host, js_div(none, none, reduction::sum)) == 0);
    CHECK_THROWS_AS(smooth_l1_loss(x, t, -1.0), fuse::argument_error);
}

TEST_CASE("losses of elements: integers, numbers, rows beside matrices") {
    const std::vector<std::uint8_t> low = {1, 255};
    const std::vector<std::uint8_t> high = {255, 1};
    const auto a = fuse::view<"a">(low);
    const auto b = fuse::view<"b">(high);
    CHECK(fuse::value(fuse::host, smooth_l1_loss(a, b)) == 253.5F);
    const std::vector<std::int8_t> sign = {1, -1};
    CHECK(fuse::value(fuse::host, margin_ranking_loss(a, b, fuse::view<"s">(sign))) == 254);
    CHECK(fuse::value(fuse::host, hinge_embedding_loss(a, fuse::view<"s">(sign), 256.0)) == 1);
    CHECK(fuse::value(fuse::host, smooth_l1_loss(a, 3)) == (1.5F + 251.5F) / 2);
    const std::vector<float> in = {1, 2, 3, 4};
    const std::vector<float> row = {1, 1};
    CHECK(fuse::value(fuse::host, smooth_l1_loss(fuse::view<"x">(in.data(), 2, 2), fuse::view<"row">(row), 2.0)) ==
          (0 + 0.25F + 1 + 2) / 4);
}
