// SPDX-License-Identifier: Apache-2.0
//
// Losses of single elements against loops in double, with every kind of reduction, and their plans.
#include "nn/rows.hpp"

#include <functional>
#include <limits>

namespace {

using namespace fuse::testing;
namespace reduction = fuse::reduction;

template <class S>
constexpr bool one_sweep =
    S::kernels == 1 && S::phases == 1 && S::family == fuse::Family::full&& S::template passes<"x"> == 1 &&
    S::template passes<"t"> == 1;
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = mse_loss(matrix<"x">(), matrix<"t">()))>>);
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = l1_loss(matrix<"x">(), matrix<"t">()))>>);
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = huber_loss(matrix<"x">(), matrix<"t">()))>>);
static_assert(
    one_sweep<fuse::plan<decltype(scalar_output<"loss">() = bce_with_logits_loss(matrix<"x">(), matrix<"t">()))>>);
static_assert(one_sweep<fuse::plan<decltype(scalar_output<"loss">() = kl_div(matrix<"x">(), matrix<"t">()))>>);

using Pointwise = std::function<double(double input, double target)>;

/// Checks one loss over every element: as it is, and averaged.
template <class Loss>
void check_pointwise(const Loss& loss, const Pointwise& reference, const std::vector<float>& input,
                     const std::vector<float>& target, double scale) {
    const Rows shape{static_cast<fuse::index_t>(input.size()) / 5, 5};
    const auto x = fuse::view<"x">(input.data(), shape.rows, shape.columns);
    const auto t = fuse::view<"t">(target.data(), shape.rows, shape.columns);
    std::vector<float> each(input.size());
    fuse::eval(fuse::host, fuse::view<"y">(each.data(), shape.rows, shape.columns) = loss(x, t, reduction::none));
    double total = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const double expected = reference(static_cast<double>(input[i]), static_cast<double>(target[i]));
        check_close(each[i], expected, scale);
        total += expected;
    }
    const auto n = static_cast<double>(input.size());
    check_close(fuse::value(fuse::host, loss(x, t, reduction::mean)), total / n, scale);
}

double log_sigmoid(double x) {
    return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
}

}  // namespace

TEST_CASE("mse_loss, l1_loss and huber_loss") {
    const std::vector<float> input = random_floats(4000, 11);
    const std::vector<float> target = random_floats(4000, 12);
    check_pointwise([](auto x, auto t, auto how) { return mse_loss(x, t, how); },
                    [](double x, double t) { return (x - t) * (x - t); }, input, target, 1);
    check_pointwise([](auto x, auto t, auto how) { return l1_loss(x, t, how); },
                    [](double x, double t) { return std::fabs(x - t); }, input, target, 1);
    for (const double delta : {0.25, 1.0, 100.0}) {
        check_pointwise([delta](auto x, auto t, auto how) { return huber_loss(x, t, how, delta); },
                        [delta](double x, double t) {
                            const double d = std::fabs(x - t);
                            return d <= delta ? d * d / 2 : delta * (d - delta / 2);
                        },
                        input, target, 1);
    }
    const auto x = fuse::view<"x">(input.data(), 4000);
    const auto t = fuse::view<"t">(target.data(), 4000);
    CHECK(fuse::value(fuse::host, mse_loss(x, t)) * 4000 ==
          Catch::Approx(fuse::value(fuse::host, mse_loss(x, t, reduction::sum))));
    CHECK(fuse::value(fuse::host, huber_loss(x, t)) == fuse::value(fuse::host, huber_loss(x, t, 1.0)));
}

TEST_CASE("mse_loss against a number and against a row") {
    const std::vector<float> input = {1, 2, 3, 4};
    const std::vector<float> row = {1, 1};
    const auto x = fuse::view<"x">(input.data(), 2, 2);
    CHECK(fuse::value(fuse::host, mse_loss(x, 1)) == 3.5F);
    CHECK(fuse::value(fuse::host, mse_loss(x, fuse::view<"row">(row.data(), 2))) == 3.5F);
}

TEST_CASE("bce_with_logits_loss, also of large logits") {
    std::vector<float> input = random_floats(4000, 13, -5, 5);
    std::vector<float> target = random_floats(4000, 14, 0, 1);
    for (std::size_t i = 0; i < 100; ++i) {
        input[i] *= 40;
        target[i] = target[i] < 0.5F ? 0.0F : 1.0F;
    }
    check_pointwise([](auto x, auto t, auto how) { return bce_with_logits_loss(x, t, how); },
                    [](double x, double t) { return -(t * log_sigmoid(x) + (1 - t) * log_sigmoid(-x)); }, input, target,
                    1);
    // Where softplus(x) - t * x would cancel to nothing.
    const float sure = 20;
    const float loss =
        fuse::value(fuse::host, bce_with_logits_loss(fuse::view<"x">(&sure, fuse::shape()),
                                                     fuse::view<"t">(input.data(), fuse::shape()) * 0.F + 1.F));
    CHECK(static_cast<double>(loss) == Catch::Approx(std::log1p(std::exp(-20.0))).epsilon(1e-6));
}

TEST_CASE("kl_div, also of impossible targets") {
    std::vector<float> input = random_floats(4000, 15, -8, 0);
    std::vector<float> target = random_floats(4000, 16, 0, 1);
    target[17] = 0;
    target[18] = 0;
    input[18] = -std::numeric_limits<float>::infinity();
    check_pointwise([](auto x, auto t, auto how) { return kl_div(x, t, how); },
                    [](double x, double t) { return t == 0 ? 0.0 : t * (std::log(t) - x); }, input, target, 1);
    const auto x = fuse::view<"x">(input.data(), 800, 5);
    const auto t = fuse::view<"t">(target.data(), 800, 5);
    check_close(fuse::value(fuse::host, kl_div(x, t, reduction::batchmean)),
                static_cast<double>(fuse::value(fuse::host, kl_div(x, t, reduction::sum))) / 800);
}
