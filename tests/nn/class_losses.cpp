// SPDX-License-Identifier: Apache-2.0
//
// nll_loss and the options of cross_entropy on the host and on the emulated device: values, plans, what is refused.
#include "nn/class_loss_cases.hpp"

#include "nn/rows.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;
namespace reduction = fuse::reduction;
namespace loss = fuse::loss;

namespace {

// One walk over the rows, of `phases`, and the mean of the rows by the last block.
template <class E, int Phases>
constexpr bool one_walk = [] {
    using P = fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>;
    return P::kernels == 1 && P::steps == 1 && P::family == fuse::Family::rows && P::phases == Phases && P::epilogue &&
           P::template passes<"x"> == 1 && P::template passes<"t"> == 1;
}();
template <class E>
constexpr auto reductions =
    fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>::planner::ir_reductions::size;

using Smoothing = loss::label_smoothing;
using Z = loss::z_loss;

using X = decltype(matrix<"x">() * 2);
using W = decltype(vector<"w">() * 2);
using Nll = decltype(nll_loss(matrix<"x">(), vector<"t", int>()));
using WeightedNll = decltype(nll_loss(std::declval<X>(), vector<"t", int>(), std::declval<W>()));
using Smoothed = decltype(cross_entropy(matrix<"x">(), vector<"t", int>(), Smoothing(0.1)));
using OfZ = decltype(cross_entropy(matrix<"x">(), vector<"t", int>(), Z(1e-4)));
using OfAll =
    decltype(cross_entropy(std::declval<X>(), vector<"t", int>(), std::declval<W>(), Smoothing(0.1), Z(1e-4)));
using OfProbabilities =
    decltype(cross_entropy(std::declval<X>(), matrix<"t">(), std::declval<W>(), Smoothing(0.1), Z(1e-4)));

static_assert(one_walk<Nll, 1> && one_walk<WeightedNll, 1>);
static_assert(one_walk<Smoothed, 2> && one_walk<OfZ, 2> && one_walk<OfAll, 2> && one_walk<OfProbabilities, 2>);
static_assert(one_walk<decltype(cross_entropy(matrix<"x">(), matrix<"t">())), 2>);
// The target's logit, and the sum and count of the rows. With weights the target's weight, too.
static_assert(reductions<Nll> == 3 && reductions<WeightedNll> == 4);
// Maximum, sum, the target's logit, sum and count of the rows; what an option adds, and nothing without it.
static_assert(reductions<decltype(cross_entropy(matrix<"x">(), vector<"t", int>()))> == 5);
static_assert(reductions<Smoothed> == 6 && reductions<OfZ> == 6);
static_assert(reductions<decltype(cross_entropy(matrix<"x">(), vector<"t", int>(), vector<"w">()))> == 6);
// Classes on a middle axis: the rows are folded by further steps of the same kernel.
template <class E>
constexpr int kernels = fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>::kernels;
using Cube = fuse::View<float, fuse::name_t<"x">, fuse::dynamic, fuse::dynamic, fuse::dynamic>;
using Labels = fuse::View<int, fuse::name_t<"t">, fuse::dynamic, fuse::dynamic>;
static_assert(kernels<decltype(cross_entropy(std::declval<Cube>(), std::declval<Labels>()))> == 1);
static_assert(kernels<decltype(nll_loss(std::declval<Cube>(), std::declval<Labels>(), vector<"w">()))> == 1);
// Operands with a number in them are one value each, however often the formula has them: three views, two numbers, and
// those of the options, 1 - a, a and c.
template <class E>
constexpr auto leaves = fuse::plan<decltype(scalar_output<"o">() = std::declval<E>())>::planner::ir_leaves::size;
static_assert(leaves<WeightedNll> == 5 && leaves<OfAll> == 8 && leaves<OfProbabilities> == 8);

}  // namespace

TEMPLATE_TEST_CASE("nll_loss and cross_entropy with options", "", HostTarget, EmulatedTarget) {
    check_class_losses<float>(TestType{}, nn_extents);
    check_class_loss_totals(TestType{});
    check_class_loss_edges(TestType{});
}

TEMPLATE_TEST_CASE("losses of classes of other types", "", double, fuse::bfloat16) {
    check_class_losses<TestType>(HostTarget{}, {{1, 1}, {5, 7}, {3, 1000}});
}

TEST_CASE("losses of classes: no rows") {
    const std::vector<float> weight = {1, 2, 3};
    const std::vector<float> in(1);
    const std::vector<int> target(1);
    const auto x = fuse::view<"x">(in.data(), 0, 3);
    const auto t = fuse::view<"t">(target.data(), 0);
    const auto w = fuse::view<"w">(weight);
    const auto p = fuse::view<"p">(in.data(), 0, 3);
    const auto [nll, nll_w, ce_z, soft, nll_sum, ce_sum] =
        fuse::value(fuse::host, nll_loss(x, t), nll_loss(x, t, w), cross_entropy(x, t, w, loss::z_loss(0.1)),
                    cross_entropy(x, p), nll_loss(x, t, w, reduction::sum), cross_entropy(x, t, w, reduction::sum));
    CHECK((std::isnan(nll) && std::isnan(nll_w) && std::isnan(ce_z) && std::isnan(soft)));
    CHECK((nll_sum == 0 && ce_sum == 0));
}

