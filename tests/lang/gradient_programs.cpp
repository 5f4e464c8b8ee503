// SPDX-License-Identifier: Apache-2.0
//
// Small programs as users write them: models and estimators that are fitted with gradients. Values against central
// differences of plain loops in double, or what a textbook says.
#include <cmath>
#include <functional>
#include <vector>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

using fuse::axes;
using fuse::host;
using fuse::scalar;
using fuse::view;

namespace {

using Numbers = std::vector<double>;

/// Central differences of fourth order.
Numbers slopes(const std::function<double(const Numbers&)>& f, const Numbers& at) {
    Numbers result(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto moved = [&](double by) {
            Numbers x = at;
            x[i] += by;
            return f(x);
        };
        const double h = 1e-3;
        result[i] = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    }
    return result;
}
void check_close(const Numbers& got, const Numbers& expected, double tolerance = 1e-9) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        INFO("element " << i << ": got " << got[i] << ", expected " << expected[i]);
        CHECK(std::fabs(got[i] - expected[i]) <= tolerance * (1 + std::fabs(expected[i])));
    }
}
double dot(const Numbers& a, const double* b) {
    double total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        total += a[i] * b[i];
    }
    return total;
}

// Four samples of three features.
const Numbers samples = {0.5, -1, 2, 1.5, 0.3, -0.7, -0.2, 1.1, 0.4, 1.2, 0.8, -1.3};
const Numbers weights = {0.3, -0.6, 0.25};
constexpr int rows = 4, features = 3;

/// Of a sum over samples of loss(w . x, target).
template <class F>
std::function<double(const Numbers&)> linear(F loss, const Numbers& targets) {
    return [=](const Numbers& w) {
        double total = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            total += loss(dot(w, &samples[r * features]), targets[r]);
        }
        return total;
    };
}

}  // namespace

TEST_CASE("linear models: logistic, Poisson, ridge with a bias, support vectors, quantiles") {
    const Numbers labels = {1, 0, 1, 0}, counts = {3, 0, 1, 2}, signs = {1, -1, 1, -1}, values = {0.4, -0.2, 1.1, 0.9};
    const auto x = view<"x">(samples.data(), rows, features);
    const auto w = view<"w">(weights);
    const auto scores = sum(x * w, axes<1>);
    Numbers got(features);
    const auto dw = view<"dw">(got);

    eval(host, dw = gradient(binary_cross_entropy_with_logits(scores, view<"t">(labels)), w));
    check_close(got, slopes(linear([](double s, double t) { return (std::log1p(std::exp(s)) - s * t) / rows; }, labels),
                            weights));

    eval(host, dw = gradient(mean(exp(scores) - view<"t">(counts) * scores), w));
    check_close(got, slopes(linear([](double s, double t) { return (std::exp(s) - t * s) / rows; }, counts), weights));

    const auto b = scalar<"b">(0.2);
    const auto ridge = mean(square(scores + b - view<"t">(values))) + 0.1 * sum(square(w));
    double db = 0;
    eval(host, dw = gradient(ridge, w), view<"db">(&db, fuse::shape()) = gradient(ridge, b));
    const auto ridge_of = [&](double bias) {
        return [&, bias](const Numbers& u) {
            return linear([bias](double s, double t) { return std::pow(s + bias - t, 2) / rows; }, values)(u) +
                   0.1 * dot(u, u.data());
        };
    };
    check_close(got, slopes(ridge_of(0.2), weights));
    check_close({db}, slopes([&](const Numbers& bias) { return ridge_of(bias[0])(weights); }, {0.2}));

    eval(host, dw = gradient(0.5 * sum(square(w)) + 2.0 * sum(maximum(1.0 - view<"t">(signs) * scores, 0.0)), w));
    check_close(got, slopes(
                         [&](const Numbers& u) {
                             return 0.5 * dot(u, u.data()) +
                                    2 * linear([](double s, double t) { return std::fmax(1 - t * s, 0); }, signs)(u);
                         },
                         weights));

    const auto residual = view<"t">(values) - scores;
    eval(host, dw = gradient(mean(maximum(0.9 * residual, -0.1 * residual)), w));
    check_close(
        got, slopes(linear([](double s, double t) { return std::fmax(0.9 * (t - s), -0.1 * (t - s)) / rows; }, values),
                    weights));
}

