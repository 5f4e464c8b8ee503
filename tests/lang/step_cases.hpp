// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps: reductions and scans over different axes in one eval, broadcast back from
// anywhere, beside plain loops in double. Square arrays as well: there a result that was laid along another axis would
// have the right shape.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

inline double norm_reference(const Numbers& v) {
    double sum = 0;
    for (const double x : v) {
        sum += x * x;
    }
    return std::sqrt(sum);
}
inline NdArray running_sum_reference(const NdArray& x, std::size_t axis) {
    NdArray result = x;
    for_each_coordinate(x.extent, [&](const Coordinate& at) {
        if (at[axis] > 0) {
            Coordinate before = at;
            --before[axis];
            result(at) += result(before);
        }
    });
    return result;
}
constexpr double times(double a, double b) {
    return a * b;
}

/// Row sums and column sums; what is divided by its norm, a softmax of something divided by its column sums, and scans
/// between reductions.
template <class Target, class T>
void check_steps_of_matrix(const Target& target, index_t rows, index_t columns, Placement placement) {
    INFO("rows " << rows << ", columns " << columns << ", placement " << static_cast<int>(placement));
    const NdArray x = random_reals({rows, columns}, 0.5, 2.0, 11);
    Tensor<Target, T> x_data(x, placement);
    const NdArray stored = x_data.read();
    const auto v = x_data.template const_view<"x", 2>();
    constexpr double close = std::is_same_v<T, double> ? 1e-12 : 2e-5;
    const NdArray row_sum = reduce_reference(sum_reference, stored, 0b10);
    const NdArray column_sum = reduce_reference(sum_reference, stored, 0b01);

    Tensor<Target, T> r_data(Extent{rows}, placement);
    Tensor<Target, T> q_data(Extent{columns}, placement);
    Tensor<Target, T> y_data(Extent{rows, columns}, placement);
    Tensor<Target, T> z_data(Extent{rows, columns}, placement);
    const auto r = r_data.template view<"r", 1>();
    const auto q = q_data.template view<"q", 1>();
    const auto y = y_data.template view<"y", 2>();
    const auto z = z_data.template view<"z", 2>();

    target.eval(r = sum(v, axes<1>), q = sum(v, axes<0>));
    check_close(r_data.read(), row_sum, close);
    check_close(q_data.read(), column_sum, close);

    target.eval(y = v / norm<2>(v), q = max(v, axes<0>) - mean(v));
    const NdArray all = reduce_reference(norm_reference, stored, 0b11);
    const NdArray mean_of_all = reduce_reference(mean_reference, stored, 0b11);
    check_close(y_data.read(), map_reference(std::divides<>{}, stored, all), close);
    check_close(q_data.read(),
                map_reference(std::minus<>{}, reduce_reference(max_reference, stored, 0b01), mean_of_all), close,
                close);

    // One step of Sinkhorn's iteration, rows and then columns, and its row sums.
    const auto by_rows = v / sum(v, axes<1>, keepdims);
    target.eval(y = by_rows / sum(by_rows, axes<0>), r = sum(by_rows / sum(by_rows, axes<0>), axes<1>));
    const NdArray normal = map_reference(std::divides<>{}, stored, reduce_reference(sum_reference, stored, 0b10, true));
    const NdArray sinkhorn = map_reference(std::divides<>{}, normal, reduce_reference(sum_reference, normal, 0b01));
    check_close(y_data.read(), sinkhorn, close);
    check_close(r_data.read(), reduce_reference(sum_reference, sinkhorn, 0b10), close);

    // Numbers without names inside a norm, which is a let.
    target.eval(y = softmax(v * T(0.5)) / sum(v, axes<0>), q = sum(softmax(v * T(0.5)), axes<0>));
    const NdArray powers = map_reference([](double a) { return std::exp(0.5 * a); }, stored);
    const NdArray soft = map_reference(std::divides<>{}, powers, reduce_reference(sum_reference, powers, 0b10, true));
    check_close(y_data.read(), map_reference(std::divides<>{}, soft, column_sum), close);
    check_close(q_data.read(), reduce_reference(sum_reference, soft, 0b01), close);

    // Scans of reductions, reductions of scans, and a result beside a scan.
    const auto running = cumsum(v / sum(v, axes<0>), axes<1>);
    target.eval(y = running / sum(v, axes<1>, keepdims), q = sum(running, axes<0>), z = cumsum(running, axes<0>));
    const NdArray scanned = running_sum_reference(map_reference(std::divides<>{}, stored, column_sum), 1);
    check_close(y_data.read(),
                map_reference(std::divides<>{}, scanned, reduce_reference(sum_reference, stored, 0b10, true)), close);
    check_close(q_data.read(), reduce_reference(sum_reference, scanned, 0b01), close);
    check_close(z_data.read(), running_sum_reference(scanned, 0), close);
    CHECK((r_data.gaps_intact() && q_data.gaps_intact() && y_data.gaps_intact() && z_data.gaps_intact()));
}

