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
    std::vector<float> probable(3), smooth(3), hinge(3);
    const auto x = fuse::view<"x">(in);
    const auto t = fuse::view<"t">(target);
    fuse::eval(fuse::host, fuse::view<"p">(probable) = binary_cross_entropy(x, t, reduction::none),
               fuse::view<"s">(smooth) = smooth_l1_loss(x, t, reduction::none),
               fuse::view<"h">(hinge) = hinge_embedding_loss(x, t, reduction::none));
    CHECK((std::isnan(probable[0]) && std::isnan(probable[1]) && std::isnan(probable[2])));
    CHECK((smooth[0] == 0.125F && smooth[1] == 0.125F && std::isnan(smooth[2])));
    CHECK((hinge[1] == 1.5F && std::isnan(hinge[2])));
    const auto none = fuse::view<"none">(in.data(), 0);
    const auto [no_smooth, no_entropy, no_likelihood, no_divergence] =
        fuse::value(fuse::host, smooth_l1_loss(none, none), binary_cross_entropy(none, none),
                    gaussian_nll_loss(none, none, none), js_div(none, none, reduction::sum));
    CHECK((std::isnan(no_smooth) && std::isnan(no_entropy) && std::isnan(no_likelihood) && no_divergence == 0));
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

TEST_CASE("numbers as operands of losses") {
    using fuse::constant;
    for (const Extent& extent : {Extent{3, 5}, Extent{1, 1}, Extent{2, 0}}) {
        const ElementOperands<double> data(extent);
        Tensor<HostTarget, double> x_data(data.x), z_data(data.z), p_data(data.p), l_data(data.log_p), w_data(data.q);
        const auto x = x_data.const_view<"x", 2>();
        const auto z = z_data.const_view<"z", 2>();
        const auto p = p_data.const_view<"p", 2>();
        const auto l = l_data.const_view<"l", 2>();
        const auto w = w_data.const_view<"w", 2>();
        auto out = outputs<HostTarget, double>(14, extent);
        constexpr reduction::none_t none;
        fuse::eval(fuse::host, out[0].view<"o0", 2>() = binary_cross_entropy_with_logits(x, 1.0, none),
                   out[1].view<"o1", 2>() = binary_cross_entropy_with_logits(0.5, p, none),
                   out[2].view<"o2", 2>() = binary_cross_entropy(p, 1, none),
                   out[3].view<"o3", 2>() = binary_cross_entropy(p, 0.25F, w, none),
                   out[4].view<"o4", 2>() = sigmoid_focal_loss(x, 0), out[5].view<"o5", 2>() = js_div(p, 0.25, none),
                   out[6].view<"o6", 2>() = kl_div(l, 0.25, none));
        fuse::eval(fuse::host, out[7].view<"o7", 2>() = kl_div(z, -2, none, loss::log_target),
                   out[8].view<"o8", 2>() = gaussian_nll_loss(x, z, 2, none),
                   out[9].view<"o9", 2>() = gaussian_nll_loss(x, 1, constant<-3>, 0.5, none),
                   out[10].view<"o10", 2>() = margin_ranking_loss(x, z, -1, 0.5, none),
                   out[11].view<"o11", 2>() = margin_ranking_loss(x, 0.25, constant<1>, none),
                   out[12].view<"o12", 2>() = hinge_embedding_loss(x, -1, none),
                   out[13].view<"o13", 2>() = hinge_embedding_loss(x, 1, 0.5, none));
        const auto check = [&](std::size_t i, auto reference, const auto&... operands) {
            INFO(i << " of " << to_text(extent));
            check_close(out[i].read(), map_reference(reference, operands...), 1e-12, 1e-12);
        };
        const auto softplus = [](double v) { return std::log1p(std::exp(-std::fabs(v))) + std::max(v, 0.0); };
        check(
            0, [=](double e) { return softplus(-e); }, data.x);
        check(
            1, [=](double t) { return (1 - t) * 0.5 + softplus(-0.5); }, data.p);
        check(
            2, [](double e) { return binary_cross_entropy_reference(e, 1); }, data.p);
        check(
            3, [](double e, double f) { return binary_cross_entropy_reference(e, 0.25) * f; }, data.p, data.q);
        check(
            4, [](double e) { return focal_reference(e, 0, 0.25, 2); }, data.x);
        check(
            5, [](double e) { return js_reference(e, 0.25); }, data.p);
        check(
            6, [](double e) { return 0.25 * (std::log(0.25) - e); }, data.log_p);
        check(
            7, [](double e) { return std::exp(-2.0) * (-2 - e); }, data.z);
        check(
            8, [](double e, double f) { return gaussian_reference(e, f, 2, 1e-6); }, data.x, data.z);
        check(
            9, [](double e) { return gaussian_reference(e, 1, -3, 0.5); }, data.x);
        check(
            10, [](double e, double f) { return std::max(0.0, 0.5 + (e - f)); }, data.x, data.z);
        check(
            11, [](double e) { return std::max(0.0, 0.25 - e); }, data.x);
        check(
            12, [](double e) { return std::max(0.0, 1 - e); }, data.x);
        check(
            13, [](double e) { return e; }, data.x);
    }
    // Of rows, the batch that they are divided by, of integers, and a number as the distribution.
    const std::vector<double> a = {1, 2, 2, 0, -3, 4}, b = {2, 2, 1, 5, 0, 0};
    const auto u = fuse::view<"a">(a.data(), 2, 3);
    const auto v = fuse::view<"b">(b.data(), 2, 3);
    const double near = 8.0 / 9, far = 0;
    CHECK(fuse::value(fuse::host, cosine_embedding_loss(u, v, 1)) == Catch::Approx((1 - near + 1 - far) / 2));
    CHECK(fuse::value(fuse::host, cosine_embedding_loss(u, v, -1, 0.5)) == Catch::Approx((near - 0.5) / 2));
    CHECK(fuse::value(fuse::host, kl_div(u, 0.5, reduction::batchmean)) ==
          Catch::Approx((6 * std::log(0.5) - 6) * 0.5 / 2));
    const std::vector<int> counts = {1, 0, 3};
    CHECK(fuse::value(fuse::host, gaussian_nll_loss(fuse::view<"n">(counts), 1.5, 0.5, reduction::sum)) ==
          Catch::Approx(1.5 * std::log(0.5) + 0.25 + 2.25 + 2.25));
}
