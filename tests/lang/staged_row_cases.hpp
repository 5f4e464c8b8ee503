// SPDX-License-Identifier: Apache-2.0
//
// Rows that are held in shared memory: several operands of different types, outputs per element, per row and over all
// rows together, more rows than there are blocks.
#pragma once

#include "lang/odd_row_cases.hpp"
#include "lang/phase_cases.hpp"

namespace fuse::testing {

/// Of x + r in one eval: the softmax of each row, its largest element, and the mean over rows of log(sum(exp(.))).
template <class T, class Target>
void check_softmax_of_sum(const Target& target, const Extent& extent, Placement placement, double tolerance) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    Tensor<Target, T> x_data(random_reals(extent, -4, 4, 31), placement);
    Tensor<Target, T> r_data(random_reals(extent, -4, 4, 32), placement);
    const NdArray z = map_reference([](double a, double b) { return a + b; }, x_data.read(), r_data.read());
    const Extent rows{extent[0], extent[1]};
    NdArray softmax(extent);
    NdArray largest(rows, -1e300);
    double mean = 0;
    for (index_t i = 0; i < extent[0]; ++i) {
        for (index_t j = 0; j < extent[1]; ++j) {
            double total = 0;
            for (index_t k = 0; k < extent[2]; ++k) {
                largest({i, j}) = std::max(largest({i, j}), z({i, j, k}));
            }
            for (index_t k = 0; k < extent[2]; ++k) {
                total += std::exp(z({i, j, k}) - largest({i, j}));
            }
            for (index_t k = 0; k < extent[2]; ++k) {
                softmax({i, j, k}) = std::exp(z({i, j, k}) - largest({i, j})) / total;
            }
            mean += (std::log(total) + largest({i, j})) / static_cast<double>(extent[0] * extent[1]);
        }
    }
    Tensor<Target, T> y_data(extent, placement);
    Tensor<Target, T> top_data(rows);
    Tensor<Target, double> mean_data(Extent{});
    const auto sum_of_both = x_data.template const_view<"x", 3>() + r_data.template const_view<"r", 3>();
    const auto top = max(sum_of_both, axes<2>, keepdims);
    const auto e = exp(sum_of_both - top);
    const auto total = sum(e, axes<2>, keepdims);
    target.eval(y_data.template view<"y", 3>() = e / total,
                top_data.template view<"top", 2>() = max(sum_of_both, axes<2>),
                mean_data.template view<"mean", 0>() = fuse::mean(log(total) + top));
    check_close(y_data.read(), softmax, tolerance, tolerance);
    check_close(top_data.read(), largest, tolerance, tolerance);
    CHECK(mean_data.read().value[0] == Catch::Approx(mean).epsilon(tolerance));
    CHECK(y_data.gaps_intact());
}

/// Rows of two axes, the outer of which does not go on where the inner ends: both are reduced.
template <class Target>
void check_rows_of_two_axes(const Target& target, const std::vector<Extent>& shapes) {
    for (const Placement placement : {Placement::row_major, Placement::wide, Placement::padded}) {
        check_softmax<0b110, float>(target, shapes, placement, 3e-6);
        check_layer_norm<0b110, float>(target, shapes, placement, 2e-5);
    }
}

/// A row without its mean, by its deviation: three sweeps, from T to float.
template <class T, class Target>
void check_odd_standard_rows(const Target& target, index_t rows, index_t n, RowPlace in, RowPlace out,
                             double tolerance) {
    INFO(rows << " rows of " << n << ", from " << in.first << " + " << in.gap << " to " << out.first << " + "
              << out.gap);
    const Extent extent{rows, n};
    OddRows<Target, T> x_data(random_reals(extent, -1, 3, 35), in);
    OddRows<Target, float> y_data(NdArray(extent), out);
    const NdArray x = x_data.read();
    const NdArray means = reduce_reference(mean_reference, x, 0b10, true);
    const NdArray vars = reduce_reference(variance_reference, x, 0b10, true);
    const auto v = x_data.template rows<"x">();
    const auto centred = v - mean(v, axes<1>, keepdims);
    target.eval(y_data.template rows<"y">() = centred * rsqrt(mean(square(centred), axes<1>, keepdims)));
    const auto formula = [](double a, double mean, double var) { return (a - mean) / std::sqrt(var); };
    check_close(y_data.read(), map_reference(formula, x, means, vars), tolerance, tolerance);
    CHECK(y_data.gaps_intact());
}

/// Rows beside a scale that is every second element of an array: no pieces of it hold its neighbours.
template <class T, class Target>
void check_rows_beside_every_second(const Target& target, index_t rows, index_t n, double tolerance) {
    INFO(rows << " rows of " << n << " beside every second element");
    Tensor<Target, T> x_data(random_reals({rows, n}, -1, 1, 39)), y_data(Extent{rows, n});
    Tensor<Target, T> scale_data(random_reals({2 * n}, 0.5, 2, 40));
    const auto x = x_data.template const_view<"x", 2>();
    const auto scale = slice<0>(scale_data.template const_view<"scale", 1>(), 0, 2 * n, 2);
    target.eval(y_data.template view<"y", 2>() = x * rsqrt(mean(square(x), axes<1>, keepdims)) * scale);
    const NdArray values = x_data.read();
    const NdArray all = scale_data.read();
    NdArray scales(Extent{n});
    for (index_t i = 0; i < n; ++i) {
        scales({i}) = all({2 * i});
    }
    const NdArray squares = map_reference([](double a) { return a * a; }, values);
    const NdArray means = reduce_reference(mean_reference, squares, 0b10, true);
    const auto formula = [](double a, double mean, double s) { return a / std::sqrt(mean) * s; };
    check_close(y_data.read(), map_reference(formula, values, means, scales), tolerance, tolerance);
}