/// Losses per row and their mean, given back to the rows, and positions among them.
template <class Target>
void check_steps_after_rows(const Target& target, index_t rows, index_t columns) {
    INFO("rows " << rows << ", columns " << columns);
    const NdArray x = random_reals({rows, columns}, -2, 2, 12);
    Tensor<Target, float> x_data(x);
    const NdArray stored = x_data.read();
    const auto v = x_data.template const_view<"x", 2>();
    Tensor<Target, float> r_data(Extent{rows});
    Tensor<Target, std::int64_t> worst_data{Extent{}};
    Tensor<Target, float> y_data(Extent{rows, columns});
    const auto loss = norm<2>(v, axes<1>);
    target.eval(r_data.template view<"r", 1>() = loss / mean(loss), worst_data.template view<"w", 0>() = argmax(loss),
                y_data.template view<"y", 2>() = v - max(v, axes<1>, keepdims) * mean(loss));
    const NdArray losses = reduce_reference(norm_reference, stored, 0b10);
    const NdArray mean_loss = reduce_reference(mean_reference, losses, 0b1);
    check_close(r_data.read(), map_reference(std::divides<>{}, losses, mean_loss), 1e-5);
    check_equal(worst_data.read(), reduce_reference(argmax_reference, losses, 0b1));
    const NdArray most = reduce_reference(max_reference, stored, 0b10, true);
    check_close(y_data.read(), map_reference(std::minus<>{}, stored, map_reference(times, most, mean_loss)), 1e-5,
                1e-5);
}

/// Rows that registers hold, scaled by what there is one of per row, in front of and behind a fold of everything. Of few rows
/// most threads of a block have none.
template <class Target>
void check_steps_beside_rows(const Target& target, index_t rows, index_t columns, Placement placement) {
    INFO("rows " << rows << ", columns " << columns << ", placement " << static_cast<int>(placement));
    Tensor<Target, float> x_data(random_reals({rows, columns}, 0.5, 2, 28));
    Tensor<Target, float> l_data(random_reals({rows}, 0.5, 2, 29), placement);
    const NdArray x = x_data.read();
    const NdArray l = l_data.read();
    const auto v = x_data.template const_view<"x", 2>();
    const auto scales = expand_dims<1>(l_data.template const_view<"l", 1>());
    Tensor<Target, float> y_data(Extent{rows, columns});
    Tensor<Target, float> z_data(Extent{rows, columns});
    target.eval(y_data.template view<"y", 2>() = v / sum(v, axes<1>, keepdims) * scales + sum(v),
                z_data.template view<"z", 2>() = (v - max(v, axes<1>, keepdims)) * scales / sum(scales));
    NdArray column({rows, 1});
    column.value = l.value;
    const NdArray shares = map_reference(std::divides<>{}, x, reduce_reference(sum_reference, x, 0b10, true));
    const NdArray y = map_reference([](double a, double s, double all) { return a * s + all; }, shares, column,
                                    reduce_reference(sum_reference, x, 0b11));
    const NdArray z =
        map_reference([](double a, double m, double s, double all) { return (a - m) * s / all; }, x,
                      reduce_reference(max_reference, x, 0b10, true), column, reduce_reference(sum_reference, l, 0b1));
    check_close(y_data.read(), y, 1e-5, 1e-5);
    check_close(z_data.read(), z, 1e-5, 1e-5);
}

