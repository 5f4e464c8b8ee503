// SPDX-License-Identifier: Apache-2.0
//
// Second derivatives where a first one is chosen by a condition: far from 0, where what is not chosen overflows, at 0, and of
// products with elements that are 0. Against formulae in double.
#include <cmath>
#include <vector>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

using fuse::axes;
using fuse::host;
using fuse::index_t;
using fuse::view;

namespace {

using Numbers = std::vector<double>;

/// Hessian times v of a loss(x).
template <class Loss>
Numbers hessian_product(Loss loss, const Numbers& data, const Numbers& v) {
    Numbers got(data.size(), 77);
    const auto x = view<"x">(data);
    eval(host, view<"hv">(got) = gradient(sum(gradient(loss(x), x) * view<"v">(v)), x));
    return got;
}

template <class F, class Second>
void check_second(const char* name, F f, const Numbers& points, Second second) {
    const Numbers got = hessian_product([f](const auto& x) { return sum(f(x)); }, points, Numbers(points.size(), 1));
    for (std::size_t i = 0; i < points.size(); ++i) {
        INFO(name << " at " << points[i] << ": " << got[i] << ", expected " << second(points[i]));
        CHECK(got[i] == Approx(second(points[i])).epsilon(1e-9).margin(1e-12));
    }
}

#define CHECK_SECOND(CALL, POINTS, SECOND)                                                                             \
    check_second(                                                                                                      \
        #CALL, [](const auto& x) { return CALL; }, POINTS, [](double t) { return SECOND; })

/// The product of all of a row but some.
double product_without(const Numbers& x, index_t first, index_t n, std::vector<index_t> left_out) {
    double product = 1;
    for (index_t k = 0; k < n; ++k) {
        bool in = true;
        for (const index_t l : left_out) {
            in = in && k != l;
        }
        product *= in ? x[static_cast<std::size_t>(first + k)] : 1;
    }
    return product;
}

}  // namespace

TEST_CASE("second derivatives of activations far from 0 and at it") {
    const Numbers everywhere = {0, 0.75, -0.75, 30, -30, 100, -100, 800, -800, 1e6, -1e6, 1e30, -1e30};
    CHECK_SECOND(elu(x, 0.7), everywhere, t > 0 ? 0 : 0.7 * std::exp(t));
    CHECK_SECOND(celu(x, 0.7), everywhere, t > 0 ? 0 : std::exp(t / 0.7) / 0.7);
    CHECK_SECOND(selu(x), everywhere, t > 0 ? 0 : 1.0507009873554805 * 1.6732632423543772 * std::exp(t));
    CHECK_SECOND(square(leaky_relu(x, 0.5)), everywhere, t > 0 ? 2 : 0.5);
    const auto logistic = [](double t) { return 1 / (1 + std::exp(-t)); };
    check_second(
        "softplus - logsigmoid", [](const auto& x) { return softplus(x) - logsigmoid(x); }, everywhere,
        [&](double t) { return 2 * logistic(t) * logistic(-t); });
    check_second(
        "silu", [](const auto& x) { return silu(x); }, everywhere,
        [&](double t) {
            const double slope = logistic(t) * logistic(-t);
            return slope == 0 ? 0 : slope * (2 + t * (logistic(-t) - logistic(t)));
        });
    // Its square overflows later than its slope ends.
    Numbers slope(3);
    const Numbers far = {1e200, -1e200, 1e160};
    const auto x = view<"x">(far);
    eval(host, view<"dx">(slope) = gradient(sum(gelu_tanh(x)), x));
    CHECK(slope == Numbers{1, 0, 1});
}

TEST_CASE("second derivatives with respect to the number of an activation") {
    const Numbers data = {90, 800, -1};
    Numbers elu_got(3), celu_got(3);
    const auto x = view<"x">(data);
    const auto alpha = fuse::scalar<"alpha">(0.5);
    eval(host, view<"e">(elu_got) = gradient(gradient(sum(elu(x, alpha)), alpha), x),
         view<"c">(celu_got) = gradient(gradient(sum(celu(x, alpha)), alpha), x));
    const double ratio = -1 / 0.5;
    CHECK(elu_got == Numbers{0, 0, std::exp(-1.0)});
    CHECK(celu_got[0] == 0);
    CHECK(celu_got[1] == 0);
    CHECK(celu_got[2] == Approx(-ratio * std::exp(ratio) / 0.5));
}

TEST_CASE("second derivatives of powers at 0") {
    CHECK_SECOND(pow(x, 1.0) + pow(x, 2.0), (Numbers{0, 1, -2}), 2 + 0 * t);
    // The exponent is a variable of its own: x^0, x^1, x^2 and x^3 at 0 and at 2.
    const Numbers base = {0, 0, 0, 0, 2, 2, 2, 2}, exponent = {0, 1, 2, 3, 0, 1, 2, 3};
    Numbers by_base(8), mixed(8);
    const auto x = view<"x">(base);
    const auto p = view<"p">(exponent);
    eval(host, view<"xx">(by_base) = gradient(sum(gradient(sum(pow(x, p)), x)), x));
    CHECK(by_base == Numbers{0, 0, 2, 0, 0, 0, 2, 12});
    eval(host, view<"pp">(mixed) = gradient(sum(gradient(sum(pow(x, p)), p)), p));
    for (std::size_t i = 0; i < 8; ++i) {
        const double l = std::log(2.0);
        CHECK(mixed[i] == Approx(i < 4 ? 0 : std::pow(2.0, exponent[i]) * l * l));
    }
    const Numbers ones = {1, 1};
    CHECK(hessian_product([](const auto& v) { return fuse::norm<3>(v); }, {0, 0}, ones) == Numbers{0, 0});
    CHECK(hessian_product([](const auto& v) { return fuse::norm<2>(v); }, {0, 0}, ones) == Numbers{0, 0});
    CHECK(hessian_product([](const auto& v) { return fuse::norm<2>(v); }, {0, 2}, ones) == Numbers{0.5, 0});
    CHECK(hessian_product([](const auto& v) { return stddev(v); }, {5, 5}, ones) == Numbers{0, 0});
    CHECK(hessian_product([](const auto& v) { return sum(xlogy(v, v + 1.0)); }, {0, 1}, ones)[0] == Approx(2));
}

TEST_CASE("second derivatives of products with elements that are 0") {
    constexpr index_t rows = 7, n = 4;
    const Numbers x = {2, 5, 3, 7, 0, 5, 3, 7, 2, 5, 0, 7, 0, 5, 3, 0, 0, 0, 3, 7, 0, 0, 0, 7, 0, 0, 0, 0};
    Numbers v(x.size()), got(x.size()), along_first(x.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] = 1 + 0.5 * static_cast<double>(i % 5);
    }
    const auto m = view<"m">(x.data(), rows, n);
    eval(host, view<"hv">(got.data(), rows, n) =
                   gradient(sum(gradient(sum(prod(m, axes<1>)), m) * view<"v">(v.data(), rows, n)), m));
    const auto t = view<"t">(x.data(), fuse::shape(n, rows), fuse::strides(1, n));  // along the first axis
    const auto w = view<"w">(v.data(), fuse::shape(n, rows), fuse::strides(1, n));
    eval(host, view<"hv">(along_first.data(), fuse::shape(n, rows), fuse::strides(1, n)) =
                   gradient(sum(gradient(sum(prod(t, axes<0>)), t) * w), t));
    Numbers third(x.size());
    eval(host,
         view<"third">(third.data(), rows, n) = gradient(sum(gradient(sum(gradient(sum(prod(m, axes<1>)), m)), m)), m));
    for (index_t i = 0; i < rows; ++i) {
        const index_t first = i * n;
        int zeros = 0;
        for (index_t a = 0; a < n; ++a) {
            zeros += x[static_cast<std::size_t>(first + a)] == 0 ? 1 : 0;
        }
        for (index_t a = 0; a < n; ++a) {
            double expected = 0, expected_third = 0;
            for (index_t b = 0; b < n; ++b) {
                expected += a == b ? 0 : product_without(x, first, n, {a, b}) * v[static_cast<std::size_t>(first + b)];
                for (index_t c = 0; c < n; ++c) {
                    expected_third += a == b || a == c || b == c ? 0 : product_without(x, first, n, {a, b, c});
                }
            }
            const auto at = static_cast<std::size_t>(first + a);
            INFO("row " << i << ", element " << a);
            CHECK(got[at] == Approx(expected).margin(1e-12));
            CHECK(along_first[at] == Approx(expected).margin(1e-12));
            if (zeros > 1 && x[at] == 0) {
                CHECK(std::isnan(third[at]));
            } else {
                CHECK(third[at] == Approx(expected_third).margin(1e-12));
            }
        }
    }
}
