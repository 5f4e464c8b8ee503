// SPDX-License-Identifier: Apache-2.0
//
// The losses of the catalogue and their gradients against PyTorch, by the groups of autograd_values.txt.
#pragma once

#include "nn/autograd.hpp"

namespace fuse::testing {

template <class Target>
void check_autograd_of_differences(const Target& target) {
    AutogradGroup group(target, "differences");
    group.template check<Real<2>, Real<2>>(
        "mse_loss", [](double, const auto& a, const auto& b) { return mse_loss(a, b, reduction::none); });
    group.template check_both<Real<2>, Real<1>>("mse_loss, mean",
                                                [](double, const auto& a, const auto& b) { return mse_loss(a, b); });
    group.template check<Real<2>, Real<2>>(
        "l1_loss", [](double, const auto& a, const auto& b) { return l1_loss(a, b, reduction::none); });
    group.template check<Real<2>, Real<2>>("huber_loss", [](double delta, const auto& a, const auto& b) {
        return huber_loss(a, b, reduction::none, delta);
    });
    group.template check<Real<2>, Real<2>>("smooth_l1_loss", [](double beta, const auto& a, const auto& b) {
        return smooth_l1_loss(a, b, reduction::none, beta);
    });
    group.template check<Real<2>, Real<2>, Fixed<2>>(
        "margin_ranking_loss", [](double margin, const auto& a, const auto& b, const auto& sign) {
            return margin_ranking_loss(a, b, sign, margin, reduction::none);
        });
    group.template check<Real<2>, Fixed<2>>("hinge_embedding_loss", [](double margin, const auto& a, const auto& sign) {
        return hinge_embedding_loss(a, sign, margin, reduction::none);
    });
}

template <class Target>
void check_autograd_of_likelihoods(const Target& target) {
    AutogradGroup group(target, "likelihoods");
    group.template check<Real<2>, Real<2>>(
        "binary_cross_entropy_with_logits",
        [](double, const auto& a, const auto& b) { return binary_cross_entropy_with_logits(a, b, reduction::none); });
    group.template check<Real<2>, Real<2>>("binary_cross_entropy", [](double, const auto& a, const auto& b) {
        return binary_cross_entropy(a, b, reduction::none);
    });
    group.template check<Real<2>, Fixed<2>>("binary_cross_entropy, 0 and 1", [](double, const auto& a, const auto& b) {
        return binary_cross_entropy(a, b, reduction::none);
    });
    group.template check<Real<2>, Real<2>, Real<1>>(
        "binary_cross_entropy, weight, mean",
        [](double, const auto& a, const auto& b, const auto& w) { return binary_cross_entropy(a, b, w); });
    group.template check<Real<2>, Real<2>>("sigmoid_focal_loss", [](double alpha, const auto& a, const auto& b) {
        return sigmoid_focal_loss(a, b, alpha);
    });
    group.template check<Real<2>, Real<2>>("sigmoid_focal_loss, gamma", [](double gamma, const auto& a, const auto& b) {
        return sigmoid_focal_loss(a, b, 0.75, gamma);
    });
    group.template check<Real<2>, Real<2>>("poisson_nll_loss, full", [](double, const auto& a, const auto& b) {
        return poisson_nll_loss(a, b, loss::full, reduction::none);
    });
    group.template check<Real<2>, Real<2>>("poisson_nll_loss, counts", [](double eps, const auto& a, const auto& b) {
        return poisson_nll_loss(a, b, eps, loss::log_input<false>, reduction::none);
    });
    group.template check<Real<2>, Real<2>, Real<2>>(
        "gaussian_nll_loss, full, sum", [](double eps, const auto& a, const auto& b, const auto& var) {
            return gaussian_nll_loss(a, b, var, eps, loss::full, reduction::sum);
        });
}

template <class Target>
void check_autograd_of_divergences(const Target& target) {
    AutogradGroup group(target, "divergences");
    group.template check<Real<2>, Real<2>>(
        "kl_div, batchmean", [](double, const auto& a, const auto& b) { return kl_div(a, b, reduction::batchmean); });
    group.template check<Real<2>, Real<2>>("kl_div, log_target", [](double, const auto& a, const auto& b) {
        return kl_div(a, b, reduction::none, loss::log_target);
    });
    group.template check<Real<2>, Real<2>>(
        "js_div", [](double, const auto& a, const auto& b) { return js_div(a, b, reduction::none); });
    group.template check<Real<2>>("info_nce",
                                  [](double temperature, const auto& a) { return info_nce(a, temperature); });
    group.template check<Real<2>, Real<2>>("distillation_loss", [](double temperature, const auto& a, const auto& b) {
        return distillation_loss(a, b, temperature, reduction::none);
    });
    group.template check<Real<2>, Real<2>>(
        "dice_loss", [](double, const auto& a, const auto& b) { return dice_loss(a, b, reduction::none); });
    group.template check<Real<3>, Real<3>>("dice_loss, axes, mean", [](double eps, const auto& a, const auto& b) {
        return dice_loss(a, b, axes<1, 2>, reduction::mean, eps);
    });
}

template <class Target>
void check_autograd_of_classes(const Target& target) {
    AutogradGroup group(target, "classes");
    group.template check<Real<3>, Classes<2>>(
        "nll_loss", [](double, const auto& a, const auto& t) { return nll_loss(a, t, reduction::none); });
    group.template check<Real<2>, Classes<1>, Real<1>>(
        "nll_loss, weight, mean",
        [](double, const auto& a, const auto& t, const auto& w) { return nll_loss(a, t, w); });
    group.template check<Real<2>, Classes<1>>("cross_entropy, mean",
                                              [](double, const auto& a, const auto& t) { return cross_entropy(a, t); });
    group.template check_both<Real<3>, Classes<2>>(
        "cross_entropy", [](double, const auto& a, const auto& t) { return cross_entropy(a, t, reduction::none); });
    group.template check<Real<2>, Classes<1>, Real<1>>(
        "cross_entropy, weight, mean",
        [](double, const auto& a, const auto& t, const auto& w) { return cross_entropy(a, t, w); });
}

/// With options.
template <class Target>
void check_autograd_of_smoothed_classes(const Target& target) {
    AutogradGroup group(target, "smoothed_classes");
    group.template check<Real<2>, Classes<1>, Real<1>>(
        "cross_entropy, weight, label_smoothing", [](double part, const auto& a, const auto& t, const auto& w) {
            return cross_entropy(a, t, w, loss::label_smoothing(part), reduction::none);
        });
    group.template check<Real<2>, Classes<1>>("cross_entropy, z_loss, sum",
                                              [](double coefficient, const auto& a, const auto& t) {
                                                  return cross_entropy(a, t, loss::z_loss(coefficient), reduction::sum);
                                              });
    group.template check<Real<2>, Real<2>>("cross_entropy, probabilities, mean",
                                           [](double, const auto& a, const auto& p) { return cross_entropy(a, p); });
    group.template check<Real<3>, Real<3>, Real<1>>("cross_entropy, probabilities, weight, label_smoothing",
                                                    [](double part, const auto& a, const auto& p, const auto& w) {
                                                        return cross_entropy(a, p, w, loss::label_smoothing(part),
                                                                             reduction::none);
                                                    });
}

template <class Target>
void check_autograd_of_embeddings(const Target& target) {
    AutogradGroup group(target, "embeddings");
    group.template check<Real<2>, Real<2>, Fixed<1>>(
        "cosine_embedding_loss", [](double margin, const auto& a, const auto& b, const auto& sign) {
            return cosine_embedding_loss(a, b, sign, margin, reduction::none);
        });
    group.template check<Real<2>, Real<2>, Real<2>>("triplet_margin_loss",
                                                    [](double margin, const auto& a, const auto& b, const auto& c) {
                                                        return triplet_margin_loss(a, b, c, margin, reduction::none);
                                                    });
    group.template check<Real<2>, Real<2>, Real<2>>(
        "triplet_margin_loss, p = 1, swap", [](double margin, const auto& a, const auto& b, const auto& c) {
            return triplet_margin_loss<1>(a, b, c, margin, loss::swap, reduction::none);
        });
    group.template check<Real<2>, Real<2>, Real<2>>("triplet_margin_loss, p = 3",
                                                    [](double margin, const auto& a, const auto& b, const auto& c) {
                                                        return triplet_margin_loss<3>(a, b, c, margin, reduction::none);
                                                    });
}

}  // namespace fuse::testing