/// Batch norm in training with its statistics as outputs; group norm beside it, of four axes.
template <class Target>
void check_steps_of_images(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    const NdArray x = random_reals(extent, -1, 3, 13);
    Tensor<Target, float> x_data(x);
    const NdArray stored = x_data.read();
    const auto v = x_data.template const_view<"x", 4>();
    Tensor<Target, float> y_data(extent);
    Tensor<Target, float> z_data(extent);
    Tensor<Target, float> mean_data(Extent{extent[1]});
    Tensor<Target, float> var_data(Extent{extent[1]});
    const auto batch = axes<0, 2, 3>;
    target.eval(y_data.template view<"y", 4>() =
                    (v - mean(v, batch, keepdims)) * rsqrt(var(v, batch, keepdims) + 1e-5F),
                mean_data.template view<"m", 1>() = mean(v, batch), var_data.template view<"s", 1>() = var(v, batch),
                z_data.template view<"z", 4>() = v - mean(v, axes<1, 2, 3>, keepdims));
    const NdArray means = reduce_reference(mean_reference, stored, 0b1101, true);
    const NdArray variances = reduce_reference(variance_reference, stored, 0b1101, true);
    const auto normal = [](double a, double m, double s) { return (a - m) / std::sqrt(s + 1e-5); };
    check_close(y_data.read(), map_reference(normal, stored, means, variances), 1e-4, 1e-4);
    check_close(mean_data.read(), reduce_reference(mean_reference, stored, 0b1101), 1e-5, 1e-5);
    check_close(var_data.read(), reduce_reference(variance_reference, stored, 0b1101), 1e-5);
    check_close(z_data.read(),
                map_reference(std::minus<>{}, stored, reduce_reference(mean_reference, stored, 0b1110, true)), 1e-5,
                1e-5);
}

/// Gradients of a layer norm: for x, per row, and for scale and shift, per column.
template <class Target, class T>
void check_layer_norm_gradients(const Target& target, index_t rows, index_t columns, double close) {
    INFO("rows " << rows << ", columns " << columns);
    Tensor<Target, T> x_data(random_reals({rows, columns}, -2, 2, 14));
    Tensor<Target, T> dy_data(random_reals({rows, columns}, -1, 1, 15));
    Tensor<Target, T> gamma_data(random_reals({columns}, 0.5, 1.5, 16));
    const NdArray x = x_data.read();
    const NdArray dy = dy_data.read();
    const NdArray gamma = gamma_data.read();
    Tensor<Target, float> dx_data(Extent{rows, columns});
    Tensor<Target, float> dgamma_data(Extent{columns});
    Tensor<Target, float> dbeta_data(Extent{columns});
    const auto v = x_data.template const_view<"x", 2>();
    const auto dv = dy_data.template const_view<"dy", 2>();
    const auto g = dv * gamma_data.template const_view<"g", 1>();
    const auto scale = rsqrt(var(v, axes<1>, keepdims) + 1e-5F);
    const auto normal = (v - mean(v, axes<1>, keepdims)) * scale;
    target.eval(dx_data.template view<"dx", 2>() =
                    scale * (g - mean(g, axes<1>, keepdims) - normal * mean(g * normal, axes<1>, keepdims)),
                dgamma_data.template view<"dgamma", 1>() = sum(dv * normal, axes<0>),
                dbeta_data.template view<"dbeta", 1>() = sum(dv, axes<0>));
    const NdArray means = reduce_reference(mean_reference, x, 0b10, true);
    const NdArray scales = map_reference([](double s) { return 1 / std::sqrt(s + 1e-5); },
                                         reduce_reference(variance_reference, x, 0b10, true));
    const NdArray normals = map_reference([](double a, double m, double s) { return (a - m) * s; }, x, means, scales);
    const NdArray gs = map_reference(times, dy, gamma);
    const NdArray mean_g = reduce_reference(mean_reference, gs, 0b10, true);
    const NdArray mean_gn = reduce_reference(mean_reference, map_reference(times, gs, normals), 0b10, true);
    const auto gradient = [](double s, double a, double m, double n, double mn) { return s * (a - m - n * mn); };
    check_close(dx_data.read(), map_reference(gradient, scales, gs, mean_g, normals, mean_gn), close, close);
    check_close(dgamma_data.read(), reduce_reference(sum_reference, map_reference(times, dy, normals), 0b01), close,
                close * static_cast<double>(rows));
    check_close(dbeta_data.read(), reduce_reference(sum_reference, dy, 0b01), close, close * static_cast<double>(rows));
}

