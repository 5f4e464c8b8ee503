// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of minmax and ptp, and of reduction ops of the user with an adjoint, through a target.
#pragma once

#include "lang/gradient_cases.hpp"
#include "lang/user_op_cases.hpp"

namespace fuse::testing {

/// temperature * log(sum(exp(x / temperature))): an op with state, by the whole protocol.
struct SoftMaximum : SmoothMaximum {
    /// A template, so that it has a derivative itself.
    template <class V>
    FUSE_HD V adjoint(V element, V result) const {
        using std::exp;
        return exp((element - result) / temperature);
    }
};
/// The root of the mean square, whose adjoint needs the number of elements.
struct RootMeanSquare {
    using accumulator = double;
    FUSE_HD constexpr double init() const { return 0; }
    FUSE_HD constexpr double leaf(double v, index_t) const { return v * v; }
    FUSE_HD constexpr double combine(double a, double b) const { return a + b; }
    FUSE_HD double project(double a, index_t n) const { return std::sqrt(a / static_cast<double>(n)); }
    FUSE_HD double adjoint(double element, double result, index_t n) const {
        return element / (result * static_cast<double>(n));
    }
};
/// A plain functor with an identity.
struct Plus {
    static constexpr int identity = 0;
    FUSE_HD constexpr double operator()(double a, double b) const { return a + b; }
    FUSE_HD constexpr double adjoint(double, double) const { return 1; }
};

template <class Target>
void check_gradients_of_extrema(const Target& target, const Extent& extent) {
    const NdArray x = random_reals(extent, -2, 2, 51);
    const NdArray w = random_reals(extent, 0.5, 1.5, 52);
    const auto low = [](const Numbers& a) { return -max_reference(each(a, [](double v) { return -v; })); };
    const auto range = [low](const Numbers& a) { return max_reference(a) - low(a); };
    check_gradient(
        target, "ptp(x)^2", x, w, [](const auto& u, const auto&) { return square(ptp(u)); },
        [&](const NdArray& a, const NdArray&) { return std::pow(range(a.value), 2); });
    check_gradient(
        target, "sum(ptp(x, axes<0>)^2)", x, w, [](const auto& u, const auto&) { return sum(square(ptp(u, axes<0>))); },
        over_columns([&](const Numbers& a, const Numbers&) { return std::pow(range(a), 2); }));
    check_gradient(
        target, "both of minmax", x, w,
        [](const auto& u, const auto& v) {
            const auto both = minmax(u, axes<1>, keepdims);
            return sum((u - both.min) * v * exp(both.max));
        },
        over_rows([&](const Numbers& a, const Numbers& b) {
            double total = 0;
            for (std::size_t i = 0; i < a.size(); ++i) {
                total += (a[i] - low(a)) * b[i] * std::exp(max_reference(a));
            }
            return total;
        }));
}

template <class Target>
void check_gradients_of_user_folds(const Target& target, const Extent& extent) {
    const NdArray x = random_reals(extent, -2, 2, 53);
    const NdArray w = random_reals(extent, 0.5, 1.5, 54);
    const auto soft = [](const Numbers& a) {
        return 0.5 * std::log(sum_reference(each(a, [](double v) { return std::exp(v / 0.5); })));
    };
    const auto root = [](const Numbers& a) { return std::sqrt(mean_square_about(a, 0)); };
    check_gradient(
        target, "an op with state", x, w,
        [](const auto& u, const auto& v) {
            return sum(u * v * reduce(SoftMaximum{{0.5}}, u, axes<1>, keepdims)) + reduce(SoftMaximum{{0.5}}, u * v);
        },
        [&](const NdArray& a, const NdArray& b) {
            const auto product = [](double p, double q) { return p * q; };
            return over_rows([&](const Numbers& r, const Numbers& s) { return dot_reference(r, s) * soft(r); })(a, b) +
                   soft(map_reference(product, a, b).value);
        });
    check_gradient(
        target, "an op that counts", x, w,
        [](const auto& u, const auto&) {
            return sum(square(reduce(RootMeanSquare{}, u, axes<0>))) + reduce(Plus{}, u * u);
        },
        [&](const NdArray& a, const NdArray& b) {
            return over_columns([&](const Numbers& r, const Numbers&) { return std::pow(root(r), 2); })(a, b) +
                   dot_reference(a.value, a.value);
        });
    // The Hessian of a soft maximum times w, by a derivative of a derivative.
    Tensor<Target, double> x_data(x), w_data(w), slope(extent);
    const auto u = x_data.template const_view<"x", 2>();
    const auto first = gradient(reduce(SoftMaximum{{0.5}}, u), u);
    target.eval(slope.template view<"dx", 2>() = gradient(sum(first * w_data.template const_view<"w", 2>()), u));
    const auto expected = [&](const NdArray& a) {
        return dot_reference(softmax_numbers(each(a.value, [](double v) { return v / 0.5; })), w.value);
    };
    check_close(slope.read(), numeric_gradient(expected, x), 1e-7, 1e-8);
}

}  // namespace fuse::testing
