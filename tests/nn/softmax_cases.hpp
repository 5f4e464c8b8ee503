// SPDX-License-Identifier: Apache-2.0
//
// softmax with a temperature, a mask and a causal mask, softmin, gumbel_softmax, standardize and minmax_scale through a
// target, against loops in double.
#pragma once

#include <limits>

#include "fuse/nn.hpp"
#include "nn/numbers.hpp"

namespace fuse::testing {

/// Over the last axis of two or three.
inline NdArray log_softmax_reference(const NdArray& x) {
    return map_reference([](double e, double l) { return e - l; }, x,
                         reduce_reference(logsumexp_reference, x, 1U << (x.extent.size() - 1), true));
}
inline NdArray softmax_reference(const NdArray& x) {
    return map_reference([](double l) { return std::exp(l); }, log_softmax_reference(x));
}

/// A mask of a column of each row, of rows as a whole, and of nothing.
template <class Target>
void check_softmax_variants(const Target& target) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_floats(extent, -4, 4, 101);
        NdArray mask = random_integers(extent, 0, 1, 102);
        for (index_t row = 0; row < extent[0]; ++row) {
            mask(Coordinate{row, extent[1] / 2}) = 1;
        }
        Tensor<Target, float> x_data(x);
        Tensor<Target, bool> mask_data(mask);
        Tensor<Target, float> warm(extent);
        Tensor<Target, float> warm_log(extent);
        Tensor<Target, float> masked(extent);
        Tensor<Target, float> least(extent);
        const auto v = x_data.template const_view<"x", 2>();
        target.eval(warm.template view<"warm", 2>() = softmax(v, 0.25),
                    warm_log.template view<"log", 2>() = log_softmax(v, axes<1>, 4.0F),
                    masked.template view<"masked", 2>() = masked_softmax(v, mask_data.template const_view<"k", 2>()),
                    least.template view<"least", 2>() = softmin(v));
        const auto times = [&](double factor) { return map_reference([=](double e) { return e * factor; }, x); };
        check_close(warm.read(), softmax_reference(times(4)), 8e-6);
        check_close(warm_log.read(), log_softmax_reference(times(0.25)), 2e-6, 2e-6);
        check_close(masked.read(),
                    softmax_reference(map_reference([](double e, double k) { return k != 0 ? e : -inf; }, x, mask)),
                    2e-6);
        check_close(least.read(), softmax_reference(times(-1)), 2e-6);
    }
}

/// Rows without anything to fold, a mask that broadcasts, and scores that are infinite where the mask is false.
template <class Target>
void check_masked_softmax_edges(const Target& target) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const NdArray x = numbers({3, 3}, {0, inf, 0, 1, nan, 2, -inf, 7, -inf});
    Tensor<Target, float> x_data(x);
    Tensor<Target, int> column_data(numbers({3}, {1, 0, 1}));
    Tensor<Target, float> y(x.extent);
    target.eval(y.template view<"y", 2>() = masked_softmax(x_data.template const_view<"x", 2>(),
                                                           column_data.template const_view<"k", 1>() != 0));
    const double second = 1 / (1 + std::exp(1.0));
    check_close(y.read(), numbers({3, 3}, {0.5, 0, 0.5, second, 0, 1 - second, nan, nan, nan}), 1e-6);
}

/// Scores of (batch, queries, keys): as many, more and fewer keys than queries, aligned at the first and at the last.
template <class Target>
void check_causal_softmax(const Target& target) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (const Extent& extent : {Extent{1, 1, 1}, Extent{2, 5, 5}, Extent{3, 4, 70}, Extent{2, 9, 3}}) {
        const index_t queries = extent[1];
        const index_t keys = extent[2];
        for (const index_t diagonal : {index_t{0}, keys - queries}) {
            INFO("shape " << to_text(extent) << ", diagonal " << diagonal);
            const NdArray x = random_floats(extent, -4, 4, 103);
            NdArray seen = x;
            for_each_coordinate(extent,
                                [&](const Coordinate& at) { seen(at) = at[2] <= at[1] + diagonal ? x(at) : -inf; });
            Tensor<Target, float> x_data(x);
            Tensor<Target, float> y(extent);
            target.eval(y.template view<"y", 3>() = causal_softmax(x_data.template const_view<"x", 3>(), diagonal));
            // A query before all keys is NaN.
            check_close(y.read(), softmax_reference(seen), 2e-6);
        }
    }
}

