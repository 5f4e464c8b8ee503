// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/recipes.md, with its results.
#include <fuse/gradient.hpp>
#include <fuse/nn.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

using fuse::axes;
using fuse::keepdims;

TEST_CASE("the median") {
    std::vector<float> data{3, 1, 2, 9, 7, 8, 10, 0};
    std::vector<float> room(8), found(2);
    const auto x = fuse::view<"x">(data, 2, 4);
    const auto medians = fuse::view<"medians">(found);
    // [snippet:median]
    auto sorted = fuse::view<"sorted">(room, 2, 4);
    fuse::eval(fuse::host, sorted = sort(x, axes<-1>));
    const auto n = sorted.extent(1);
    fuse::eval(fuse::host, medians = 0.5F * (column(sorted, (n - 1) / 2) + column(sorted, n / 2)));
    // [snippet:end]
    CHECK(found == std::vector<float>{2.5, 7.5});
    std::vector<float> upper(2);
    // [snippet:quantile]
    const double at = 0.9 * static_cast<double>(n - 1);  // numpy's linear interpolation
    const auto below = static_cast<fuse::index_t>(at);
    const auto above = below + 1 < n ? below + 1 : below;
    const double weight = at - static_cast<double>(below);
    fuse::eval(fuse::host, fuse::view<"q">(upper) = lerp(column(sorted, below), column(sorted, above), weight));
    // [snippet:end]
    CHECK(upper[0] == Approx(7.2));  // numpy.quantile(x, 0.9, axis=1)
    CHECK(upper[1] == Approx(9.4));
}

TEST_CASE("top k") {
    std::vector<float> data{3, 1, 2, 9, 7, 8, 10, 0};
    std::vector<float> room(8), best(4);
    std::vector<fuse::index_t> positions(8), where_best(4);
    const auto x = fuse::view<"x">(data, 2, 4);
    const auto values = fuse::view<"values">(best, 2, 2);
    const auto indices = fuse::view<"indices">(where_best, 2, 2);
    // [snippet:topk]
    const int k = 2;
    auto sorted = fuse::view<"sorted">(room, 2, 4);
    auto order = fuse::view<"order">(positions, 2, 4);
    fuse::eval(fuse::host, sorted = sort(x, axes<-1>, fuse::descending),
               order = argsort(x, axes<-1>, fuse::descending));
    fuse::eval(fuse::host, values = slice<1>(sorted, 0, k), indices = slice<1>(order, 0, k));
    // [snippet:end]
    CHECK(best == std::vector<float>{9, 3, 10, 8});
    CHECK(where_best == std::vector<fuse::index_t>{3, 0, 2, 1});
}

TEST_CASE("pixels for a model") {
    const fuse::index_t height = 2;
    const fuse::index_t width = 3;
    std::vector<std::uint8_t> bytes(18);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{40});
    const std::vector<float> mean{0.485F, 0.456F, 0.406F};
    const std::vector<float> deviation{0.229F, 0.224F, 0.225F};
    std::vector<float> factors(3), summands(3), room(18);
    // [snippet:pixels]
    for (std::size_t c = 0; c < 3; ++c) {
        factors[c] = 1 / (255 * deviation[c]);
        summands[c] = -mean[c] / deviation[c];
    }
    auto image = fuse::view<"image">(bytes, height, width, 3);
    auto planes = fuse::view<"planes">(room, 3, height, width);
    fuse::eval(fuse::host, planes = cast<float>(transpose<2, 0, 1>(image)) * fuse::view<"factor">(factors, 3, 1, 1) +
                                    fuse::view<"summand">(summands, 3, 1, 1));
    // [snippet:end]
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(room[c * 6 + i] == Approx((bytes[i * 3 + c] / 255.0 - mean[c]) / deviation[c]).margin(1e-5));
        }
    }
}

TEST_CASE("a masked mean") {
    std::vector<float> data{1, 2, 3, 4, 5, 6};
    std::vector<std::uint8_t> flags{1, 0, 1, 0, 0, 0};
    std::vector<float> room(2);
    const auto x = fuse::view<"x">(data, 2, 3);
    const auto mask = fuse::view<"mask">(flags, 2, 3);
    const auto means = fuse::view<"means">(room);
    // [snippet:masked]
    auto kept = mask != 0;
    fuse::eval(fuse::host, means = sum(where(kept, x, 0), axes<1>) / count_nonzero(kept, axes<1>));
    // [snippet:end]
    CHECK(room[0] == 2);
    CHECK(std::isnan(room[1]));  // the mean of nothing, as in numpy
    std::vector<float> out(6);
    const auto y = fuse::view<"y">(out, 2, 3);
    // [snippet:masked_softmax]
    fuse::eval(fuse::host, y = softmax(where(kept, x, -INFINITY)));
    // [snippet:end]
    CHECK(out[0] == Approx(1 / (1 + std::exp(2.0))));
    CHECK(out[1] == 0);
    CHECK(std::isnan(out[3]));
    std::vector<int> lengths{1, 2};
    const auto length = fuse::view<"length">(lengths);
    // [snippet:lengths]
    auto within = fuse::arange(x.shape()[1]) < expand_dims<1>(length);
    fuse::eval(fuse::host, y = masked_softmax(x, within));
    // [snippet:end]
    CHECK((out[0] == 1 && out[1] == 0 && out[2] == 0 && out[5] == 0));
    CHECK(out[4] == Approx(1 / (1 + std::exp(-1.0))));
}