TEST_CASE("a Hessian times a vector, without the Hessian") {
    const Numbers labels = {1, 0, 1, 0}, direction = {1, -0.5, 2};
    const auto x = view<"x">(samples.data(), rows, features);
    const auto w = view<"w">(weights);
    const auto loss = binary_cross_entropy_with_logits(sum(x * w, axes<1>), view<"t">(labels));
    Numbers got(features);
    eval(host, view<"Hv">(got) = gradient(sum(gradient(loss, w) * view<"v">(direction)), w));
    Numbers expected(features);  // X^T diag(p (1 - p)) X v / n
    for (std::size_t r = 0; r < rows; ++r) {
        const double p = 1 / (1 + std::exp(-dot(weights, &samples[r * features])));
        for (std::size_t i = 0; i < features; ++i) {
            expected[i] += samples[r * features + i] * p * (1 - p) * dot(direction, &samples[r * features]) / rows;
        }
    }
    check_close(got, expected, 1e-13);
}

TEST_CASE("the residual of a differential equation, by differences of neighbours") {
    // u' = -2 u on a grid.
    const Numbers u_data = {1, 0.8, 0.7, 0.45, 0.4, 0.3};
    const double h = 0.1;
    const auto u = view<"u">(u_data);
    Numbers got(u_data.size());
    const auto loss_of = [h](const Numbers& v) {
        double total = std::pow(v[0] - 1, 2);
        for (std::size_t i = 0; i + 1 < v.size(); ++i) {
            total += std::pow((v[i + 1] - v[i]) / h + v[i] + v[i + 1], 2);
        }
        return total;
    };
    // Neighbours are parts of u: each is a variable, and what u gets is both, moved by one.
    const auto left = view<"left">(slice<0>(u, 0, 5));
    const auto right = view<"right">(slice<0>(u, 1, 6));
    const auto residual = (right - left) / h + left + right;
    const auto loss = sum(square(residual));
    Numbers by_left(5), by_right(5);
    eval(host, view<"dleft">(by_left) = gradient(loss, left), view<"dright">(by_right) = gradient(loss, right));
    for (std::size_t i = 0; i < 6; ++i) {
        got[i] = (i < 5 ? by_left[i] : 0) + (i > 0 ? by_right[i - 1] : 0) + (i == 0 ? 2 * (u_data[0] - 1) : 0);
    }
    check_close(got, slopes(loss_of, u_data));
}

TEST_CASE("similarities of all pairs, mixtures, attention") {
    // Contrastive: rows of a against rows of b, the pair in the same row is the right one.
    const Numbers other = {0.4, -0.8, 1.5, 1.1, 0.6, -0.4, -0.5, 0.9, 0.1, 0.7, 1.3, -1};
    const auto a = view<"a">(samples.data(), rows, features);
    const auto b = view<"b">(other.data(), rows, features);
    const auto logits = sum(fuse::expand_dims<1>(a) * b, axes<2>) / 0.7;  // (i, j)
    const std::vector<int> pair = {0, 1, 2, 3};
    Numbers got(samples.size());
    eval(host, view<"da">(got.data(), rows, features) = gradient(cross_entropy(logits, view<"pair">(pair)), a));
    check_close(got, slopes(
                         [&](const Numbers& v) {
                             double total = 0;
                             for (std::size_t i = 0; i < rows; ++i) {
                                 double all = 0, right = 0;
                                 for (std::size_t j = 0; j < rows; ++j) {
                                     double s = 0;
                                     for (std::size_t k = 0; k < features; ++k) {
                                         s += v[i * features + k] * other[j * features + k] / 0.7;
                                     }
                                     all += std::exp(s);
                                     right = i == j ? s : right;
                                 }
                                 total += (std::log(all) - right) / rows;
                             }
                             return total;
                         },
                         samples));

    // The likelihood of points under a mixture of Gaussians.
    const Numbers points = {-1.2, 0.3, 0.8, 2.1, 2.6}, centers = {-0.5, 2}, log_weights = {-0.4, -1.1};
    const auto mu = view<"mu">(centers);
    const auto density = view<"log pi">(log_weights) - 0.5 * square(fuse::expand_dims<1>(view<"point">(points)) - mu);
    const auto likelihood = sum(logsumexp(density, axes<1>));
    Numbers by_center(2);
    eval(host, view<"dmu">(by_center) = gradient(likelihood, mu));
    check_close(by_center, slopes(
                               [&](const Numbers& m) {
                                   double total = 0;
                                   for (const double p : points) {
                                       double s = 0;
                                       for (std::size_t k = 0; k < 2; ++k) {
                                           s += std::exp(log_weights[k] - 0.5 * (p - m[k]) * (p - m[k]));
                                       }
                                       total += std::log(s);
                                   }
                                   return total;
                               },
                               centers));

    // One query: the keys are the samples, values are `other`.
    const auto q = view<"q">(weights);
    const auto attention = softmax(sum(a * q, axes<1>) / std::sqrt(3.0));
    const auto out = sum(fuse::expand_dims<1>(attention) * b, axes<0>);
    const Numbers dy = {1, -2, 0.5};
    Numbers dq(features);
    eval(host, view<"dq">(dq) = vjp(out, q, view<"dy">(dy)));
    check_close(dq, slopes(
                        [&](const Numbers& query) {
                            double all = 0, weighted = 0;
                            for (std::size_t r = 0; r < rows; ++r) {
                                const double e = std::exp(dot(query, &samples[r * features]) / std::sqrt(3.0));
                                all += e;
                                weighted += e * dot(dy, &other[r * features]);
                            }
                            return weighted / all;
                        },
                        weights));
}

