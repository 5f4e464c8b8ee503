// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/gradients.md, with its results.
// [snippet:include]
#include <fuse/gradient.hpp>
// [snippet:end]
#include <fuse/nn.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "support/catch.hpp"

TEST_CASE("a loss and its gradients") {
    const std::vector<float> inputs{1, 2, 3, 4}, wanted{2, 1};
    std::vector<float> weights{0.5F, 0.25F}, slopes(2);
    float loss_value = 0, bias_slope = 0;
    // [snippet:loss]
    auto x = fuse::view<"x">(inputs.data(), 2, 2);
    auto t = fuse::view<"t">(wanted);
    auto w = fuse::view<"w">(weights);
    auto b = fuse::scalar<"b">(0.1F);
    auto loss = mse_loss(sum(x * w, fuse::axes<1>) + b, t);

    auto l = fuse::view<"loss">(&loss_value, fuse::shape());
    auto dw = fuse::view<"dw">(slopes);
    auto db = fuse::view<"db">(&bias_slope, fuse::shape());
    fuse::eval(fuse::host, l = loss, dw = gradient(loss, w), db = gradient(loss, b));
    // [snippet:end]
    // Residuals 1.1 - 2 and 2.6 - 1.
    CHECK(loss_value == Approx((0.81F + 2.56F) / 2));
    CHECK(slopes[0] == Approx(-0.9F * 1 + 1.6F * 3));
    CHECK(slopes[1] == Approx(-0.9F * 2 + 1.6F * 4));
    CHECK(bias_slope == Approx(-0.9F + 1.6F));
}

TEST_CASE("the gradient of the README") {
    const std::vector<float> inputs{1, 2, 3, 4}, wanted{2, 1};
    std::vector<float> weights{0.5F, 0.25F}, slopes(2);
    float loss_value = 0;
    const auto x = fuse::view<"x">(inputs.data(), 2, 2);
    const auto t = fuse::view<"t">(wanted);
    const auto w = fuse::view<"w">(weights);
    const auto l = fuse::view<"loss">(&loss_value, fuse::shape());
    const auto dw = fuse::view<"dw">(slopes);
    // [snippet:readme]
    auto loss = mse_loss(sum(x * w, fuse::axes<1>), t);
    fuse::eval(fuse::host, l = loss, dw = gradient(loss, w));
    // [snippet:end]
    CHECK(loss_value == Approx((1.0F + 2.25F) / 2));
    CHECK(slopes[0] == Approx(-1.0F * 1 + 1.5F * 3));
    CHECK(slopes[1] == Approx(-1.0F * 2 + 1.5F * 4));
}

TEST_CASE("an array along two axes") {
    const std::vector<float> places{0, 0, 1, 0, 0, 2};
    std::vector<float> slopes(6);
    float value = 0;
    const auto points = fuse::view<"points">(places.data(), 3, 2);
    const auto l = fuse::view<"loss">(&value, fuse::shape());
    const auto dp = fuse::view<"dp">(slopes.data(), 3, 2);
    // [snippet:pairs]
    auto distance = sum(square(expand_dims<1>(points) - expand_dims<0>(points)), fuse::axes<2>);
    auto energy = sum(exp(-distance));
    fuse::eval(fuse::host, l = energy, dp = gradient(energy, points));
    // [snippet:end]
    // Squared distances 1, 4 and 5.
    CHECK(value == Approx(3 + 2 * (std::exp(-1.0) + std::exp(-4.0) + std::exp(-5.0))));
    CHECK(slopes[0] == Approx(4 * std::exp(-1.0)));
    CHECK(slopes[1] == Approx(8 * std::exp(-4.0)));
    CHECK(slopes[2] == Approx(-4 * (std::exp(-1.0) + std::exp(-5.0))));
    CHECK(slopes[3] == Approx(8 * std::exp(-5.0)));
}

namespace {

// [snippet:adjoint]
struct SoftMaximum {  // temperature * log(sum(exp(x / temperature)))
    struct accumulator {
        float most, sum;
    };
    float temperature;
    accumulator init() const { return {-1e30F, 0}; }
    accumulator leaf(float x, fuse::index_t) const { return {x, 1}; }
    accumulator combine(accumulator a, accumulator b) const {
        const float most = std::max(a.most, b.most);
        return {most,
                a.sum * std::exp((a.most - most) / temperature) + b.sum * std::exp((b.most - most) / temperature)};
    }
    float project(accumulator a, fuse::index_t) const { return a.most + temperature * std::log(a.sum); }
    float adjoint(float element, float result) const { return std::exp((element - result) / temperature); }
};
// [snippet:end]

// [snippet:partial]
struct Gompertz {
    float rate;
    float operator()(float x) const { return std::exp(-std::exp(-rate * x)); }
    template <int I>
    float partial(float x) const {
        return rate * std::exp(-rate * x) * (*this)(x);
    }
};
// [snippet:end]

}  // namespace

TEST_CASE("functors of one's own") {
    const std::vector<float> data{0.5F, 2};
    std::vector<float> slopes(2);
    const auto x = fuse::view<"x">(data);
    const auto dx = fuse::view<"dx">(slopes);
    // [snippet:lambda]
    auto model = [](auto v) { return v > 0 ? v / (1 + v) : v * exp(v); };
    fuse::eval(fuse::host, dx = gradient(sum(map(model, x)), x));
    // [snippet:end]
    CHECK(slopes[0] == Approx(1 / 2.25));
    CHECK(slopes[1] == Approx(1 / 9.0));
    fuse::eval(fuse::host, dx = gradient(sum(map(Gompertz{1}, x)), x));
    CHECK(slopes[1] == Approx(std::exp(-2) * std::exp(-std::exp(-2))));
}

