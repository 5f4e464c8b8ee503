// SPDX-License-Identifier: Apache-2.0
//
// Norms of rows with more than one output through a target, against loops in double: layer_norm and rms_norm with their
// statistics, and of a sum that is an output as well.
#pragma once

#include <limits>

#include "fuse/nn.hpp"
#include "nn/numbers.hpp"

namespace fuse::testing {

inline NdArray layer_norm_reference(const NdArray& x, double epsilon) {
    return map_reference([=](double e, double m, double v) { return (e - m) / std::sqrt(v + epsilon); }, x,
                         reduce_reference(mean_reference, x, 0b10, true),
                         reduce_reference(variance_reference, x, 0b10, true));
}
/// 1 / sqrt(mean(x^2) + epsilon) of each row.
inline NdArray root_reference(const NdArray& x, double epsilon, bool keep) {
    return map_reference([=](double m) { return 1 / std::sqrt(m + epsilon); },
                         reduce_reference(mean_reference, squares(x), 0b10, keep));
}

/// Both norms and their statistics are outputs of one eval, rows of one element and of zeros among the shapes.
template <class T = float, class Target>
void check_norms_with_statistics(const Target& target, double tolerance = 4e-6) {
    std::vector<Extent> extents = nn_extents;
    extents.push_back({0, 5});
    for (const Extent& extent : extents) {
        INFO("shape " << to_text(extent));
        const NdArray x = Tensor<Target, T>(random_reals(extent, -3, 5, 71)).read();
        const NdArray gamma = random_floats({extent[1]}, 0.5, 2, 72);
        const NdArray beta = random_floats({extent[1]}, -1, 1, 73);
        const Extent rows{extent[0]};
        Tensor<Target, T> x_data(x);
        Tensor<Target, float> gamma_data(gamma);
        Tensor<Target, float> beta_data(beta);
        Tensor<Target, T> layer(extent);
        Tensor<Target, T> rms(extent);
        Tensor<Target, float> mean(rows);
        Tensor<Target, float> rstd(rows);
        Tensor<Target, float> root(Extent{extent[0], 1});
        const auto v = x_data.template const_view<"x", 2>();
        const auto g = gamma_data.template const_view<"gamma", 1>();
        const auto b = beta_data.template const_view<"beta", 1>();
        const auto [y, m, r] = layer_norm_with_statistics(v, g, b, 1e-3);
        const auto [z, q] = rms_norm_with_statistics(v, g, 1e-3);
        target.eval(layer.template view<"y", 2>() = y, mean.template view<"m", 1>() = m,
                    rstd.template view<"r", 1>() = r, rms.template view<"z", 2>() = z,
                    root.template view<"q", 2>() = q);
        const auto affine = [](double a, double s, double t) { return a * s + t; };
        const auto product = [](double a, double s, double t) { return a * s * t; };
        check_close(layer.read(), map_reference(affine, layer_norm_reference(x, 1e-3), gamma, beta), tolerance,
                    tolerance);
        check_close(mean.read(), reduce_reference(mean_reference, x, 0b10), 2e-6, 2e-6);
        const NdArray variance = reduce_reference(variance_reference, x, 0b10);
        check_close(rstd.read(), map_reference([](double e) { return 1 / std::sqrt(e + 1e-3); }, variance), 4e-6);
        check_close(rms.read(), map_reference(product, x, root_reference(x, 1e-3, true), gamma), tolerance, tolerance);
        check_close(root.read(), root_reference(x, 1e-3, true), 2e-6);
    }
}

/// Layer norms that have a scale and no bias: their statistics, those of a sum, with an eps and along other axes.
template <class T = float, class Target>
void check_layer_norms_without_bias(const Target& target, double tolerance = 4e-6) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        const NdArray x = Tensor<Target, T>(random_reals(extent, -3, 5, 78)).read();
        const NdArray residual = Tensor<Target, T>(random_reals(extent, -5, 3, 79)).read();
        const NdArray gamma = random_floats({extent[1]}, 0.5, 2, 80);
        Tensor<Target, T> x_data(x), residual_data(residual);
        Tensor<Target, float> gamma_data(gamma);
        Tensor<Target, compute_t<T>> plain(extent), with_eps(extent), columns(extent), of_sum(extent),
            of_sum_eps(extent);
        Tensor<Target, compute_t<T>> beside(extent), mean(Extent{extent[0]}), rstd(Extent{extent[0]}), sum_data(extent);
        const auto v = x_data.template const_view<"x", 2>();
        const auto s = residual_data.template const_view<"s", 2>();
        const auto g = gamma_data.template const_view<"gamma", 1>();
        const auto [y, m, r] = layer_norm_with_statistics(v, g, 1e-3);
        target.eval(plain.template view<"plain", 2>() = layer_norm(v, g),
                    with_eps.template view<"eps", 2>() = layer_norm(v, g, 0.25), beside.template view<"y", 2>() = y,
                    mean.template view<"m", 1>() = m, rstd.template view<"r", 1>() = r);
        target.eval(columns.template view<"columns", 2>() = layer_norm(v, g, axes<0>, 0.25));
        const auto [z, z_sum] = add_layer_norm(v, s, g);
        target.eval(of_sum.template view<"z", 2>() = z, sum_data.template view<"t", 2>() = z_sum,
                    of_sum_eps.template view<"w", 2>() = add_layer_norm(v, s, g, axes<1>, 0.25).output);

