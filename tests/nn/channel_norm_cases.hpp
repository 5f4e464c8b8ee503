// SPDX-License-Identifier: Apache-2.0
//
// batch_norm, instance_norm and group_norm through a target, with all of their outputs, against loops in double.
#pragma once

#include <limits>

#include "fuse/nn.hpp"
#include "nn/numbers.hpp"

namespace fuse::testing {

/// Numbers of shape (channels), beside x as an array of its rank.
inline NdArray along_channels(const NdArray& values, std::size_t rank) {
    Extent extent(rank, 1);
    extent[1] = values.extent[0];
    return numbers(extent, values.value);
}
/// Of an array with extent 1 along all other axes, or of (n, channels): without those from the third on.
inline NdArray with_extent(const NdArray& values, const Extent& extent) {
    return numbers(extent, values.value);
}
inline NdArray normal_reference(const NdArray& x, const NdArray& mean, const NdArray& variance, double epsilon) {
    return map_reference([=](double e, double m, double v) { return (e - m) / std::sqrt(v + epsilon); }, x, mean,
                         variance);
}
inline NdArray rstd_reference(const NdArray& variance, double epsilon) {
    return map_reference([=](double v) { return 1 / std::sqrt(v + epsilon); }, variance);
}
inline NdArray affine_reference(const NdArray& x, const NdArray& scale, const NdArray& shift) {
    return map_reference([](double a, double b, double c) { return a * b + c; }, x, scale, shift);
}

/// All axes but the channels.
template <int Rank>
inline constexpr std::uint32_t batch_mask = ((1U << Rank) - 1U) & ~2U;
/// All axes but samples and channels, or groups.
template <int Rank>
inline constexpr std::uint32_t sample_mask = ((1U << Rank) - 1U) & ~3U;

struct BatchNormValues {
    NdArray output, plain, mean, rstd, running_mean, running_var, inference;
};
/// In training, the running statistics in place; and by these in use.
template <int Rank, class T, class Target>
BatchNormValues batch_norm_of(const Target& target, const NdArray& x_values, const NdArray& scale, const NdArray& shift,
                              const NdArray& old_mean, const NdArray& old_var) {
    const Extent& extent = x_values.extent;
    using S = compute_t<T>;
    const Extent channels{extent[1]};
    Tensor<Target, T> x_data(x_values);
    Tensor<Target, S> gamma_data(scale);
    Tensor<Target, S> beta_data(shift);
    Tensor<Target, S> running_mean(old_mean);
    Tensor<Target, S> running_var(old_var);
    Tensor<Target, S> mean(channels);
    Tensor<Target, S> rstd(channels);
    Tensor<Target, T> output(extent);
    Tensor<Target, T> plain(extent);
    Tensor<Target, T> inference(extent);
    const auto x = x_data.template const_view<"x", Rank>();
    const auto gamma = gamma_data.template const_view<"gamma", 1>();
    const auto beta = beta_data.template const_view<"beta", 1>();
    const auto run_mean = running_mean.template view<"run_mean", 1>();
    const auto run_var = running_var.template view<"run_var", 1>();
    const auto [y, m, r, new_mean, new_var] = batch_norm_training(x, gamma, beta, run_mean, run_var, 0.25, 1e-3);
    target.eval(output.template view<"y", Rank>() = y, mean.template view<"m", 1>() = m,
                rstd.template view<"r", 1>() = r, run_mean = new_mean, run_var = new_var);
    target.eval(plain.template view<"plain", Rank>() = batch_norm_training(x).output,
                inference.template view<"z", Rank>() = batch_norm(x, run_mean, run_var, gamma, beta));
    return {output.read(),       plain.read(),       mean.read(),     rstd.read(),
            running_mean.read(), running_var.read(), inference.read()};
}

template <int Rank, class T = float, class Target>
void check_batch_norm(const Target& target, const std::vector<Extent>& extents, double tolerance = 4e-6) {
    for (const Extent& extent : extents) {
        INFO("shape " << to_text(extent));
        const NdArray x = Tensor<Target, T>(random_reals(extent, -3, 5, 41)).read();
        const Extent channels{extent[1]};
        const NdArray gamma = random_floats(channels, 0.5, 2, 42);
        const NdArray beta = random_floats(channels, -1, 1, 43);
        const NdArray old_mean = random_floats(channels, -2, 2, 44);
        const NdArray old_var = random_floats(channels, 0.5, 2, 45);
        const BatchNormValues got = batch_norm_of<Rank, T>(target, x, gamma, beta, old_mean, old_var);

        const NdArray mean = reduce_reference(mean_reference, x, batch_mask<Rank>, true);
        const NdArray variance = reduce_reference(variance_reference, x, batch_mask<Rank>, true);
        const NdArray scale = along_channels(gamma, Rank);
        const NdArray shift = along_channels(beta, Rank);
        check_close(got.output, affine_reference(normal_reference(x, mean, variance, 1e-3), scale, shift), tolerance,
                    tolerance);
        check_close(got.plain, normal_reference(x, mean, variance, 1e-5), tolerance, tolerance);
        check_close(got.mean, with_extent(mean, channels), 2e-6, 2e-6);
        check_close(got.rstd, with_extent(rstd_reference(variance, 1e-3), channels), 4e-6);
        const double n = static_cast<double>(x.size()) / static_cast<double>(extent[1]);
        const NdArray new_mean = map_reference([](double old, double now) { return 0.75 * old + 0.25 * now; }, old_mean,
                                               with_extent(mean, channels));
        const NdArray new_var =
            map_reference([n](double old, double now) { return 0.75 * old + 0.25 * now * n / (n - 1); }, old_var,
                          with_extent(variance, channels));
        check_close(got.running_mean, new_mean, 4e-6, 2e-6);
        check_close(got.running_var, new_var, 4e-6);
        check_close(got.inference,
                    affine_reference(normal_reference(x, along_channels(got.running_mean, Rank),
                                                      along_channels(got.running_var, Rank), 1e-5),
                                     scale, shift),
                    tolerance, tolerance);
    }
}

/// A channel that is the same everywhere, one with a NaN, batches without elements, and one element alone.
template <class Target>
void check_batch_norm_edges(const Target& target) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const NdArray ones({3}, 1);
    const NdArray beta = numbers({3}, {-1, 0, 2});
    // Deviations of the first channel are 1; its root is that of 1 + eps.
    const NdArray x = numbers({2, 3}, {1, 5, nan, 3, 5, 0});
    const BatchNormValues got = batch_norm_of<2, float>(target, x, ones, beta, ones, ones);
    const double unit = 1 / std::sqrt(1 + 1e-3);
    check_close(got.output, numbers({2, 3}, {-unit - 1, 0, nan, unit - 1, 0, nan}), 1e-6, 1e-6);
    check_close(got.rstd, numbers({3}, {unit, 1 / std::sqrt(1e-3), nan}), 1e-6);
    check_close(got.running_mean, numbers({3}, {1.25, 2, nan}), 1e-6);
    check_close(got.running_var, numbers({3}, {1.25, 0.75, nan}), 1e-6);