TEST_CASE("losses of classes: other indices are ignored, indices of any type") {
    const std::vector<float> in = {-1, -2, -3, -4, -5, -6};
    const std::vector<float> weight = {1, 3};
    const std::vector<std::uint8_t> target = {1, 255, 0};
    const auto x = fuse::view<"x">(in.data(), 3, 2);
    const auto t = fuse::view<"t">(target);
    const auto w = fuse::view<"w">(weight);
    const auto [nll, nll_w, weighted] = fuse::value(fuse::host, fuse::nll_loss<255>(x, t), fuse::nll_loss<255>(x, t, w),
                                                    fuse::cross_entropy<255>(x, t, w));
    CHECK((nll == 3.5F && nll_w == 11.0F / 4));
    const std::vector<std::int32_t> whole_weight = {1, 3};
    const std::vector<std::int16_t> whole = {-1, -2, -3, -4, -5, -6};
    CHECK(fuse::value(fuse::host,
                      fuse::nll_loss<255>(fuse::view<"i">(whole, 3, 2), t, fuse::view<"j">(whole_weight))) == 11.0 / 4);
    const double of_one = std::log1p(std::exp(1.0));
    const double of_zero = std::log1p(std::exp(-1.0));
    check_close(weighted, (3 * of_one + of_zero) / 4);
    check_close(fuse::value(fuse::host, fuse::cross_entropy<0>(x, t, loss::label_smoothing(0), reduction::none)[0]),
                of_one);
}

TEST_CASE("losses of classes on a middle axis") {
    const std::vector<float> in = random_floats(2 * 3 * 4, 18, -4, 0);
    const std::vector<float> weight = {1, 2, 4};
    const std::vector<int> target = {0, 1, -100, 0, 1, 2, 0, 1};
    std::vector<float> picked(8);
    std::vector<float> each(8);
    const auto x = fuse::view<"x">(in.data(), 2, 3, 4);
    const auto t = fuse::view<"t">(target.data(), 2, 4);
    const auto w = fuse::view<"w">(weight);
    fuse::eval(fuse::host, fuse::view<"a">(picked.data(), 2, 4) = nll_loss(x, t, w, reduction::none),
               fuse::view<"b">(each.data(), 2, 4) =
                   cross_entropy(x, t, w, loss::label_smoothing(0.25), reduction::none));
    double total = 0;
    double unweighted = 0;
    double weighted = 0;
    double squares = 0;
    double scale = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto logit = [&](std::size_t c) { return static_cast<double>(in[i / 4 * 12 + c * 4 + i % 4]); };
        const double logsum = std::log(std::exp(logit(0)) + std::exp(logit(1)) + std::exp(logit(2)));
        double smooth = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            smooth += static_cast<double>(weight[c]) * (logsum - logit(c)) / 3;
        }
        const bool counted = target[i] >= 0;
        const auto at = static_cast<std::size_t>(counted ? target[i] : 0);
        const double of_target = static_cast<double>(weight[at]);
        check_close(picked[i], counted ? -of_target * logit(at) : 0, 16);
        check_close(each[i], counted ? 0.75 * of_target * (logsum - logit(at)) + 0.25 * smooth : 0, 16);
        total -= counted ? of_target * logit(at) : 0;
        unweighted += counted ? logsum - logit(at) : 0;
        weighted += counted ? of_target * (logsum - logit(at)) : 0;
        squares += counted ? logsum * logsum : 0;
        scale += counted ? of_target : 0;
    }
    check_close(fuse::value(fuse::host, nll_loss(x, t, w)), total / scale, 4);
    check_close(fuse::value(fuse::host, cross_entropy(x, t)), unweighted / 7, 4);
    check_close(fuse::value(fuse::host, cross_entropy(x, t, w, loss::z_loss(0.125))),
                weighted / scale + 0.125 * squares / 7, 4);
}

TEST_CASE("losses of classes: refused") {
    CHECK_THROWS_AS(loss::label_smoothing(1.5), fuse::argument_error);
    CHECK_THROWS_AS(loss::label_smoothing(std::nan("")), fuse::argument_error);
    const std::vector<float> in(6);
    const std::vector<int> target(2);
    const auto x = fuse::view<"x">(in.data(), 2, 3);
    const auto t = fuse::view<"t">(target);
    CHECK_THROWS_AS(fuse::value(fuse::host, nll_loss(x, t, fuse::view<"w">(in.data(), 2))), fuse::shape_error);
}
