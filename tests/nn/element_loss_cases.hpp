// SPDX-License-Identifier: Apache-2.0
//
// Losses of single elements that fuse.hpp leaves to nn.hpp, by name through a target, against loops in double.
#pragma once

#include "fuse/nn.hpp"
#include "nn/tolerance.hpp"

namespace fuse::testing {

/// Operands that hold what is special: 0 and 1 among the probabilities, -infinity among their logarithms, counts of 0
/// and 1, variances of 0 and below, signs that are 0, large logits.
template <class T>
struct ElementOperands {
    NdArray x, z, p, q, log_p, count, variance, sign;

    explicit ElementOperands(const Extent& extent)
        : x(held<T>(random_reals(extent, -4, 4, 71))), z(held<T>(random_reals(extent, -4, 4, 72))),
          p(held<T>(random_reals(extent, 0, 1, 73))), q(held<T>(random_reals(extent, 0, 1, 74))), log_p(extent),
          count(random_integers(extent, 0, 6, 75)), variance(held<T>(random_reals(extent, 0.01, 3, 76))),
          sign(random_integers(extent, 0, 1, 77)) {
        for (std::size_t i = 0; i < x.value.size(); ++i) {
            if (i % 7 == 0) {
                p.value[i] = i % 2 == 0 ? 0 : 1;
                q.value[i] = i % 3 == 0 ? 0 : 1;
                x.value[i] *= 16;
                variance.value[i] = i % 2 == 0 ? 0 : -1;
            }
            sign.value[i] = i % 11 == 3 ? 0 : 2 * sign.value[i] - 1;
        }
        log_p = held<T>(map_reference([](double e) { return std::log(e); }, p));
    }
};

inline double smooth_l1_reference(double a, double b, double beta) {
    const double d = std::fabs(a - b);
    return d < beta ? d * d / (2 * beta) : d - beta / 2;
}
inline double binary_cross_entropy_reference(double a, double b) {
    return -(b * std::max(std::log(a), -100.0) + (1 - b) * std::max(std::log1p(-a), -100.0));
}
/// alpha < 0: without.
inline double focal_reference(double logit, double t, double alpha, double gamma) {
    const double p = 1 / (1 + std::exp(-logit));
    const double q = 1 / (1 + std::exp(logit));
    const double log_p = -std::log1p(std::exp(-std::fabs(logit))) + std::min(logit, 0.0);
    const double log_q = -std::log1p(std::exp(-std::fabs(logit))) - std::max(logit, 0.0);
    const double scale = alpha < 0 ? 1 : alpha * t + (1 - alpha) * (1 - t);
    return -scale * std::pow(p * (1 - t) + q * t, gamma) * (t * log_p + (1 - t) * log_q);
}
inline double stirling_reference(double n) {
    return n > 1 ? n * std::log(n) - n + std::log(2 * std::acos(-1.0) * n) / 2 : 0;
}
inline double gaussian_reference(double a, double b, double v, double eps) {
    const double variance = std::max(v, eps);
    return (std::log(variance) + (a - b) * (a - b) / variance) / 2;
}
inline double js_reference(double a, double b) {
    const double m = (a + b) / 2;
    return ((a > 0 ? a * std::log(a / m) : 0) + (b > 0 ? b * std::log(b / m) : 0)) / 2;
}

/// Of each element: what fits the operands of one kernel at a time.
template <class T, class Target>
void check_element_losses(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        const ElementOperands<T> data(extent);
        const auto& [x, z, p, q, log_p, count, variance, sign] = data;
        Tensor<Target, T> x_data(x), z_data(z), p_data(p), q_data(q), log_p_data(log_p), count_data(count),
            variance_data(variance), sign_data(sign);
        const auto u = x_data.template const_view<"x", 2>();
        const auto v = z_data.template const_view<"z", 2>();
        const auto a = p_data.template const_view<"p", 2>();
        const auto b = q_data.template const_view<"q", 2>();
        const auto l = log_p_data.template const_view<"l", 2>();
        const auto c = count_data.template const_view<"c", 2>();
        const auto w = variance_data.template const_view<"w", 2>();
        const auto y = sign_data.template const_view<"y", 2>();
        auto out = outputs<Target, Computed<T>>(7, extent);
        const auto check = [&](std::size_t i, const char* what, auto reference, double scale, const auto&... operands) {
            INFO(what);
            check_rounded<T>(out[i].read(), map_reference(reference, operands...), scale);
        };

        // Of other types than float: with numbers and options other than the defaults.
        const auto o = [&]<fixed_name N>(std::size_t i) { return out[i].template view<N, 2>(); };
        constexpr bool defaults = std::is_same_v<T, float>;
        const auto of_beta = o.template operator()<"o0">(0) = smooth_l1_loss(u, v, reduction::none, 0.25);
        const auto of_margin = o.template operator()<"o1">(1) = margin_ranking_loss(u, v, y, 0.5, reduction::none);
        const auto of_hinge = o.template operator()<"o2">(2) = hinge_embedding_loss(u, y, 0.25, reduction::none);
        if constexpr (defaults) {
            target.eval(of_beta, of_margin, of_hinge,
                        o.template operator()<"o3">(3) = smooth_l1_loss(u, v, reduction::none),
                        o.template operator()<"o4">(4) = smooth_l1_loss(u, v, reduction::none, 0.0),
                        o.template operator()<"o5">(5) = margin_ranking_loss(u, v, y, reduction::none),
                        o.template operator()<"o6">(6) = hinge_embedding_loss(u, y, reduction::none));
        } else {
            target.eval(of_beta, of_margin, of_hinge);
        }
        const auto check_smooth_l1 = [&](std::size_t i, double beta) {
            check(
                i, "smooth_l1_loss", [=](double e, double f) { return smooth_l1_reference(e, f, beta); }, 1, data.x,
                data.z);
        };
        const auto check_margin = [&](std::size_t i, double margin) {
            check(
                i, "margin_ranking_loss",
                [=](double e, double f, double t) { return std::max(0.0, margin - t * (e - f)); }, 1, data.x, data.z,
                data.sign);
        };
        const auto check_hinge = [&](std::size_t i, double margin) {
            check(
                i, "hinge_embedding_loss",
                [=](double e, double t) { return (t != -1 ? e : 0) + (t != 1 ? std::max(0.0, margin - e) : 0); }, 1,
                data.x, data.sign);
        };
        check_smooth_l1(0, 0.25);
        check_margin(1, 0.5);
        check_hinge(2, 0.25);
        if (defaults) {
            check_smooth_l1(3, 1);
            check_smooth_l1(4, 0);
            check_margin(5, 0);
            check_hinge(6, 1);
        }

        const auto of_weights = o.template operator()<"o0">(0) = binary_cross_entropy(a, b, w, reduction::none);
        const auto of_both = o.template operator()<"o1">(1) = js_div(a, b, reduction::none);
        const auto of_logarithms = o.template operator()<"o2">(2) = kl_div(v, l, reduction::none, loss::log_target);
        const auto of_power = o.template operator()<"o3">(3) = sigmoid_focal_loss(u, b, 0.75, 1.5);
        if constexpr (defaults) {
            target.eval(of_weights, of_both, of_logarithms, of_power,
                        o.template operator()<"o4">(4) = binary_cross_entropy(a, b, reduction::none),
                        o.template operator()<"o5">(5) = sigmoid_focal_loss(u, b),
                        o.template operator()<"o6">(6) = sigmoid_focal_loss(u, b, -1, 0));
        } else {
            target.eval(of_weights, of_both, of_logarithms, of_power);
        }
        check(
            0, "binary_cross_entropy, weighted",
            [](double e, double f, double g) { return g * binary_cross_entropy_reference(e, f); }, 1, p, q, variance);
        check(1, "js_div", js_reference, 1, p, q);
        check(
            2, "kl_div of logarithms", [](double e, double f) { return std::isinf(f) ? 0 : std::exp(f) * (f - e); }, 4,
            z, log_p);
        check(
            3, "sigmoid_focal_loss, 1.5", [](double e, double f) { return focal_reference(e, f, 0.75, 1.5); }, 1, x, q);
        if (defaults) {
            check(4, "binary_cross_entropy", binary_cross_entropy_reference, 1, p, q);
            check(
                5, "sigmoid_focal_loss", [](double e, double f) { return focal_reference(e, f, 0.25, 2); }, 1, x, q);
            check(
                6, "sigmoid_focal_loss, 0", [](double e, double f) { return focal_reference(e, f, -1, 0); }, 1, x, q);
        }

        const auto of_counts = o.template operator()<"o0">(0) = poisson_nll_loss(v, c, reduction::none, loss::full);
        const auto of_rates = o.template operator()<"o1">(1) =
            poisson_nll_loss(b, c, 1e-3, reduction::none, loss::log_input<false>, loss::full);
        const auto of_variances = o.template operator()<"o2">(2) =
            gaussian_nll_loss(v, b, w, 0.5, loss::full, reduction::none);
        if constexpr (defaults) {
            target.eval(of_counts, of_rates, of_variances,
                        o.template operator()<"o3">(3) = poisson_nll_loss(v, c, reduction::none),
                        o.template operator()<"o4">(4) =
                            poisson_nll_loss(b, c, loss::log_input<false>, reduction::none),
                        o.template operator()<"o5">(5) = gaussian_nll_loss(v, b, w, reduction::none));
        } else {
            target.eval(of_counts, of_rates, of_variances);
        }
        check(
            0, "poisson_nll_loss, full", [](double e, double n) { return std::exp(e) - n * e + stirling_reference(n); },
            24, z, count);
        check(
            1, "poisson_nll_loss of a rate, full",
            [](double e, double n) { return e - n * std::log(e + 1e-3) + stirling_reference(n); }, 12, q, count);
        check(
            2, "gaussian_nll_loss, full",
            [](double e, double f, double g) {
                return gaussian_reference(e, f, g, 0.5) + std::log(2 * std::acos(-1.0)) / 2;
            },
            8, z, q, variance);
        if (defaults) {
            check(
                3, "poisson_nll_loss", [](double e, double n) { return std::exp(e) - n * e; }, 24, z, count);
            check(
                4, "poisson_nll_loss of a rate", [](double e, double n) { return e - n * std::log(e + 1e-8); }, 1, q,
                count);
            check(
                5, "gaussian_nll_loss", [](double e, double f, double g) { return gaussian_reference(e, f, g, 1e-6); },
                8, z, q, variance);
        }
    }
}