/// The same by a scale and a shift that all rows share, of two types, and the mean of each row.
template <class T, class Target>
void check_scaled_rows(const Target& target, index_t rows, index_t n, RowPlace in, RowPlace out, double tolerance,
                       index_t scale_first = 0) {
    INFO(rows << " scaled rows of " << n << ", from " << in.first << " + " << in.gap << " to " << out.first << " + "
              << out.gap);
    const Extent extent{rows, n};
    OddRows<Target, T> x_data(random_reals(extent, -1, 3, 36), in);
    OddRows<Target, T> scale_data(random_reals({1, n}, 0.5, 2, 37), {scale_first, 0});
    OddRows<Target, float> shift_data(random_reals({1, n}, -1, 1, 38), {});
    OddRows<Target, T> y_data(NdArray(extent), out);
    Tensor<Target, double> mean_data(Extent{rows});
    const NdArray x = x_data.read();
    const NdArray means = reduce_reference(mean_reference, x, 0b10, true);
    const NdArray vars = reduce_reference(variance_reference, x, 0b10, true);
    const auto v = x_data.template rows<"x">();
    const auto centred = v - mean(v, axes<1>, keepdims);
    target.eval(y_data.template rows<"y">() =
                    centred * rsqrt(mean(square(centred), axes<1>, keepdims)) * scale_data.template row<"scale">() +
                    shift_data.template row<"shift">(),
                mean_data.template view<"mean", 1>() = mean(v, axes<1>));
    const auto formula = [](double a, double mean, double var, double scale, double shift) {
        return (a - mean) / std::sqrt(var) * scale + shift;
    };
    check_close(y_data.read(), map_reference(formula, x, means, vars, scale_data.read(), shift_data.read()), tolerance,
                tolerance);
    check_close(mean_data.read(), reduce_reference(mean_reference, x, 0b10), tolerance, tolerance);
    CHECK(y_data.gaps_intact());
}

/// Rows that begin anywhere, of lengths that nothing divides: operands that are aligned at the same elements of a row, among
/// them of several types.
template <class Target>
void check_odd_staged_rows(const Target& target, index_t n) {
    for (index_t first = 0; first < 4; ++first) {
        check_odd_softmax<float>(target, 2, n + first, {first, 0}, {first + 4, 0}, 2e-6);
    }
    check_odd_softmax<float>(target, 5, n, {3, 2}, {7, 6}, 2e-6);
    check_odd_softmax<bfloat16>(target, 9, n, {}, {}, 1e-2);
    check_odd_standard_rows<bfloat16>(target, 9, n, {1, 0}, {5, 4}, 2e-5);
    check_scaled_rows<float>(target, 5, n, {3, 2}, {7, 6}, 2e-5);
    check_scaled_rows<bfloat16>(target, 9, n, {}, {}, 1e-2);
    // Rows of whole vectors, beside a scale of which that is so and one of which it is not.
    check_scaled_rows<float>(target, 2, n / 8 * 8, {}, {}, 2e-5);
    check_scaled_rows<float>(target, 2, n / 8 * 8, {}, {}, 2e-5, 1);
}

/// rows: a few of them; many: more of them than a device holds at a time. Lengths that vectors of 8 items divide.
template <class Target>
void check_staged_rows(const Target& target, const std::vector<Extent>& rows, const Extent& many) {
    check_softmax<0b100, float>(target, rows, Placement::row_major, 3e-6);
    check_softmax<0b100, bfloat16>(target, rows, Placement::wide, 1e-2);
    check_layer_norm<0b100, float>(target, rows, Placement::wide, 2e-5);
    check_layer_norm<0b100, double>(target, rows, Placement::row_major, 1e-13);
    for (const Extent& extent : rows) {
        // The reference adds one by one, in double: its sums of more doubles are less exact than what they test.
        if (extent[2] <= 100000) {
            check_mixed_rows(target, {extent}, Placement::row_major, Placement::wide);
        }
        check_softmax_of_sum<float>(target, extent, Placement::row_major, 1e-5);
    }
    // Without an epilogue rows are taken by tickets.
    check_softmax<0b100, float>(target, {many}, Placement::row_major, 3e-6);
    check_odd_softmax<bfloat16>(target, many[0] * many[1], many[2] + 3, {5, 0}, {13, 8}, 1e-2);
    check_softmax_of_sum<float>(target, many, Placement::row_major, 1e-5);
    check_softmax_of_sum<float>(target, many, Placement::misaligned, 1e-5);
}

}  // namespace fuse::testing