    const BatchNormValues none = batch_norm_of<2, float>(target, NdArray({0, 3}), ones, beta, ones, ones);
    check_equal(none.mean, NdArray({3}, nan));
    check_equal(none.running_mean, ones);
    check_equal(none.running_var, ones);
    CHECK_THROWS_AS((batch_norm_of<2, float>(target, NdArray({1, 3}), ones, beta, ones, ones)), shape_error);
}

/// instance_norm of (n, channels, positions), with its statistics.
template <class Target>
void check_instance_norm(const Target& target) {
    for (const Extent& extent : {Extent{1, 1, 1}, Extent{2, 3, 1}, Extent{2, 3, 35}, Extent{3, 2, 1030}}) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_floats(extent, -3, 5, 51);
        const NdArray gamma = random_floats({extent[1]}, 0.5, 2, 52);
        const NdArray beta = random_floats({extent[1]}, -1, 1, 53);
        const Extent rows{extent[0], extent[1]};
        Tensor<Target, float> x_data(x);
        Tensor<Target, float> gamma_data(gamma);
        Tensor<Target, float> beta_data(beta);
        Tensor<Target, float> output(extent);
        Tensor<Target, float> plain(extent);
        Tensor<Target, float> mean(rows);
        Tensor<Target, float> rstd(rows);
        const auto v = x_data.template const_view<"x", 3>();
        const auto scale = gamma_data.template const_view<"gamma", 1>();
        const auto shift = beta_data.template const_view<"beta", 1>();
        const auto [y, m, r] = instance_norm_with_statistics(v, scale, shift, 1e-3);
        target.eval(output.template view<"y", 3>() = y, mean.template view<"m", 2>() = m,
                    rstd.template view<"r", 2>() = r, plain.template view<"plain", 3>() = instance_norm(v));
        const NdArray centre = reduce_reference(mean_reference, x, sample_mask<3>, true);
        const NdArray variance = reduce_reference(variance_reference, x, sample_mask<3>, true);
        check_close(output.read(),
                    affine_reference(normal_reference(x, centre, variance, 1e-3), along_channels(gamma, 3),
                                     along_channels(beta, 3)),
                    4e-6, 4e-6);
        // A single position has no deviation, and 0 / sqrt(eps) is 0.
        check_close(plain.read(), normal_reference(x, centre, variance, 1e-5), 4e-6, 4e-6);
        check_close(mean.read(), with_extent(centre, rows), 2e-6, 2e-6);
        check_close(rstd.read(), with_extent(rstd_reference(variance, 1e-3), rows), 4e-6);
    }
}