TEST_CASE("one-hot") {
    std::vector<int> classes{2, 0};
    std::vector<float> room(6);
    const auto y = fuse::view<"y">(room, 2, 3);
    // [snippet:one_hot]
    auto label = fuse::view<"label">(classes.data(), fuse::shape(2, 3), fuse::strides(1, 0));
    fuse::eval(fuse::host, y = label == fuse::index<1>());
    // [snippet:end]
    CHECK(room == std::vector<float>{0, 0, 1, 1, 0, 0});
}

TEST_CASE("buffers that take turns") {
    std::vector<float> a{0, 0, 16, 0, 0}, b(5);
    // [snippet:ping_pong]
    auto now = fuse::view(a);
    auto next = fuse::view(b);
    fuse::eval(fuse::host, next = now);  // the ends are never written
    for (int step = 0; step < 2; ++step) {
        auto inner = slice<0>(next, 1, -1);
        fuse::eval(fuse::host,
                   inner = 0.5F * slice<0>(now, 1, -1) + 0.25F * (slice<0>(now, {}, -2) + slice<0>(now, 2, {})));
        swap(now, next);  // `now` is what was computed last
    }
    // [snippet:end]
    CHECK(to_vector(fuse::tensor(fuse::host, now * 1.0F)) == std::vector<float>{0, 4, 6, 4, 0});
}

TEST_CASE("several outputs") {
    std::vector<float> data{1, 2, 3, 4, 5, 9};
    std::vector<float> room(6), means(2), deviations(2);
    const auto x = fuse::view<"x">(data, 2, 3);
    const auto y = fuse::view<"y">(room, 2, 3);
    const auto mu = fuse::view<"mu">(means);
    const auto sigma = fuse::view<"sigma">(deviations);
    // [snippet:outputs]
    auto centre = mean(x, axes<1>, keepdims);
    auto spread = stddev(x, axes<1>, keepdims);
    fuse::eval(fuse::host, y = (x - centre) / spread, mu = centre, sigma = spread);  // x is read once
    // [snippet:end]
    CHECK(means == std::vector<float>{2, 6});
    CHECK(deviations[1] == Approx(std::sqrt(14 / 3.0)));
    CHECK(room[5] == Approx(3 / std::sqrt(14 / 3.0)));
    // [snippet:several_values]
    auto [low, high, count] = fuse::value(fuse::host, min(x), max(x), count_nonzero(x > 2));
    // [snippet:end]
    CHECK((low == 1 && high == 9 && count == 4));
}

// [snippet:focal]
/// Lin et al. 2017, eq. 4, of logits x and targets t that are 0 or 1.
template <class X, class T>
auto focal_loss(const X& x, const T& t, float gamma) {
    return let(x, t, [gamma](const auto& logit, const auto& target) {
        const auto p = sigmoid(logit);
        const auto miss = where(target > 0, 1 - p, p);
        return mean(pow(miss, gamma) * binary_cross_entropy_with_logits(logit, target, fuse::reduction::none));
    });
}
// [snippet:end]

TEST_CASE("a loss of one's own") {
    std::vector<float> logits{2, -1, 0.5F, -3}, targets{1, 0, 0, 1}, slopes(4);
    const auto x = fuse::view<"x">(logits);
    const auto t = fuse::view<"t">(targets);
    // [snippet:own_loss]
    float loss = fuse::value(fuse::host, focal_loss(x, t, 2));
    // [snippet:end]
    double expected = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const double p = 1 / (1 + std::exp(-static_cast<double>(logits[i])));
        const double right = targets[i] > 0 ? p : 1 - p;
        expected -= (1 - right) * (1 - right) * std::log(right) / 4;
    }
    CHECK(loss == Approx(expected));
    const auto g = fuse::view<"g">(slopes);
    float mse = 0;
    // [snippet:own_gradient]
    auto l = fuse::view<"l">(&mse, fuse::shape());
    auto d = x - t;
    fuse::eval(fuse::host, l = mean(square(d)),
               g = d * (2.0F / 4));  // the loss and its gradient: x and t are read once
    // [snippet:end]
    CHECK(mse == Approx((1 + 1 + 0.25 + 16) / 4));
    CHECK(slopes == std::vector<float>{0.5, -0.5, 0.25, -2});
}

// [snippet:welford]
/// The mean and the sum of squared deviations from it, in one pass (Chan, Golub, LeVeque 1979).
struct Moments {
    double n, mean, squares;
};
struct Variance {
    using accumulator = Moments;
    FUSE_HD Moments init() const { return {0, 0, 0}; }
    FUSE_HD Moments leaf(double v, fuse::index_t) const { return {1, v, 0}; }
    FUSE_HD Moments combine(const Moments& a, const Moments& b) const {
        const double n = a.n + b.n;
        if (n == 0) {
            return a;
        }
        const double d = b.mean - a.mean;
        return {n, a.mean + d * b.n / n, a.squares + b.squares + d * d * a.n * b.n / n};
    }
    FUSE_HD double project(const Moments& m, fuse::index_t n) const { return m.squares / static_cast<double>(n); }
};
// [snippet:end]