TEST_CASE("Newton's method, a robust location, entropy, the sensitivity of a norm, many small least squares") {
    // x^3 = 7 by steps f / f'.
    double root = 2;
    for (int i = 0; i < 6; ++i) {
        const auto x = scalar<"x">(root);
        const auto f = x * x * x - 7.0;
        root = value(host, x - f / gradient(f, x));
    }
    CHECK(root == Approx(std::cbrt(7)).epsilon(1e-14));

    // Huber's estimate of a location by Newton steps: the outlier counts with its sign alone.
    const Numbers data = {1, 1.2, 0.9, 1.1, 9};
    double location = 1.5;
    for (int i = 0; i < 8; ++i) {
        const auto m = scalar<"m">(location);
        const auto d = abs(view<"data">(data) - m);
        const auto loss = sum(where(d <= 0.5, 0.5 * square(d), 0.5 * d - 0.125));
        const auto first = gradient(loss, m);
        location = value(host, m - first / gradient(first, m));
    }
    CHECK(location == Approx((1 + 1.2 + 0.9 + 1.1 + 0.5) / 4));

    // The maximum of <c, p> + T entropy(p), p = softmax(z), is at z = c / T: the gradient is 0 there.
    const double temperature = 0.8;
    const Numbers cost = {0.3, -0.2, 1.1};
    Numbers z_data = cost, dz(3);
    for (double& v : z_data) {
        v /= temperature;
    }
    const auto z = view<"z">(z_data);
    const auto p = softmax(z);
    eval(host, view<"dz">(dz) = gradient(sum(view<"c">(cost) * p) - temperature * sum(xlogy(p, p)), z));
    check_close(dz, {0, 0, 0}, 1e-15);

    // d|x| = x / |x|, in one eval with the norm.
    double length = 0;
    Numbers unit(3);
    const auto v = view<"v">(weights);
    eval(host, view<"length">(&length, fuse::shape()) = fuse::norm<2>(v),
         view<"unit">(unit) = gradient(fuse::norm<2>(v), v));
    check_close(unit, {0.3 / length, -0.6 / length, 0.25 / length}, 1e-15);

    // A line through each of two rows of points: slope and offset of each row.
    const Numbers t = {0, 1, 2}, y = {1, 2.5, 2, 0, -1, -2.5}, line = {0.5, 0.1, -1, 0.2};
    const auto slope = view<"slope">(column(view(line.data(), 2, 2), 0));
    const auto offset = view<"offset">(column(view(line.data(), 2, 2), 1));
    const auto model = fuse::expand_dims<1>(slope) * view<"t">(t) + fuse::expand_dims<1>(offset);
    const auto loss = sum(square(model - view<"y">(y.data(), 2, 3)));
    Numbers got(4);
    eval(host, view<"dslope">(column(view(got.data(), 2, 2), 0)) = gradient(loss, slope),
         view<"doffset">(column(view(got.data(), 2, 2), 1)) = gradient(loss, offset));
    check_close(got, slopes(
                         [&](const Numbers& l) {
                             double total = 0;
                             for (std::size_t r = 0; r < 2; ++r) {
                                 for (std::size_t i = 0; i < 3; ++i) {
                                     total += std::pow(l[2 * r] * t[i] + l[2 * r + 1] - y[3 * r + i], 2);
                                 }
                             }
                             return total;
                         },
                         line));
}
