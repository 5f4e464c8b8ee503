// SPDX-License-Identifier: Apache-2.0
//
// What is folded to scalars over arrays of different extents in one eval, beside formulas written out in double: norms of
// several parameters, differences along several axes, a loss of parts beside its gradient.
#pragma once

#include "fuse/gradient.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// Sums over two vectors, of equal size or not, together and as outputs of their own.
template <class Target, class T>
void check_sums_of_two(const Target& target, index_t n, index_t m) {
    INFO("sizes " << n << " and " << m);
    constexpr double close = std::is_same_v<T, double> ? 1e-12 : 1e-5;
    Tensor<Target, T> a_data(random_reals({n}, 0.5, 2, 71));
    Tensor<Target, T> b_data(random_reals({m}, 0.5, 2, 72));
    Tensor<Target, T> both_data{Extent{}};
    Tensor<Target, T> most_data{Extent{}};
    Tensor<Target, T> y_data(Extent{n});
    const NdArray a = a_data.read();
    const NdArray b = b_data.read();
    const auto va = a_data.template const_view<"a", 1>();
    const auto vb = b_data.template const_view<"b", 1>();
    target.eval(both_data.template view<"both", 0>() = sum(square(va)) + sum(vb),
                most_data.template view<"most", 0>() = max(vb), y_data.template view<"y", 1>() = va / sum(vb));
    const double squares = sum_reference(map_reference([](double v) { return v * v; }, a).value);
    const double total = sum_reference(b.value);
    check_close(both_data.read(), NdArray(Extent{}, squares + total), close);
    check_close(most_data.read(), NdArray(Extent{}, max_reference(b.value)), 0);
    check_close(y_data.read(), map_reference([total](double v) { return v / total; }, a), close);
}

/// Total variation of an image beside the squares of what differs from another one, and its gradient.
template <class Target, class T>
void check_total_variation(const Target& target, index_t rows, index_t columns) {
    INFO("rows " << rows << ", columns " << columns);
    constexpr double close = std::is_same_v<T, double> ? 1e-12 : 1e-5;
    Tensor<Target, T> x_data(random_integers({rows, columns}, -9, 9, 73));
    Tensor<Target, T> t_data(random_integers({rows, columns}, -9, 9, 74));
    Tensor<Target, T> loss_data{Extent{}};
    Tensor<Target, T> dx_data(Extent{rows, columns});
    const NdArray x = x_data.read();
    const NdArray t = t_data.read();
    const auto v = x_data.template const_view<"x", 2>();
    const auto wanted = t_data.template const_view<"t", 2>();
    const auto loss = sum(square(v - wanted)) / 2 + T(0.25) * (sum(abs(diff(v, axes<0>))) + sum(abs(diff(v, axes<1>))));
    target.eval(loss_data.template view<"l", 0>() = loss, dx_data.template view<"dx", 2>() = gradient(loss, v));

    double expected = 0;
    NdArray slopes(x.extent);
    for_each_coordinate(x.extent, [&](const Coordinate& at) {
        const double off = x(at) - t(at);
        expected += off * off / 2;
        slopes(at) += off;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            Coordinate next = at;
            if (++next[axis] < x.extent[axis]) {
                const double step = x(next) - x(at);
                const double sign = step > 0 ? 1 : step < 0 ? -1 : 0;
                expected += std::fabs(step) / 4;
                slopes(next) += sign / 4;
                slopes(at) -= sign / 4;
            }
        }
    });
    check_close(loss_data.read(), NdArray(Extent{}, expected), close);
    check_close(dx_data.read(), slopes, close, close);
}

/// A loss that its gradient waits for, of differences of neighbours.
template <class Target, class T>
void check_norm_of_differences(const Target& target, index_t n) {
    INFO("size " << n);
    constexpr double close = std::is_same_v<T, double> ? 1e-12 : 1e-5;
    Tensor<Target, T> u_data(random_reals({n}, -1, 1, 75));
    Tensor<Target, T> loss_data{Extent{}};
    Tensor<Target, T> du_data(Extent{n});
    const NdArray u = u_data.read();
    const auto v = u_data.template const_view<"u", 1>();
    const auto loss = sqrt(sum(square(diff(v))));
    target.eval(loss_data.template view<"l", 0>() = loss, du_data.template view<"du", 1>() = gradient(loss, v));
    double squares = 0;
    NdArray slopes(Extent{n});
    for (std::size_t i = 0; i + 1 < u.value.size(); ++i) {
        const double step = u.value[i + 1] - u.value[i];
        squares += step * step;
        slopes.value[i + 1] += step;
        slopes.value[i] -= step;
    }
    const double size = std::sqrt(squares);
    check_close(loss_data.read(), NdArray(Extent{}, size), close);
    check_close(du_data.read(), map_reference([size](double s) { return s / size; }, slopes), close, close);
}

/// Two models on two sets of samples under one loss with weight decay, both trained in place.
template <class Target, class T>
void check_training_of_two_models(const Target& target, const Extent& first, const Extent& second) {
    INFO("shapes " << to_text(first) << " and " << to_text(second));
    constexpr double close = std::is_same_v<T, double> ? 1e-12 : 2e-5;
    Tensor<Target, T> x_data(random_reals(first, -1, 1, 76));
    Tensor<Target, T> z_data(random_reals(second, -1, 1, 77));
    Tensor<Target, T> w_data(random_reals({first[1]}, -1, 1, 78));
    Tensor<Target, T> v_data(random_reals({second[1]}, -1, 1, 79));
    Tensor<Target, T> loss_data{Extent{}};
    const NdArray w = w_data.read();
    const NdArray v = v_data.read();
    const auto vw = w_data.template view<"w", 1>();
    const auto vv = v_data.template view<"v", 1>();
    const auto loss = mean(square(sum(x_data.template const_view<"x", 2>() * vw, axes<1>))) +
                      mean(square(sum(z_data.template const_view<"z", 2>() * vv, axes<1>))) +
                      T(0.25) * (sum(square(vw)) + sum(square(vv)));
    target.eval(loss_data.template view<"l", 0>() = loss, vw = vw - T(0.1) * gradient(loss, vw),
                vv = vv - T(0.1) * gradient(loss, vv));

    double expected = 0;
    const auto stepped = [&expected](const NdArray& samples, const NdArray& weights) {
        const auto n = static_cast<double>(samples.extent[0]);
        const NdArray products = map_reference(std::multiplies<>{}, samples, weights);
        const NdArray scores = reduce_reference(sum_reference, products, 0b10, true);
        const NdArray terms = map_reference([n](double s, double x) { return 2 * s * x / n; }, scores, samples);
        const NdArray slopes = reduce_reference(sum_reference, terms, 0b01);
        for (const double s : scores.value) {
            expected += s * s / n;
        }
        for (const double p : weights.value) {
            expected += 0.25 * p * p;
        }
        return map_reference([](double p, double s) { return p - 0.1 * (s + 0.5 * p); }, weights, slopes);
    };
    check_close(w_data.read(), stepped(x_data.read(), w), close, close);
    check_close(v_data.read(), stepped(z_data.read(), v), close, close);
    check_close(loss_data.read(), NdArray(Extent{}, expected), close);
}

}  // namespace fuse::testing
