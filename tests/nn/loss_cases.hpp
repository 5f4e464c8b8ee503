// SPDX-License-Identifier: Apache-2.0
//
// Every loss by its own name through a target, against loops in double: of each element, added, averaged.
#pragma once

#include <limits>

#include "nn/numbers.hpp"

namespace fuse::testing {

struct ElementLosses {
    NdArray mse, l1, huber, bce, kl;
};
/// The losses of each element.
template <class Target>
ElementLosses element_losses_of(const Target& target, const NdArray& input, const NdArray& wanted, double delta) {
    Tensor<Target, float> x_data(input);
    Tensor<Target, float> t_data(wanted);
    Tensor<Target, float> mse(input.extent);
    Tensor<Target, float> l1(input.extent);
    Tensor<Target, float> huber(input.extent);
    Tensor<Target, float> bce(input.extent);
    Tensor<Target, float> kl(input.extent);
    const auto x = x_data.template const_view<"x", 2>();
    const auto t = t_data.template const_view<"t", 2>();
    target.eval(mse.template view<"mse", 2>() = mse_loss(x, t, reduction::none),
                l1.template view<"l1", 2>() = l1_loss(x, t, reduction::none),
                huber.template view<"huber", 2>() = huber_loss(x, t, reduction::none, delta),
                bce.template view<"bce", 2>() = binary_cross_entropy_with_logits(x, t, reduction::none),
                kl.template view<"kl", 2>() = kl_div(x, t, reduction::none));
    return {mse.read(), l1.read(), huber.read(), bce.read(), kl.read()};
}

inline double log_sigmoid(double x) {
    return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
}
inline ElementLosses element_losses_reference(const NdArray& x, const NdArray& t, double delta) {
    const auto huber = [delta](double a, double b) {
        const double d = std::fabs(a - b);
        return d <= delta ? d * d / 2 : delta * (d - delta / 2);
    };
    return {map_reference([](double a, double b) { return (a - b) * (a - b); }, x, t),
            map_reference([](double a, double b) { return std::fabs(a - b); }, x, t), map_reference(huber, x, t),
            map_reference([](double a, double b) { return -(b * log_sigmoid(a) + (1 - b) * log_sigmoid(-a)); }, x, t),
            map_reference([](double a, double b) { return b == 0 ? 0.0 : b * (std::log(b) - a); }, x, t)};
}

/// Also of large logits, of impossible targets, and averaged.
template <class Target>
void check_losses(const Target& target) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        NdArray x = random_floats(extent, -4, 4, 35);
        NdArray t = random_floats(extent, 0, 1, 36);
        for (std::size_t i = 0; i < x.value.size(); i += 40) {
            x.value[i] *= 40;
            t.value[i] = t.value[i] < 0.5 ? 0 : 1;
        }
        for (const double delta : {0.25, 1.0, 100.0}) {
            const ElementLosses got = element_losses_of(target, x, t, delta);
            const ElementLosses expected = element_losses_reference(x, t, delta);
            check_close(got.mse, expected.mse, 1e-6, 1e-6);
            check_close(got.l1, expected.l1, 1e-6);
            check_close(got.huber, expected.huber, 1e-6, 1e-6);
            check_close(got.bce, expected.bce, 1e-6, 1e-6);
            check_close(got.kl, expected.kl, 1e-6, 1e-6);
        }