TEST_CASE("a reduction op of one's own") {
    std::vector<float> data{1001, 1002, 1006, 1, 1, 1};
    std::vector<double> room(2);
    const auto x = fuse::view<"x">(data, 2, 3);
    const auto y = fuse::view<"y">(room);
    // [snippet:own_op]
    fuse::eval(fuse::host, y = fuse::reduce(Variance{}, x, axes<1>));
    // [snippet:end]
    CHECK(room[0] == Approx(14 / 3.0));
    CHECK(room[1] == 0);
}

TEST_CASE("a step of training") {
    std::vector<float> parameters{1, -2}, gradient{3, -4}, first(2), second(2), found(1);
    const auto p = fuse::view<"p">(parameters);
    const auto g = fuse::view<"g">(gradient);
    const auto m = fuse::view<"m">(first);
    const auto v = fuse::view<"v">(second);
    const int step = 1;
    {
        // [snippet:adamw]
        auto [param, exp_avg, exp_avg_sq] = adamw(p, g, m, v, step, {.lr = 0.1, .weight_decay = 0.5});
        fuse::eval(fuse::host, p = param, m = exp_avg, v = exp_avg_sq);  // one kernel, which reads each array once
        // [snippet:end]
        CHECK(parameters[0] == Approx(0.95 - 0.1));
        CHECK(parameters[1] == Approx(-1.9 + 0.1));
        CHECK(first[1] == Approx(-0.4));
        CHECK(second[0] == Approx(0.009));
    }
    const auto length = fuse::view<"length">(found);
    // [snippet:clipped_step]
    auto [clipped, total_norm] = clip_grad_norm(g, 1.0);
    auto [param, momentum_buffer] = sgd(p, clipped, m, step, {.lr = 0.5, .momentum = 0.9});
    fuse::eval(fuse::host, p = param, m = momentum_buffer, length = total_norm);
    // [snippet:end]
    CHECK(found[0] == Approx(5));
    CHECK(first[0] == Approx(0.6));
    CHECK(first[1] == Approx(-0.8));
    CHECK(parameters[0] == Approx(0.85 - 0.3));
}

TEST_CASE("a step of training of several parameters") {
    std::vector<double> samples{1, 2, -1, 0.5, 0, 3}, wanted{1, 0}, weights{0.1, -0.2, 0.3}, momenta(3);
    double bias = 0.5;
    double found = 0;
    const auto x = fuse::view<"x">(samples, 2, 3);
    const auto label = fuse::view<"label">(wanted);
    const auto w = fuse::view<"w">(weights);
    const auto m = fuse::view<"m">(momenta);
    const auto b = fuse::view<"b">(&bias, fuse::shape());
    const auto l = fuse::view<"l">(&found, fuse::shape());
    const int step = 1;
    // [snippet:several_parameters]
    auto loss = binary_cross_entropy_with_logits(sum(x * w, axes<1>) + b, label);
    auto [next_w, next_m] = sgd(w, gradient(loss, w), m, step, {.lr = 0.5, .momentum = 0.9});
    fuse::eval(fuse::host, l = loss, w = next_w, m = next_m, b = b - 0.5F * gradient(loss, b));
    // [snippet:end]
    const double score[] = {0.1 - 0.4 - 0.3 + 0.5, 0.05 + 0.9 + 0.5};
    const double slope[] = {(1 / (1 + std::exp(-score[0])) - 1) / 2, 1 / (1 + std::exp(-score[1])) / 2};
    CHECK(found == Approx((std::log1p(std::exp(-score[0])) + std::log1p(std::exp(score[1]))) / 2));
    CHECK(bias == Approx(0.5 - 0.5 * (slope[0] + slope[1])));
    CHECK(momenta[0] == Approx(slope[0] + 0.5 * slope[1]));
    CHECK(weights[2] == Approx(0.3 - 0.5 * (3 * slope[1] - slope[0])));
}

TEST_CASE("the sum of a residual stream and its norm") {
    std::vector<float> data{1, 2, 2, -1}, stream{2, 2, 0, 2}, ones{1, 1}, out(4);
    const auto x = fuse::view<"x">(data, 2, 2);
    const auto residual = fuse::view<"residual">(stream, 2, 2);
    const auto gamma = fuse::view<"gamma">(ones);
    const auto y = fuse::view<"y">(out, 2, 2);
    // [snippet:residual]
    auto [output, sum] = add_rms_norm(x, residual, gamma);
    fuse::eval(fuse::host, y = output, residual = sum);  // x and residual are read once
    // [snippet:end]
    CHECK(stream == std::vector<float>{3, 4, 2, 1});
    CHECK(out[0] == Approx(3 / std::sqrt(12.5)));
    CHECK(out[3] == Approx(1 / std::sqrt(2.5)));
}