/// Columns that are folded while rows are walked: of results of these rows, of what only they read, of positions, behind
/// which something is written that needs them.
template <class Target>
void check_columns_of_rows(const Target& target, index_t rows, index_t columns) {
    INFO("rows " << rows << ", columns " << columns);
    Tensor<Target, float> x_data(random_reals({rows, columns}, 0.5, 2, 21));
    Tensor<Target, float> u_data(random_reals({rows, columns}, -1, 1, 22));
    Tensor<Target, float> w_data(random_reals({columns}, -1, 1, 23));
    const NdArray x = x_data.read();
    const auto v = x_data.template const_view<"x", 2>();
    Tensor<Target, float> r_data(Extent{rows});
    Tensor<Target, float> q_data(Extent{columns});
    Tensor<Target, float> most_data(Extent{columns});
    Tensor<Target, double> moment_data(Extent{columns});
    Tensor<Target, float> y_data(Extent{rows, columns});
    const auto w = w_data.template const_view<"w", 1>();
    const auto weights = view(u_data.template const_view<"u", 2>().data(), rows, columns);
    const auto total = sum(v, axes<1>, keepdims);
    target.eval(r_data.template view<"r", 1>() = sum(v, axes<1>),
                q_data.template view<"q", 1>() = w * sum(v / total * weights + (w + 0.25F), axes<0>),
                most_data.template view<"t", 1>() = max(v, axes<0>),
                moment_data.template view<"m", 1>() = sum(cast<double>(v) * cast<double>(index<0>()), axes<0>),
                y_data.template view<"y", 2>() = v - max(v, axes<0>));
    const NdArray totals = reduce_reference(sum_reference, x, 0b10, true);
    const NdArray shares = map_reference(std::divides<>{}, x, totals);
    const NdArray terms = map_reference([](double s, double u, double b) { return s * u + (b + 0.25); }, shares,
                                        u_data.read(), w_data.read());
    const NdArray most = reduce_reference(max_reference, x, 0b01);
    NdArray moments = x;
    for_each_coordinate(x.extent, [&](const Coordinate& at) { moments(at) *= static_cast<double>(at[0]); });
    check_close(r_data.read(), reduce_reference(sum_reference, x, 0b10), 1e-5);
    check_close(q_data.read(), map_reference(times, w_data.read(), reduce_reference(sum_reference, terms, 0b01)), 1e-4,
                1e-5 * static_cast<double>(rows));
    check_close(most_data.read(), most, 0);
    check_close(moment_data.read(), reduce_reference(sum_reference, moments, 0b01), 1e-12);
    check_close(y_data.read(), map_reference(std::minus<>{}, x, most), 1e-6, 1e-6);
}

/// What would stand beside a matrix with fewer axes: each value is computed once, over the axes it has.
template <class Target>
void check_steps_of_other_ranks(const Target& target) {
    const NdArray x = random_reals({6, 9}, -1, 1, 17);
    const NdArray u = random_reals({9}, -1, 1, 18);
    Tensor<Target, double> x_data(x);
    Tensor<Target, double> u_data(u);
    const auto v = x_data.template const_view<"x", 2>();
    const auto w = u_data.template const_view<"u", 1>();
    Tensor<Target, double> o_data(Extent{9});
    Tensor<Target, double> s_data{Extent{}};
    Tensor<Target, double> y_data(Extent{6, 9});
    target.eval(o_data.template view<"o", 1>() = w * 2 / norm<2>(w),
                s_data.template view<"s", 0>() = sum(sum(v, axes<0>, keepdims)),
                y_data.template view<"y", 2>() = v * sum(w) + cumsum(w, axes<0>) - mean(v, axes<0>));
    const NdArray size = reduce_reference(norm_reference, u, 0b1);
    check_close(o_data.read(), map_reference([](double a, double b) { return 2 * a / b; }, u, size), 1e-12);
    check_close(s_data.read(), reduce_reference(sum_reference, x, 0b11), 1e-12, 1e-12);
    const NdArray scaled = map_reference(times, x, reduce_reference(sum_reference, u, 0b1));
    const NdArray shift =
        map_reference(std::minus<>{}, running_sum_reference(u, 0), reduce_reference(mean_reference, x, 0b01));
    check_close(y_data.read(), map_reference(std::plus<>{}, scaled, shift), 1e-12, 1e-12);
}

}  // namespace fuse::testing
