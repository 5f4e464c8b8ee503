// SPDX-License-Identifier: Apache-2.0
//
// The norms and statistics of the catalogue and their gradients against PyTorch, by the groups of autograd_values.txt.
#pragma once

#include "nn/autograd.hpp"

namespace fuse::testing {

template <class Target>
void check_autograd_of_softmaxes(const Target& target) {
    AutogradGroup group(target, "softmaxes");
    group.template check<Real<2>>("softmax", [](double temperature, const auto& a) { return softmax(a, temperature); });
    group.template check<Real<3>>("softmax, axis", [](double, const auto& a) { return softmax(a, axes<1>); });
    group.template check<Real<2>>("log_softmax",
                                  [](double temperature, const auto& a) { return log_softmax(a, temperature); });
    group.template check_both<Real<2>>("softmin", [](double, const auto& a) { return softmin(a, axes<0>); });
    group.template check<Real<2>, Fixed<2>>(
        "masked_softmax", [](double, const auto& a, const auto& b) { return masked_softmax(a, b >= 0.3); });
    group.template check<Real<3>>("causal_softmax", [](double diagonal, const auto& a) {
        return causal_softmax(a, static_cast<index_t>(diagonal));
    });
}

template <class Target>
void check_autograd_of_row_norms(const Target& target) {
    AutogradGroup group(target, "row_norms");
    group.template check<Real<2>, Real<1>, Real<1>>(
        "layer_norm", [](double eps, const auto& a, const auto& b, const auto& c) { return layer_norm(a, b, c, eps); });
    group.template check<Real<3>>("layer_norm, axes", [](double, const auto& a) { return layer_norm(a, axes<1, 2>); });
    group.template check_both<Real<2>, Real<1>>(
        "rms_norm", [](double eps, const auto& a, const auto& b) { return rms_norm(a, b, eps); });
    group.template check<Real<2>, Real<2>, Real<1>, Real<1>>(
        "add_layer_norm", [](double, const auto& a, const auto& b, const auto& c, const auto& d) {
            return add_layer_norm(a, b, c, d).output;
        });
    group.template check<Real<2>, Real<2>>(
        "add_rms_norm", [](double eps, const auto& a, const auto& b) { return add_rms_norm(a, b, eps).output; });
    group.template check<Real<2>>("layer_norm_with_statistics, rstd",
                                  [](double eps, const auto& a) { return layer_norm_with_statistics(a, eps).rstd; });
}

template <class Target>
void check_autograd_of_scalings(const Target& target) {
    AutogradGroup group(target, "scalings");
    group.template check<Real<2>>("l2_normalize", [](double, const auto& a) { return l2_normalize(a); });
    group.template check<Real<2>, Real<2>>(
        "cosine_similarity", [](double, const auto& a, const auto& b) { return cosine_similarity(a, b); });
    group.template check<Real<2>>("standardize", [](double, const auto& a) { return standardize<1>(a); });
    group.template check<Real<2>>("minmax_scale",
                                  [](double high, const auto& a) { return minmax_scale(a, axes<0>, 0.5, high); });
    group.template check<Real<2>>("clip_grad_norm",
                                  [](double longest, const auto& a) { return clip_grad_norm(a, longest).output; });
}

template <class Target>
void check_autograd_of_channel_norms(const Target& target) {
    AutogradGroup group(target, "channel_norms");
    group.template check<Real<3>, Real<1>, Real<1>, Real<1>, Real<1>>(
        "batch_norm", [](double eps, const auto& a, const auto& mean, const auto& var, const auto& gamma,
                         const auto& beta) { return batch_norm(a, mean, var, gamma, beta, eps); });
    group.template check<Real<3>, Real<1>, Real<1>>("batch_norm_training",
                                                    [](double eps, const auto& a, const auto& gamma, const auto& beta) {
                                                        return batch_norm_training(a, gamma, beta, eps).output;
                                                    });
    group.template check<Real<3>, Fixed<1>>("batch_norm_training, running_var",
                                            [](double momentum, const auto& a, const auto& var) {
                                                return batch_norm_training(a, var, var, var, var, momentum).running_var;
                                            });
    group.template check<Real<3>, Real<1>, Real<1>>("instance_norm",
                                                    [](double eps, const auto& a, const auto& gamma, const auto& beta) {
                                                        return instance_norm(a, gamma, beta, eps);
                                                    });
}

template <class Target>
void check_autograd_of_group_norms(const Target& target) {
    AutogradGroup group(target, "group_norms");
    group.template check<Real<3>, Real<1>, Real<1>>("group_norm",
                                                    [](double eps, const auto& a, const auto& gamma, const auto& beta) {
                                                        return group_norm(a, 2, gamma, beta, eps);
                                                    });
    group.template check<Real<4>>("group_norm, groups", [](double, const auto& a) { return group_norm(a); });
}

template <class Target>
void check_autograd_of_statistics(const Target& target) {
    AutogradGroup group(target, "statistics");
    group.template check<Real<2>, Real<2>>(
        "covariance", [](double, const auto& a, const auto& b) { return covariance<1>(a, b, axes<1>); });
    group.template check<Real<2>, Real<2>>(
        "correlation", [](double, const auto& a, const auto& b) { return correlation(a, b, axes<1>); });
    group.template check<Real<2>>("skewness", [](double, const auto& a) { return skewness(a, axes<1>); });
    group.template check<Real<2>>("kurtosis", [](double, const auto& a) { return kurtosis(a, axes<0>); });
}

}  // namespace fuse::testing