/// Of the numbers that uniform(seed) gives there.
template <class Target>
void check_gumbel_softmax(const Target& target) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        const NdArray logits = random_floats(extent, -4, 4, 104);
        Tensor<Target, float> x_data(logits);
        Tensor<Target, float> drawn(extent);
        Tensor<Target, float> sample(extent);
        Tensor<Target, float> sharp(extent);
        const auto x = x_data.template const_view<"x", 2>();
        target.eval(drawn.template view<"u", 2>() = fuse::uniform(7),
                    sample.template view<"y", 2>() = gumbel_softmax(x, 7),
                    sharp.template view<"z", 2>() = gumbel_softmax(x, 7, 0.5));
        const NdArray noisy =
            map_reference([](double e, double u) { return e - std::log(-std::log(u)); }, logits, drawn.read());
        check_close(sample.read(), softmax_reference(noisy), 1e-5);
        check_close(sharp.read(), softmax_reference(map_reference([](double e) { return 2 * e; }, noisy)), 3e-5);
    }
}

/// Rows and columns of equal numbers, whose mean is rounded.
template <class Target>
void check_standardized_constants(const Target& target) {
    for (index_t n = 1; n <= 40; ++n) {
        NdArray x({4, n});
        const float numbers[] = {0.1F, 0.3F, 1234.567F, 1e-3F};
        for_each_coordinate(x.extent, [&](const Coordinate& c) { x(c) = numbers[c[0]]; });
        Tensor<Target, float> data(x);
        Tensor<Target, float> rows({4, n});
        const auto v = data.template const_view<"x", 2>();
        target.eval(rows.template view<"y", 2>() = standardize(v));
        INFO("rows of " << n);
        check_equal(rows.read(), NdArray({4, n}));
        Tensor<Target, float> columns({n, 4});
        target.eval(columns.template view<"y", 2>() = standardize(transpose(v), axes<0>));
        check_equal(columns.read(), NdArray({n, 4}));
    }
}

/// Also of rows that are the same everywhere.
template <class Target>
void check_scaling(const Target& target) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        NdArray x = random_floats(extent, -3, 5, 105);
        for (index_t column = 0; column < extent[1]; ++column) {
            x(Coordinate{extent[0] - 1, column}) = 1.5;
        }
        Tensor<Target, float> x_data(x);
        Tensor<Target, float> standard(extent);
        Tensor<Target, float> unit(extent);
        Tensor<Target, float> stretched(extent);
        const auto v = x_data.template const_view<"x", 2>();
        target.eval(standard.template view<"s", 2>() = standardize(v), unit.template view<"u", 2>() = minmax_scale(v),
                    stretched.template view<"t", 2>() = minmax_scale(v, -2.0, 4.0));
        const NdArray mean = reduce_reference(mean_reference, x, 0b10, true);
        const NdArray variance = reduce_reference(variance_reference, x, 0b10, true);
        const NdArray highest = reduce_reference(max_reference, x, 0b10, true);
        const NdArray lowest =
            map_reference([](double e) { return -e; },
                          reduce_reference(max_reference, map_reference([](double e) { return -e; }, x), 0b10, true));
        const auto over = [](double e, double m, double d) { return d == 0 ? 0 : (e - m) / d; };
        check_close(standard.read(),
                    map_reference(over, x, mean, map_reference([](double s) { return std::sqrt(s); }, variance)), 4e-6,
                    4e-6);
        const NdArray range = map_reference([](double h, double l) { return h - l; }, highest, lowest);
        const NdArray scaled = map_reference(over, x, lowest, range);
        check_close(unit.read(), scaled, 2e-6, 1e-7);
        check_close(stretched.read(), map_reference([](double e) { return 6 * e - 2; }, scaled), 2e-6, 1e-6);
    }
}

}  // namespace fuse::testing
