// SPDX-License-Identifier: Apache-2.0
//
// Reductions along columns of any number, also of a type of which a vector has many: whole vectors, columns that no
// vector divides, and rows that begin where no vector may. Whole numbers: all but the variance is exact.
#pragma once

#include "lang/axes_cases.hpp"

namespace fuse::testing {

/// Mean and sum of squared deviations by merging those of parts: a division in every combination.
struct Spread {
    struct accumulator {
        float n, mean, squares;
    };
    FUSE_HD constexpr accumulator init() const { return {0, 0, 0}; }
    FUSE_HD constexpr accumulator leaf(float v, index_t) const { return {1, v, 0}; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        const float n = a.n + b.n;
        const float share = n == 0 ? 0 : b.n / n;
        const float delta = b.mean - a.mean;
        return {n, a.mean + delta * share, a.squares + b.squares + delta * delta * a.n * share};
    }
    FUSE_HD constexpr float project(accumulator a, index_t n) const { return a.squares / static_cast<float>(n); }
};

inline double spread_reference(const Numbers& v) {
    const double mean = mean_reference(v);
    double squares = 0;
    for (const double x : v) {
        squares += (x - mean) * (x - mean);
    }
    return squares / static_cast<double>(v.size());
}

template <class T, class Target>
void check_columns(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        const NdArray x = random_integers(extent, -9, 9, 3);
        const NdArray sums = reduce_reference(sum_reference, x, 0b01);
        const NdArray spreads = reduce_reference(spread_reference, x, 0b01);
        for (const Placement placement :
             {Placement::row_major, Placement::misaligned, Placement::padded, Placement::wide}) {
            INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
            Tensor<Target, T> x_data(x, placement);
            Tensor<Target, float> sum_data(sums.extent, placement);
            Tensor<Target, std::int64_t> where_data(sums.extent);
            Tensor<Target, float> spread_data(sums.extent);
            const auto v = x_data.template const_view<"x", 2>();
            target.eval(sum_data.template view<"sum", 1>() = sum(v, axes<0>),
                        where_data.template view<"where", 1>() = argmax(v, axes<0>));
            target.eval(spread_data.template view<"spread", 1>() = reduce(Spread{}, v, axes<0>));
            check_equal(sum_data.read(), sums);
            check_equal(where_data.read(), reduce_reference(argmax_reference, x, 0b01));
            check_close(spread_data.read(), spreads, 1e-5, 1e-5);
            CHECK(sum_data.gaps_intact());
        }
    }
}

/// Statistics of long columns, and each of them less its mean, then a softmax: the blocks that share columns wait for each
/// other.
template <class Target>
void check_long_columns(const Target& target, index_t rows, index_t columns) {
    INFO("rows " << rows << ", columns " << columns);
    Tensor<Target, float> x_data(random_reals({rows, columns}, -1, 3, 19));
    const NdArray x = x_data.read();
    const auto v = x_data.template const_view<"x", 2>();
    Tensor<Target, float> y_data(Extent{rows, columns});
    Tensor<Target, float> mean_data(Extent{columns});
    Tensor<Target, float> var_data(Extent{columns});
    target.eval(mean_data.template view<"m", 1>() = mean(v, axes<0>),
                var_data.template view<"s", 1>() = var(v, axes<0>),
                y_data.template view<"y", 2>() = v - mean(v, axes<0>, keepdims));
    const NdArray means = reduce_reference(mean_reference, x, 0b01);
    check_close(y_data.read(), map_reference(std::minus<>{}, x, means), 1e-5, 1e-5);
    check_close(mean_data.read(), means, 1e-5, 1e-5);
    check_close(var_data.read(), reduce_reference(variance_reference, x, 0b01), 1e-5);
    target.eval(y_data.template view<"y", 2>() = softmax(v, axes<0>));
    const NdArray powers = map_reference([](double a) { return std::exp(a); }, x);
    check_close(y_data.read(), map_reference(std::divides<>{}, powers, reduce_reference(sum_reference, powers, 0b01)),
                1e-5);
}

inline std::vector<Extent> column_shapes() {
    return {{1, 1}, {700, 1}, {257, 7}, {40, 8}, {700, 49}, {129, 64}, {66, 65}, {90, 100}, {1, 130}, {11, 1001}};
}

}  // namespace fuse::testing
