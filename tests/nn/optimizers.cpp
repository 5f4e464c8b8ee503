// SPDX-License-Identifier: Apache-2.0
//
// Steps of optimizers and clip_grad_norm on the host and on the emulated device; their plans; and what they refuse.
#include <limits>

#include "support/targets.hpp"

#include "nn/optimizer_cases.hpp"
#include "nn/rows.hpp"

namespace {

using namespace fuse::testing;

// One map that reads the four arrays once.
using Step = decltype(adamw(vector<"p">(), vector<"g">(), vector<"m">(), vector<"v">(), 1));
using AdamW = fuse::plan<decltype(vector<"p">() = std::declval<Step>().param),
                         decltype(vector<"m">() = std::declval<Step>().exp_avg),
                         decltype(vector<"v">() = std::declval<Step>().exp_avg_sq)>;
static_assert(AdamW::kernels == 1 && AdamW::family == fuse::Family::map && AdamW::temporaries == 0);
static_assert(AdamW::passes<"p"> == 1 && AdamW::passes<"g"> == 1 && AdamW::passes<"m"> == 1 && AdamW::passes<"v"> == 1);

// The gradient for its norm and for the step; the rest once.
using Clipped = decltype(clip_grad_norm(vector<"g">(), 1));
using ClippedStep = decltype(adamw(vector<"p">(), std::declval<Clipped>().output, vector<"m">(), vector<"v">(), 1));
using ClippedAdamW = fuse::plan<decltype(vector<"p">() = std::declval<ClippedStep>().param),
                                decltype(vector<"m">() = std::declval<ClippedStep>().exp_avg),
                                decltype(vector<"v">() = std::declval<ClippedStep>().exp_avg_sq),
                                decltype(scalar_output<"n">() = std::declval<Clipped>().total_norm)>;
static_assert(ClippedAdamW::kernels == 1 && ClippedAdamW::phases == 1);
static_assert(ClippedAdamW::passes<"g"> == 2 && ClippedAdamW::passes<"p"> == 1 && ClippedAdamW::passes<"v"> == 1);

}  // namespace

TEMPLATE_TEST_CASE("sgd", "", HostTarget, EmulatedTarget) {
    check_sgd(TestType{}, {.lr = 0.1, .momentum = 0.9, .dampening = 0.5, .weight_decay = 0.1});
    check_sgd(TestType{}, {.lr = 0.1, .momentum = 0.9, .nesterov = true});
    check_sgd(TestType{}, {.lr = 0.1, .dampening = 0.5});
}

TEMPLATE_TEST_CASE("adam and adamw", "", HostTarget, EmulatedTarget) {
    check_adam(TestType{});
    check_adam_of_counted_steps(TestType{});
}

TEMPLATE_TEST_CASE("learning rates of a schedule", "", HostTarget, EmulatedTarget) {
    check_scheduled_rates(TestType{});
}

TEMPLATE_TEST_CASE("lion", "", HostTarget, EmulatedTarget) {
    check_lion(TestType{});
}

TEMPLATE_TEST_CASE("clip_grad_norm", "", HostTarget, EmulatedTarget) {
    check_clip_grad_norm(TestType{});
}

TEST_CASE("parameters in 16 bits beside a copy in float, of a gradient in 16 bits") {
    std::vector<float> master{1, -2};
    std::vector<fuse::bfloat16> narrow(2);
    const std::vector<fuse::bfloat16> gradient{fuse::bfloat16(0.5F), fuse::bfloat16(-0.25F)};
    std::vector<float> m(2);
    std::vector<float> v(2);
    const auto p = fuse::view<"p">(master);
    const auto first = fuse::view<"m">(m);
    const auto second = fuse::view<"v">(v);
    const auto [param, exp_avg, exp_avg_sq] =
        adam(p, fuse::view<"g">(gradient), first, second, 1, {.lr = 0.125, .eps = 0});
    fuse::eval(fuse::host, p = param, fuse::view<"n">(narrow) = param, first = exp_avg, second = exp_avg_sq);
    // The first step of Adam goes by lr against the sign of the gradient.
    check_close(master[0], 0.875);
    check_close(master[1], -1.875);
    CHECK(static_cast<float>(narrow[0]) == 0.875F);
    CHECK(static_cast<float>(narrow[1]) == -1.875F);
    check_close(m[1], -0.025, 0);
    check_close(v[0], 0.00025, 0);
}