        const auto times = [](double a, double b) { return a * b; };
        const auto scaled = [&](const NdArray& of, double epsilon) {
            return map_reference(times, layer_norm_reference(of, epsilon), gamma);
        };
        check_close(plain.read(), scaled(x, 1e-5), tolerance, tolerance);
        check_close(with_eps.read(), scaled(x, 0.25), tolerance, tolerance);
        check_close(beside.read(), scaled(x, 1e-3), tolerance, tolerance);
        check_close(mean.read(), reduce_reference(mean_reference, x, 0b10), tolerance, tolerance);
        const NdArray variance = reduce_reference(variance_reference, x, 0b10);
        check_close(rstd.read(), map_reference([](double e) { return 1 / std::sqrt(e + 1e-3); }, variance), tolerance);
        const NdArray sum = map_reference([](double a, double b) { return a + b; }, x, residual);
        check_close(sum_data.read(), sum, tolerance, tolerance);
        check_close(of_sum.read(), scaled(sum, 1e-5), tolerance, tolerance);
        check_close(of_sum_eps.read(), scaled(sum, 0.25), tolerance, tolerance);
        const NdArray down = map_reference(
            [](double e, double mid, double square) { return (e - mid) / std::sqrt(square + 0.25); }, x,
            reduce_reference(mean_reference, x, 0b01, true), reduce_reference(variance_reference, x, 0b01, true));
        check_close(columns.read(), map_reference(times, down, gamma), tolerance, tolerance);
    }
}

/// The residual in place: it becomes the sum.
template <class T = float, class Target>
void check_norms_of_sums(const Target& target, double tolerance = 4e-6) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        const NdArray x = Tensor<Target, T>(random_reals(extent, -3, 5, 74)).read();
        const NdArray residual = Tensor<Target, T>(random_reals(extent, -5, 3, 75)).read();
        const NdArray gamma = random_floats({extent[1]}, 0.5, 2, 76);
        const NdArray beta = random_floats({extent[1]}, -1, 1, 77);
        Tensor<Target, T> x_data(x);
        Tensor<Target, T> residual_data(residual);
        Tensor<Target, float> gamma_data(gamma);
        Tensor<Target, float> beta_data(beta);
        Tensor<Target, T> layer(extent);
        Tensor<Target, T> layer_sum(extent);
        Tensor<Target, T> rms(extent);
        const auto v = x_data.template const_view<"x", 2>();
        const auto s = residual_data.template view<"s", 2>();
        const auto g = gamma_data.template const_view<"gamma", 1>();
        const auto [y, y_sum] = add_layer_norm(v, s, g, beta_data.template const_view<"beta", 1>());
        target.eval(layer.template view<"y", 2>() = y, layer_sum.template view<"t", 2>() = y_sum);
        const auto [z, z_sum] = add_rms_norm(v, s, g);
        target.eval(rms.template view<"z", 2>() = z, s = z_sum);

        const NdArray sum = map_reference([](double a, double b) { return a + b; }, x, residual);
        const auto affine = [](double a, double c, double t) { return a * c + t; };
        const auto product = [](double a, double c, double t) { return a * c * t; };
        check_close(layer.read(), map_reference(affine, layer_norm_reference(sum, 1e-5), gamma, beta), tolerance,
                    tolerance);
        const double epsilon = std::numeric_limits<compute_t<T>>::epsilon();
        check_close(rms.read(), map_reference(product, sum, root_reference(sum, epsilon, true), gamma), tolerance,
                    tolerance);
        const NdArray stored = Tensor<Target, T>(sum).read();
        check_close(layer_sum.read(), stored, tolerance / 4, tolerance / 4);
        check_close(residual_data.read(), stored, tolerance / 4, tolerance / 4);
    }
}

}  // namespace fuse::testing
