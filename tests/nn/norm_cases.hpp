// SPDX-License-Identifier: Apache-2.0
//
// softmax and every norm by its own name through a target, against loops in double. A formula is evaluated at one
// place, by a function from numbers to numbers: other data costs no compile time.
#pragma once

#include <limits>

#include "nn/numbers.hpp"

namespace fuse::testing {

struct SoftmaxValues {
    NdArray soft, log;
};
template <class Target>
SoftmaxValues softmax_of(const Target& target, const NdArray& values) {
    Tensor<Target, float> x_data(values);
    Tensor<Target, float> soft(values.extent);
    Tensor<Target, float> log(values.extent);
    const auto x = x_data.template const_view<"x", 2>();
    target.eval(soft.template view<"soft", 2>() = softmax(x), log.template view<"log", 2>() = log_softmax(x));
    return {soft.read(), log.read()};
}

struct NormValues {
    NdArray layer, layer_epsilon, layer_plain, layer_scaled, rms, rms_scaled, l2, similarity;
};
template <class Target>
NormValues norms_of(const Target& target, const NdArray& x_values, const NdArray& z_values, const NdArray& scale,
                    const NdArray& shift) {
    const Extent& extent = x_values.extent;
    Tensor<Target, float> x_data(x_values);
    Tensor<Target, float> z_data(z_values);
    Tensor<Target, float> gamma_data(scale);
    Tensor<Target, float> beta_data(shift);
    Tensor<Target, float> layer(extent);
    Tensor<Target, float> layer_epsilon(extent);
    Tensor<Target, float> layer_plain(extent);
    Tensor<Target, float> layer_scaled(extent);
    Tensor<Target, float> rms(extent);
    Tensor<Target, float> rms_scaled(extent);
    Tensor<Target, float> l2(extent);
    Tensor<Target, float> similarity(Extent{extent[0]});
    const auto x = x_data.template const_view<"x", 2>();
    const auto z = z_data.template const_view<"z", 2>();
    const auto gamma = gamma_data.template const_view<"gamma", 1>();
    const auto beta = beta_data.template const_view<"beta", 1>();
    target.eval(layer.template view<"layer", 2>() = layer_norm(x, gamma, beta),
                layer_epsilon.template view<"epsilon", 2>() = layer_norm(x, gamma, beta, 0.25),
                layer_plain.template view<"plain", 2>() = layer_norm(x, 0.5),
                layer_scaled.template view<"scaled", 2>() = layer_norm(x, gamma));
    target.eval(
        rms.template view<"rms", 2>() = rms_norm(x), rms_scaled.template view<"scaled", 2>() = rms_norm(x, gamma, 0.5),
        l2.template view<"l2", 2>() = l2_normalize(x), similarity.template view<"s", 1>() = cosine_similarity(x, z));
    return {layer.read(), layer_epsilon.read(), layer_plain.read(), layer_scaled.read(),
            rms.read(),   rms_scaled.read(),    l2.read(),          similarity.read()};
}

/// Also of numbers whose exp no float holds, and of rows that are masked, in part or altogether.
template <class Target>
void check_softmax_by_name(const Target& target) {
    for (const Extent& extent : nn_extents) {
        for (const double low : {-4.0, 80.0}) {
            INFO("shape " << to_text(extent) << " from " << low);
            const NdArray x = random_floats(extent, low, low < 0 ? 4 : 120, 31);
            const SoftmaxValues got = softmax_of(target, x);
            const NdArray logs = map_reference([](double e, double l) { return e - l; }, x,
                                               reduce_reference(logsumexp_reference, x, 0b10, true));
            check_close(got.log, logs, 2e-6, 2e-6);
            check_close(got.soft, map_reference([](double l) { return std::exp(l); }, logs), low < 0 ? 2e-6 : 1e-6,
                        low < 0 ? 0 : 1e-7);
        }
    }
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const SoftmaxValues masked = softmax_of(target, numbers({2, 3}, {0, -inf, 0, -inf, -inf, -inf}));
    check_equal(masked.soft, numbers({2, 3}, {0.5, 0, 0.5, nan, nan, nan}));
    check_close(masked.log, numbers({2, 3}, {-std::log(2.0), -inf, -std::log(2.0), nan, nan, nan}), 1e-6);
}

/// Also where the mean is large beside the deviation, and of rows of zeros.
template <class Target>
void check_norms(const Target& target) {
    constexpr std::uint32_t rows = 0b10;
    for (const Extent& extent : nn_extents) {
        for (const double low : {-4.0, 90.0}) {
            INFO("shape " << to_text(extent) << " from " << low);
            const NdArray x = random_floats(extent, low, low < 0 ? 4 : 110, 31);
            const NdArray z = random_floats(extent, -4, 4, 32);
            const NdArray gamma = random_floats({extent[1]}, 0.5, 2, 33);
            const NdArray beta = random_floats({extent[1]}, -1, 1, 34);
            const NormValues got = norms_of(target, x, z, gamma, beta);

            const NdArray mean = reduce_reference(mean_reference, x, rows, true);
            const NdArray variance = reduce_reference(variance_reference, x, rows, true);
            const auto normal = [&](double epsilon) {
                return map_reference([=](double e, double m, double s) { return (e - m) / std::sqrt(s + epsilon); }, x,
                                     mean, variance);
            };
            const auto times = [](double a, double b) { return a * b; };
            const auto affine = [](double a, double b, double c) { return a * b + c; };
            // A rounding of the mean over the deviation.
            const double rounding = low < 0 ? 4e-6 : 5e-5;
            check_close(got.layer, map_reference(affine, normal(1e-5), gamma, beta), 4e-6, rounding);
            check_close(got.layer_epsilon, map_reference(affine, normal(0.25), gamma, beta), 4e-6, rounding);
            check_close(got.layer_scaled, map_reference(times, normal(1e-5), gamma), 4e-6, rounding);
            check_close(got.layer_plain, normal(0.5), 2e-6, low < 0 ? 4e-6 : 1.7e-5);

            const NdArray mean_square = reduce_reference(mean_reference, squares(x), rows, true);
            const NdArray sum_square = reduce_reference(sum_reference, squares(x), rows);
            const auto over_root = [](double e, double s) { return e / std::sqrt(s); };
            const auto root_half = [](double e, double s) { return e / std::sqrt(s + 0.5); };
            check_close(got.rms, map_reference(over_root, x, mean_square), 2e-6);
            check_close(got.rms_scaled, map_reference(times, map_reference(root_half, x, mean_square), gamma), 2e-6);
            check_close(got.l2, map_reference(over_root, x, reduce_reference(sum_reference, squares(x), rows, true)),
                        2e-6);
            const NdArray dot = reduce_reference(sum_reference, map_reference(times, x, z), rows);
            const NdArray lengths = map_reference(times, sum_square, reduce_reference(sum_reference, squares(z), rows));
            check_close(got.similarity, map_reference(over_root, dot, lengths), 4e-6, 4e-6);
        }
    }
    const NdArray zeros({2, 4});
    const NormValues got = norms_of(target, zeros, zeros, NdArray({4}, 1), NdArray({4}));
    for (const NdArray* norm :
         {&got.layer, &got.layer_epsilon, &got.layer_plain, &got.layer_scaled, &got.rms, &got.rms_scaled, &got.l2}) {
        check_equal(*norm, zeros);
    }
    check_equal(got.similarity, NdArray({2}));
}

/// Down the columns.
template <class Target>
void check_norms_of_columns(const Target& target) {
    constexpr std::uint32_t columns = 0b01;
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_floats(extent, -4, 4, 38);
        const NdArray z = random_floats(extent, -4, 4, 39);
        Tensor<Target, float> x_data(x);
        Tensor<Target, float> z_data(z);
        Tensor<Target, float> soft(extent);
        Tensor<Target, float> similarity(Extent{extent[1]});
        const auto u = x_data.template const_view<"x", 2>();
        target.eval(soft.template view<"soft", 2>() = softmax(u, axes<0>),
                    similarity.template view<"s", 1>() =
                        cosine_similarity(u, z_data.template const_view<"z", 2>(), axes<0>));
        const NdArray logsum = reduce_reference(logsumexp_reference, x, columns, true);
        check_close(soft.read(), map_reference([](double e, double l) { return std::exp(e - l); }, x, logsum), 2e-6);
        const NdArray dot =
            reduce_reference(sum_reference, map_reference([](double a, double b) { return a * b; }, x, z), columns);
        check_close(similarity.read(),
                    map_reference([](double d, double a, double b) { return d / std::sqrt(a * b); }, dot,
                                  reduce_reference(sum_reference, squares(x), columns),
                                  reduce_reference(sum_reference, squares(z), columns)),
                    4e-6, 4e-6);
    }
}

