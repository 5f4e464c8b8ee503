// SPDX-License-Identifier: Apache-2.0
//
// Gradients of the catalogue where a formula changes branches or divides by 0 but the function is smooth, or 0: logits
// of 0, classes that have no probability, features that are the same everywhere. Against formulas in double.
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

TEMPLATE_TEST_CASE("the focal loss is smooth at logits of 0", "", double, float) {
    const std::vector<TestType> logits = {0, 0, 0, 0, TestType(-0.0), TestType(-0.0), 1, -1};
    const std::vector<TestType> targets = {0, 1, TestType(0.25), 0.5, 0, 1, 1, 0};
    const auto x = fuse::view<"x">(logits);
    const auto t = fuse::view<"t">(targets);
    const auto check = [&](double alpha, double gamma, const auto& loss) {
        std::vector<double> slope;
        for (std::size_t i = 0; i < logits.size(); ++i) {
            slope.push_back(focal_slope(logits[i], targets[i], alpha, gamma));
        }
        check_gradient<TestType>(loss, x, slope, 2e-6);
    };
    check(0.25, 2, sigmoid_focal_loss(x, t, reduction::sum));
    check(-1, 1.5, sigmoid_focal_loss(x, t, -1, 1.5, reduction::sum));
}

TEMPLATE_TEST_CASE("js_div has finite derivatives where a class has no probability", "", double, float) {
    const std::vector<TestType> first = {0, 0, 1, 0.5, 0.25};
    const std::vector<TestType> second = {0.25, 0, 0, 0.5, 0.75};
    const auto p = fuse::view<"p">(first);
    const auto q = fuse::view<"q">(second);
    // log(p / m) / 2 of what is not 0; of 0, where that has no bound, what the other term gives: -1/2, or 0 beside 0.
    const double half = std::log(2.0) / 2;
    check_gradient<TestType>(js_div(p, q, reduction::sum), p, {-0.5, 0, half, 0, std::log(0.25 / 0.5) / 2}, 1e-6);
    check_gradient<TestType>(js_div(p, q, reduction::sum), q, {half, 0, -0.5, 0, std::log(0.75 / 0.5) / 2}, 1e-6);
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

TEMPLATE_TEST_CASE("standardize does not move what is the same everywhere", "", double, float) {
    const std::vector<TestType> features = {2, 1, TestType(0.1), 2, 3, TestType(0.1), 2, 8, TestType(0.1)};
    const std::vector<TestType> weights = {1, -2, 3, 4, 1, -1, 2, 2, 5};
    const auto x = fuse::view<"x">(features.data(), 3, 3);
    const auto w = fuse::view<"w">(weights.data(), 3, 3);
    std::vector<double> expected(9, 0);
    const auto scale = [&](int ddof) {  // of the middle column, the only one that varies
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
    };
    scale(0);
    check_gradient<TestType>(sum(standardize(x, axes<0>) * w), x, expected, 1e-6);
    scale(1);
    check_gradient<TestType>(sum(fuse::standardize<1>(x, axes<0>) * w), x, expected, 1e-6);
    // Of one element each, along either axis, and a whole row that is the same.
    const auto column = fuse::view<"column">(features.data(), 3, 1);
    const auto row = fuse::view<"row">(features.data(), 1, 3);
    const std::vector<TestType> same(3, 7);
    const auto equal = fuse::view<"equal">(same);
    check_gradient<TestType>(sum(standardize(column) * column), column, {0, 0, 0}, 0);
    check_gradient<TestType>(sum(standardize(row, axes<0>) * row), row, {0, 0, 0}, 0);
    check_gradient<TestType>(sum(standardize(equal) * row), equal, {0, 0, 0}, 0);
}