/// group_norm of views of shape (n, channels, height, width), whose groups are those of unflatten, and of an
/// expression.
template <class T = float, class Target>
void check_group_norm(const Target& target, double tolerance = 4e-6) {
    struct Case {
        Extent extent;
        index_t groups;
    };
    for (const auto& [extent, groups] : {Case{{1, 1, 1, 1}, 1}, Case{{2, 6, 3, 5}, 3}, Case{{2, 6, 3, 5}, 6},
                                         Case{{3, 4, 1, 1}, 1}, Case{{2, 8, 9, 17}, 2}}) {
        INFO("shape " << to_text(extent) << " in " << groups << " groups");
        const NdArray x = Tensor<Target, T>(random_reals(extent, -3, 5, 61)).read();
        const NdArray gamma = random_floats({extent[1]}, 0.5, 2, 62);
        const NdArray beta = random_floats({extent[1]}, -1, 1, 63);
        const Extent rows{extent[0], groups};
        const Extent grouped{extent[0], groups, extent[1] / groups, extent[2], extent[3]};
        Tensor<Target, T> x_data(x);
        Tensor<Target, float> gamma_data(gamma);
        Tensor<Target, float> beta_data(beta);
        Tensor<Target, T> output(extent);
        Tensor<Target, T> activated(extent);
        Tensor<Target, float> mean(rows);
        Tensor<Target, float> rstd(rows);
        const auto v = x_data.template const_view<"x", 4>();
        const auto scale = gamma_data.template const_view<"gamma", 1>();
        const auto shift = beta_data.template const_view<"beta", 1>();
        const auto [y, m, r] = group_norm_with_statistics(v, groups, scale, shift, 1e-3);
        target.eval(unflatten<1>(output.template view<"y", 4>(), groups, -1) = y, mean.template view<"m", 2>() = m,
                    rstd.template view<"r", 2>() = r,
                    unflatten<1>(activated.template view<"z", 4>(), groups, -1) = relu(group_norm(v, groups)));
        const NdArray g = with_extent(x, grouped);
        const NdArray centre = reduce_reference(mean_reference, g, sample_mask<5>, true);
        const NdArray variance = reduce_reference(variance_reference, g, sample_mask<5>, true);
        const NdArray normal = with_extent(normal_reference(g, centre, variance, 1e-3), extent);
        check_close(output.read(), affine_reference(normal, along_channels(gamma, 4), along_channels(beta, 4)),
                    tolerance, tolerance);
        check_close(activated.read(),
                    map_reference([](double e) { return e > 0 ? e : 0; },
                                  with_extent(normal_reference(g, centre, variance, 1e-5), extent)),
                    tolerance, tolerance);
        check_close(mean.read(), with_extent(centre, rows), 2e-6, 2e-6);
        check_close(rstd.read(), with_extent(rstd_reference(variance, 1e-3), rows), 4e-6);
    }
}

}  // namespace fuse::testing