TEST_CASE("LayerNorm backwards") {
    const std::vector<float> data{1, 2, 3, 4, 6, 5}, seed{1, 0, 0, 0, 1, 0}, ones{1, 1, 1};
    std::vector<float> slope(6), gamma_slope(3), beta_slope(3);
    const auto x = fuse::view<"x">(data.data(), 2, 3);
    const auto dy = fuse::view<"dy">(seed.data(), 2, 3);
    const auto gamma = fuse::view<"gamma">(ones);
    const auto beta = fuse::view<"beta">(ones.data(), 3);
    const auto dx = fuse::view<"dx">(slope.data(), 2, 3);
    const auto dgamma = fuse::view<"dgamma">(gamma_slope);
    const auto dbeta = fuse::view<"dbeta">(beta_slope);
    // [snippet:vjp]
    auto y = layer_norm(x, gamma, beta);
    fuse::eval(fuse::host, dx = vjp(y, x, dy), dgamma = vjp(y, gamma, dy), dbeta = vjp(y, beta, dy));
    // [snippet:end]
    CHECK(beta_slope == std::vector<float>{1, 1, 0});
    // [snippet:plan]
    static_assert(fuse::plan<decltype(dx = vjp(y, x, dy))>::phases == 2);
    // [snippet:end]
    CHECK(gamma_slope[0] == Approx(-1.2247).epsilon(1e-4));
    CHECK(gamma_slope[1] == Approx(1.2247).epsilon(1e-4));
}

TEST_CASE("the derivative of a reduction op") {
    const std::vector<float> data{1, 1};
    std::vector<float> slopes(2);
    const auto x = fuse::view<"x">(data);
    fuse::eval(fuse::host, fuse::view<"dx">(slopes) = gradient(fuse::reduce(SoftMaximum{2.0F}, x), x));
    CHECK(slopes[0] == Approx(0.5F));
    CHECK(slopes[1] == Approx(0.5F));
}

TEST_CASE("GroupNorm backwards") {
    const std::vector<float> data{1, 2, 3, 3, 1, 2}, seed{1, 0, 0, 0, 0, 0}, ones{1, 1};
    std::vector<float> slope(6), gamma_slope(2);
    const auto image = fuse::view<"image">(data.data(), 1, 2, 3);
    const auto d_normal = fuse::view<"d_normal">(seed.data(), 1, 2, 3);
    const auto gamma = fuse::view<"gamma">(ones);
    const auto beta = fuse::view<"beta">(ones.data(), 2);
    const auto d_image = fuse::view<"d_image">(slope.data(), 1, 2, 3);
    const auto d_gamma = fuse::view<"d_gamma">(gamma_slope);
    // [snippet:group_norm]
    auto normal = group_norm(image, 2, gamma, beta);
    auto dy = unflatten<1>(d_normal, 2, -1);
    fuse::eval(fuse::host, unflatten<1>(d_image, 2, -1) = vjp(normal, image, dy),
               unflatten<0>(d_gamma, 2, -1) = vjp(normal, gamma, dy));
    // [snippet:end]
    CHECK(slope[0] == Approx(0.2041).epsilon(1e-3));
    CHECK(slope[1] == Approx(-0.4082).epsilon(1e-3));
    CHECK(slope[2] == Approx(0.2041).epsilon(1e-3));
    CHECK(slope[4] == 0);
    CHECK(gamma_slope[0] == Approx(-1.2247).epsilon(1e-4));
    CHECK(gamma_slope[1] == 0);
}

TEST_CASE("parts of the variable") {
    const fuse::index_t n = 4;
    std::vector<float> line{1, 3, 2, 2}, right{0, 1, 0, -1}, slopes(4);
    float loss_value = 0;
    const auto f = fuse::view<"f">(right);
    const auto du = fuse::view<"du">(slopes);
    const auto l = fuse::view<"loss">(&loss_value, fuse::shape());
    // [snippet:parts]
    auto u = fuse::view<"u">(line, n);
    auto variation = sum(abs(diff(u)));
    auto next = mse_loss(slice<0>(u, 0, n - 1), slice<0>(u, 1, n));
    auto residual = roll(u, 1) - 2 * u + roll(u, -1) - f;  // u'' = f on a ring
    fuse::eval(fuse::host, du = gradient(0.1F * variation + next, u));
    auto equation = sum(square(residual));
    fuse::eval(fuse::host, l = equation, du = gradient(equation, u));
    // [snippet:end]
    // Residuals 3, -4, 1, 0.
    CHECK(loss_value == 26);
    CHECK(slopes == std::vector<float>{2 * (-4 - 6 + 0), 2 * (3 + 8 + 1), 2 * (-4 - 2 + 0), 2 * (1 - 0 + 3)});
    // [snippet:loss_of_parts]
    auto smooth = sqrt(sum(square(diff(u))));
    fuse::eval(fuse::host, l = smooth, du = gradient(smooth, u));
    // [snippet:end]
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        squares += (line[i + 1] - line[i]) * (line[i + 1] - line[i]);
    }
    CHECK(loss_value == Approx(std::sqrt(squares)));
    CHECK(slopes[1] == Approx((2 * line[1] - line[0] - line[2]) / std::sqrt(squares)));
}