/// Their means, which are the defaults, and sums.
template <class Target>
void check_element_loss_totals(const Target& target) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        const ElementOperands<float> data(extent);
        const auto& [x, z, p, q, log_p, count, variance, sign] = data;
        Tensor<Target, float> z_data(z), p_data(p), q_data(q), log_p_data(log_p), count_data(count),
            variance_data(variance), sign_data(sign);
        const auto v = z_data.template const_view<"z", 2>();
        const auto a = p_data.template const_view<"p", 2>();
        const auto b = q_data.template const_view<"q", 2>();
        const auto l = log_p_data.template const_view<"l", 2>();
        const auto c = count_data.template const_view<"c", 2>();
        const auto w = variance_data.template const_view<"w", 2>();
        const auto y = sign_data.template const_view<"y", 2>();
        const auto total = [](auto reference, const auto&... operands) {
            return sum_reference(map_reference(reference, operands...).value);
        };
        const double n = static_cast<double>(size_of(extent));
        const auto check = [](const char* what, float got, double expected, double scale = 1) {
            INFO(what);
            check_rounded<float>(got, expected, scale, 64);
        };
        const double smooth = total([](double e, double f) { return smooth_l1_reference(e, f, 1); }, z, q);
        const double smooth_half = total([](double e, double f) { return smooth_l1_reference(e, f, 0.5); }, z, q);
        const double bce = total(binary_cross_entropy_reference, p, q);
        const double js = total(js_reference, p, q);
        const double kl = total([](double e, double f) { return std::isinf(f) ? 0 : std::exp(f) * (f - e); }, z, log_p);
        const double focal = total([](double e, double f) { return focal_reference(e, f, 0.25, 2); }, z, q);
        const double poisson = total([](double e, double k) { return std::exp(e) - k * e; }, z, count);
        const double gaussian =
            total([](double e, double f, double g) { return gaussian_reference(e, f, g, 1e-6); }, z, q, variance);
        const double ranking =
            total([](double e, double f, double t) { return std::max(0.0, -t * (e - f)); }, z, q, sign);
        const double hinge =
            total([](double e, double t) { return (t != -1 ? e : 0) + (t != 1 ? std::max(0.0, 1 - e) : 0); }, z, sign);
        const auto [smooth_mean, smooth_half_mean, bce_mean, bce_sum, js_row, kl_mean, kl_row, kl_sum] =
            target.value(smooth_l1_loss(v, b), smooth_l1_loss(v, b, 0.5), binary_cross_entropy(a, b),
                         binary_cross_entropy(a, b, reduction::sum), js_div(a, b, reduction::batchmean),
                         kl_div(v, l, loss::log_target), kl_div(v, l, reduction::batchmean, loss::log_target),
                         kl_div(v, l, reduction::sum, loss::log_target));
        check("smooth_l1_loss", smooth_mean, smooth / n);
        check("smooth_l1_loss, 0.5", smooth_half_mean, smooth_half / n);
        check("binary_cross_entropy", bce_mean, bce / n);
        check("binary_cross_entropy, sum", bce_sum, bce, n);
        check("js_div", js_row, js / static_cast<double>(extent[0]));
        check("kl_div", kl_mean, kl / n, 4);
        check("kl_div, batchmean", kl_row, kl / static_cast<double>(extent[0]), 4 * static_cast<double>(extent[1]));
        check("kl_div, sum", kl_sum, kl, 4 * n);
        const auto [js_mean, focal_mean, poisson_mean, poisson_sum, gaussian_mean, ranking_mean, hinge_mean] =
            target.value(js_div(a, b), sigmoid_focal_loss(v, b, reduction::mean), poisson_nll_loss(v, c),
                         poisson_nll_loss(v, c, reduction::sum), gaussian_nll_loss(v, b, w),
                         margin_ranking_loss(v, b, y), hinge_embedding_loss(v, y));
        check("js_div, mean", js_mean, js / n);
        check("sigmoid_focal_loss", focal_mean, focal / n);
        check("poisson_nll_loss", poisson_mean, poisson / n, 24);
        check("poisson_nll_loss, sum", poisson_sum, poisson, 24 * n);
        check("gaussian_nll_loss", gaussian_mean, gaussian / n);
        check("margin_ranking_loss", ranking_mean, ranking / n, 4);
        check("hinge_embedding_loss", hinge_mean, hinge / n, 4);
    }
}

}  // namespace fuse::testing