/// The cosines of operands of which one is stretched along the other, by axis or by extent, against loops over both at the
/// other's extents.
template <class Target>
void check_stretched_cosines(const Target& target) {
    for (const Extent& extent : std::vector<Extent>{{1, 1}, {2, 3}, {5, 1}, {1, 6}, {7, 40}}) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_floats(extent, -4, 4, 63);
        const NdArray line = random_floats({extent[1]}, 1, 4, 64);
        const NdArray row = random_floats({1, extent[1]}, 1, 4, 65);
        const NdArray column = random_floats({extent[0], 1}, 1, 4, 66);
        Tensor<Target, float> x_data(x), line_data(line), row_data(row), column_data(column);
        const auto u = x_data.template const_view<"x", 2>();
        const auto check = [&]<int Axis>(const auto& similarity, const NdArray& other) {
            Tensor<Target, float> out(Extent{extent[1 - Axis]});
            target.eval(out.template view<"s", 1>() = similarity);
            const auto times = [](double a, double b) { return a * b; };
            const auto of = [&](const NdArray& a, const NdArray& b) {
                return reduce_reference(sum_reference, map_reference(times, a, b), 1U << Axis);
            };
            const NdArray all = map_reference([](double, double z) { return z; }, x, other);
            check_close(out.read(),
                        map_reference([](double d, double a, double b) { return d / std::sqrt(a * b); }, of(x, all),
                                      of(x, x), of(all, all)),
                        4e-6, 4e-6);
        };
        const auto l = line_data.template const_view<"l", 1>();
        const auto r = row_data.template const_view<"r", 2>();
        const auto c = column_data.template const_view<"c", 2>();
        check.template operator()<0>(cosine_similarity(u, l, axes<0>), line);
        check.template operator()<1>(cosine_similarity(l, u, axes<-1>), line);
        check.template operator()<0>(cosine_similarity(u, r, axes<0>), row);
        check.template operator()<1>(cosine_similarity(r, u, axes<1>), row);
        check.template operator()<0>(cosine_similarity(u, c, axes<0>), column);
        check.template operator()<1>(cosine_similarity(u, c, axes<1>), column);
    }
}

}  // namespace fuse::testing