        Tensor<Target, float> x_data(x);
        Tensor<Target, float> t_data(t);
        Tensor<Target, float> mse{Extent{}};
        Tensor<Target, float> l1{Extent{}};
        Tensor<Target, float> total{Extent{}};
        Tensor<Target, float> huber{Extent{}};
        Tensor<Target, float> huber_half{Extent{}};
        Tensor<Target, float> bce{Extent{}};
        Tensor<Target, float> kl{Extent{}};
        const auto u = x_data.template const_view<"x", 2>();
        const auto v = t_data.template const_view<"t", 2>();
        target.eval(mse.template view<"mse", 0>() = mse_loss(u, v), l1.template view<"l1", 0>() = l1_loss(u, v),
                    total.template view<"total", 0>() = l1_loss(u, v, reduction::sum),
                    huber.template view<"huber", 0>() = huber_loss(u, v),
                    huber_half.template view<"half", 0>() = huber_loss(u, v, 0.5),
                    bce.template view<"bce", 0>() = binary_cross_entropy_with_logits(u, v),
                    kl.template view<"kl", 0>() = kl_div(u, v, reduction::batchmean));
        const ElementLosses of_one = element_losses_reference(x, t, 1);
        const auto check = [](Tensor<Target, float>& got, double expected) {
            check_close(got.read(), NdArray(Extent{}, expected), 1e-6, 1e-6);
        };
        check(mse, mean_reference(of_one.mse.value));
        check(l1, mean_reference(of_one.l1.value));
        check(total, sum_reference(of_one.l1.value));
        check(huber, mean_reference(of_one.huber.value));
        check(huber_half, mean_reference(element_losses_reference(x, t, 0.5).huber.value));
        check(bce, mean_reference(of_one.bce.value));
        check(kl, sum_reference(of_one.kl.value) / static_cast<double>(extent[0]));
    }
    constexpr double inf = std::numeric_limits<double>::infinity();
    // softplus(x) - t * x would cancel to nothing.
    const ElementLosses got = element_losses_of(target, numbers({1, 3}, {20, -inf, -1}), numbers({1, 3}, {1, 0, 0}), 1);
    check_close(numbers({1}, {got.bce({0, 0})}), NdArray({1}, std::log1p(std::exp(-20.0))), 1e-6);
    check_equal(got.kl, numbers({1, 3}, {-20, 0, 0}));
}

/// With rows that are ignored, and with numbers whose exp no float holds.
template <class Target>
void check_cross_entropy_by_name(const Target& target) {
    for (const Extent& extent : nn_extents) {
        for (const double low : {-4.0, 80.0}) {
            INFO("shape " << to_text(extent) << " from " << low);
            const index_t rows = extent[0];
            const NdArray x = random_floats(extent, low, low < 0 ? 4 : 120, 40);
            NdArray classes = random_integers({rows}, 0, static_cast<int>(extent[1]) - 1, 37);
            for (index_t r = 4; r < rows; r += 5) {
                classes({r}) = -100;
            }
            const NdArray logsum = reduce_reference(logsumexp_reference, x, 0b10);
            NdArray expected({rows});
            double counted = 0;
            for (index_t r = 0; r < rows; ++r) {
                if (classes({r}) >= 0) {
                    expected({r}) = logsum({r}) - x({r, static_cast<index_t>(classes({r}))});
                    counted += 1;
                }
            }
            Tensor<Target, float> x_data(x);
            Tensor<Target, std::int64_t> class_data(classes);
            Tensor<Target, float> each(Extent{rows});
            Tensor<Target, float> mean{Extent{}};
            Tensor<Target, float> total{Extent{}};
            const auto u = x_data.template const_view<"x", 2>();
            const auto c = class_data.template const_view<"c", 1>();
            target.eval(each.template view<"each", 1>() = cross_entropy(u, c, reduction::none),
                        mean.template view<"mean", 0>() = cross_entropy(u, c),
                        total.template view<"total", 0>() = cross_entropy(u, c, reduction::sum));
            const double rounding = low < 0 ? 4e-6 : 2e-5;
            check_close(each.read(), expected, 4e-6, rounding);
            const double sum = sum_reference(expected.value);
            check_close(mean.read(), NdArray(Extent{}, sum / counted), 4e-6, rounding);
            check_close(total.read(), NdArray(Extent{}, sum), 4e-6, counted * rounding);
        }
    }
}

}  // namespace fuse::testing
