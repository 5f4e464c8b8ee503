// SPDX-License-Identifier: Apache-2.0
//
// Gradients of the catalogue where a formula changes branches or divides by 0 but the function is smooth, or 0: logits
// of 0, classes that have no probability, features that are the same everywhere. Against formulas in double. Half of each
// in float.
#include <cmath>
#include <vector>

#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "support/catch.hpp"

namespace {

using fuse::axes;
namespace reduction = fuse::reduction;

template <class T, class Loss, class X>
void check_gradient(const Loss& loss, const X& x, const std::vector<double>& expected, double tolerance) {
    const auto got = to_vector(fuse::tensor(fuse::host, gradient(loss, x)));
    static_assert(std::is_same_v<decltype(got), const std::vector<T>>);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        INFO("element " << i << ": " << got[i] << ", expected " << expected[i]);
        CHECK(got[i] == Approx(expected[i]).epsilon(tolerance).margin(tolerance));
    }
}

double focal(double x, double t, double alpha, double gamma) {
    const double p = 1 / (1 + std::exp(-x));
    const double missed = p * (1 - t) + (1 - p) * t;
    const double cross_entropy = -t * std::log(p) - (1 - t) * std::log(1 - p);
    return (alpha < 0 ? 1 : alpha * t + (1 - alpha) * (1 - t)) * std::pow(missed, gamma) * cross_entropy;
}

/// By a central difference, which is exact to the eighth digit here.
double focal_slope(double x, double t, double alpha, double gamma) {
    return (focal(x + 1e-4, t, alpha, gamma) - focal(x - 1e-4, t, alpha, gamma)) / 2e-4;
}

}  // namespace

TEST_CASE("the focal loss is smooth at logits of 0") {
    const auto check = [](auto zero, double alpha, double gamma, const auto& loss) {
        using T = decltype(zero);
        const std::vector<T> logits = {0, 0, 0, 0, -zero, -zero, 1, -1};
        const std::vector<T> targets = {0, 1, 0.25, 0.5, 0, 1, 1, 0};
        std::vector<double> slope;
        for (std::size_t i = 0; i < logits.size(); ++i) {
            slope.push_back(focal_slope(logits[i], targets[i], alpha, gamma));
        }
        const auto x = fuse::view<"x">(logits);
        check_gradient<T>(loss(x, fuse::view<"t">(targets)), x, slope, 2e-6);
    };
    check(0.0, 0.25, 2, [](const auto& x, const auto& t) { return sigmoid_focal_loss(x, t, reduction::sum); });
    check(0.0F, -1, 1.5,
          [](const auto& x, const auto& t) { return sigmoid_focal_loss(x, t, -1, 1.5, reduction::sum); });
}

TEST_CASE("js_div has finite derivatives where a class has no probability") {
    const std::vector<double> first = {0, 0, 1, 0.5, 0.25};
    const std::vector<double> second = {0.25, 0, 0, 0.5, 0.75};
    const std::vector<float> first_floats(first.begin(), first.end());
    const std::vector<float> second_floats(second.begin(), second.end());
    const auto p = fuse::view<"p">(first);
    const auto q = fuse::view<"q">(second_floats);
    // log(p / m) / 2 of what is not 0; of 0, where that has no bound, what the other term gives: -1/2, or 0 beside 0.
    const double half = std::log(2.0) / 2;
    check_gradient<double>(js_div(p, fuse::view<"q">(second), reduction::sum), p,
                           {-0.5, 0, half, 0, std::log(0.25 / 0.5) / 2}, 1e-6);
    check_gradient<float>(js_div(fuse::view<"p">(first_floats), q, reduction::sum), q,
                          {half, 0, -0.5, 0, std::log(0.75 / 0.5) / 2}, 1e-6);
}

TEST_CASE("js_div of a one-hot target and a softmax") {
    const std::vector<double> logits = {1, -2, 0.5}, target = {0, 1, 0};
    const auto x = fuse::view<"x">(logits);
    const auto t = fuse::view<"t">(target);
    double total = 0, mean_slope = 0;
    std::vector<double> s, slope, expected;
    for (const double v : logits) {
        total += std::exp(v);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        s.push_back(std::exp(logits[i]) / total);
        slope.push_back(std::log(s[i] / ((s[i] + target[i]) / 2)) / 2);
        mean_slope += s[i] * slope[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        expected.push_back(s[i] * (slope[i] - mean_slope));
    }
    check_gradient<double>(js_div(t, softmax(x), reduction::sum), x, expected, 1e-12);
}

TEST_CASE("standardize does not move what is the same everywhere") {
    const auto check = [](auto zero, int ddof, const auto& loss) {
        using T = decltype(zero);
        const std::vector<T> features = {2, 1, T(0.1), 2, 3, T(0.1), 2, 8, T(0.1)};
        const std::vector<T> weights = {1, -2, 3, 4, 1, -1, 2, 2, 5};
        std::vector<double> expected(9, 0);  // but of the middle column, the only one that varies
        double mean = 0, squares = 0, of_w = 0, of_wd = 0;
        for (std::size_t i = 1; i < 9; i += 3) {
            mean += features[i] / 3.0;
            of_w += weights[i] / 3.0;
        }
        for (std::size_t i = 1; i < 9; i += 3) {
            squares += (features[i] - mean) * (features[i] - mean);
            of_wd += weights[i] * (features[i] - mean);
        }
        for (std::size_t i = 1; i < 9; i += 3) {
            expected[i] =
                (weights[i] - of_w - (features[i] - mean) * of_wd / squares) / std::sqrt(squares / (3 - ddof));
        }
        const auto x = fuse::view<"x">(features.data(), 3, 3);
        check_gradient<T>(loss(x, fuse::view<"w">(weights.data(), 3, 3)), x, expected, 1e-6);
        if (ddof == 0) {  // of one element each
            const auto row = fuse::view<"x">(features.data(), 1, 3);
            check_gradient<T>(loss(row, fuse::view<"w">(weights.data(), 1, 3)), row, {0, 0, 0}, 0);
        }
    };
    check(0.0, 0, [](const auto& x, const auto& w) { return sum(standardize(x, axes<0>) * w); });
    check(0.0F, 1, [](const auto& x, const auto& w) { return sum(fuse::standardize<1>(x, axes<0>) * w); });
    // Along the other axis: of one element each, and a whole row that is the same.
    const std::vector<double> same(3, 7), weights = {1, -2, 3};
    for (const fuse::index_t rows : {3, 1}) {
        const auto x = fuse::view<"x">(same.data(), rows, 3 / rows);
        const auto w = fuse::view<"w">(weights.data(), rows, 3 / rows);
        check_gradient<double>(sum(standardize(x) * w), x, {0, 0, 0}, 0);
    }
}