TEMPLATE_TEST_CASE("infinite parameters stay so where nothing decays", "", HostTarget, EmulatedTarget) {
    // A mask among the parameters, say: torch.optim adds no term then.
    const double inf = std::numeric_limits<double>::infinity();
    const auto four = [](const std::vector<double>& values) {
        NdArray array({4});
        array.value = values;
        return array;
    };
    const NdArray begin = four({1, -inf, inf, 3});
    const NdArray slope = four({0.5, 0, 0, 0.25});
    const auto after = [&](auto step) {
        Tensor<TestType, double> p_data(begin), g_data(slope), m_data(NdArray({4}, 0.5)), v_data(NdArray({4}, 0.25));
        const auto p = p_data.template view<"p", 1>();
        const auto m = m_data.template view<"m", 1>();
        step(p, g_data.template const_view<"g", 1>(), m, v_data.template view<"v", 1>());
        CHECK(p_data.read().value[1] == -inf);
        CHECK(p_data.read().value[2] == inf);
        CHECK(std::isfinite(p_data.read().value[0]));
        return m_data.read();
    };
    const TestType target;
    after([&](auto p, auto g, auto, auto) { target.eval(p = sgd(p, g, {.lr = 0.1})); });
    const NdArray buffer = after([&](auto p, auto g, auto m, auto) {
        const auto next = sgd(p, g, m, 2, {.lr = 0.1, .momentum = 0.5});
        target.eval(p = next.param, m = next.momentum_buffer);
    });
    check_equal(buffer, four({0.75, 0.25, 0.25, 0.5}));
    const auto adam_step = [&](auto p, auto g, auto m, auto v) {
        const auto next = adam(p, g, m, v, 2, {.lr = 0.1, .beta1 = 0.5});
        target.eval(p = next.param, m = next.exp_avg, v = next.exp_avg_sq);
    };
    check_equal(after(adam_step), four({0.5, 0.25, 0.25, 0.375}));
    after([&](auto p, auto g, auto m, auto v) {
        const auto next = adamw(p, g, m, v, 2, {.lr = 0.1, .weight_decay = 0});
        target.eval(p = next.param, m = next.exp_avg, v = next.exp_avg_sq);
    });
}

TEST_CASE("what an optimizer refuses") {
    std::vector<float> data{1, 2};
    const auto p = fuse::view<"p">(data);
    CHECK_THROWS_WITH(adam(p, p, p, p, 0), "the steps of an optimizer count from 1, and this is step 0");
    CHECK_THROWS_AS(adamw(p, p, p, p, -1), fuse::argument_error);
    CHECK_THROWS_AS(sgd(p, p, p, 0), fuse::argument_error);
    CHECK_THROWS_WITH(sgd(p, p, p, 1, {.nesterov = true}), "sgd: nesterov needs a momentum above 0 and no dampening");
    CHECK_THROWS_AS(sgd(p, p, p, 1, {.momentum = 0.9, .dampening = 0.5, .nesterov = true}), fuse::argument_error);
    CHECK_THROWS_WITH(sgd(p, p, {.momentum = 0.9}),
                      "sgd with momentum takes a momentum buffer: sgd(p, grad, buffer, step, options)");
}

TEST_CASE("options that torch.optim refuses") {
    using fuse::argument_error;
    std::vector<float> data{1, 2};
    const auto p = fuse::view<"p">(data);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(sgd(p, p, {.lr = -0.1}), "sgd: lr is at least 0, not -0.1");
    CHECK_THROWS_WITH(sgd(p, p, {.momentum = -1}), "sgd: momentum is at least 0, not -1");
    CHECK_THROWS_WITH(sgd(p, p, p, 1, {.weight_decay = -1e-4}), "sgd: weight_decay is at least 0, not -0.0001");
    CHECK_THROWS_WITH(adam(p, p, p, p, 1, {.beta1 = 1}), "adam: beta1 is at least 0 and below 1, not 1");
    CHECK_THROWS_WITH(adam(p, p, p, p, 1, {.eps = nan}), "adam: eps is at least 0, not nan");
    CHECK_THROWS_WITH(adamw(p, p, p, p, 1, {.beta2 = -0.5}), "adamw: beta2 is at least 0 and below 1, not -0.5");
    CHECK_THROWS_WITH(lion(p, p, p, {.beta2 = 1.5}), "lion: beta2 is at least 0 and below 1, not 1.5");
    CHECK_THROWS_AS(lion(p, p, p, {.lr = nan}), argument_error);
    CHECK_NOTHROW(adam(p, p, p, p, 1, {.lr = 0, .beta1 = 0, .beta2 = 0, .eps = 0}));
    CHECK_THROWS_WITH(clip_grad_norm(p, -1), "clip_grad_norm: max_norm is at least 0, not -1");
    CHECK_THROWS_AS(clip_grad_norm(p, nan), argument_error);
    CHECK_NOTHROW(clip_grad_norm(p, 0));
}

TEST_CASE("sgd: what a new momentum buffer holds does not count") {
    std::vector<float> param{1, -2};
    std::vector<float> grad{0.5F, 0.25F};
    std::vector<float> buffer(2, std::numeric_limits<float>::quiet_NaN());
    const auto p = fuse::view<"p">(param);
    const auto b = fuse::view<"b">(buffer);
    const auto [next, momentum] = sgd(p, fuse::view<"g">(grad), b, 1, {.lr = 0.5, .momentum = 0.9});
    fuse::eval(fuse::host, p = next, b = momentum);
    CHECK((param[0] == 0.75F && param[1] == -2.125F));
    CHECK(buffer == grad);
}
