// SPDX-License-Identifier: Apache-2.0
//
// Coordinates compared with a number of the row: all six comparisons, either way round, with numbers of every size, by
// the kernels of all lengths of rows.
#pragma once

#include <limits>

#include "support/tensor.hpp"

namespace fuse::testing {

/// Whether the coordinate compares with the number of a row, as a sum of different weights: 0 to 63.
template <class I, class T>
auto comparisons(const I& i, const T& t) {
    const auto one = [](const auto& holds, float weight) { return where(holds, weight, 0.0F); };
    return one(i < t, 1) + one(i <= t, 2) + one(t < i, 4) + one(t <= i, 8) + one(i == t, 16) + one(t != i, 32);
}
inline double comparisons_reference(double i, double t) {
    return (i < t ? 1 : 0) + (i <= t ? 2 : 0) + (t < i ? 4 : 0) + (t <= i ? 8 : 0) + (i == t ? 16 : 0) +
           (t != i ? 32 : 0);
}

/// Rows of `columns` elements, with numbers of type I: around both ends of the row, within it, and beyond.
template <class T, class I, class Target>
void check_positions(const Target& target, index_t columns, Placement placement) {
    INFO(columns << " columns, numbers of " << sizeof(I) << " bytes");
    using limits = std::numeric_limits<I>;
    std::vector<I> numbers{limits::min(), limits::max(), I(limits::max() - 1), 0, 1, 3, 7, 8};
    for (const index_t near : {index_t{-1}, columns / 2, columns - 1, columns, columns + 1, index_t{1} << 31,
                               index_t{1} << 32, (index_t{1} << 32) + 5}) {
        if (near >= static_cast<index_t>(limits::min()) &&
            static_cast<std::uint64_t>(near < 0 ? 0 : near) <= limits::max()) {
            numbers.push_back(static_cast<I>(near));
        }
    }
    const auto rows = static_cast<index_t>(numbers.size());
    Tensor<Target, I> number_data(Extent{rows});
    std::copy(numbers.begin(), numbers.end(), number_data.origin());
    Tensor<Target, T> x_data(random_integers({rows, columns}, 1, 4, 7), placement);
    Tensor<Target, float> y_data(Extent{rows, columns}, placement), s_data(Extent{rows});
    const NdArray x = x_data.read();

    const auto X = x_data.template const_view<"x", 2>();
    const auto t = expand_dims<1>(number_data.template const_view<"t", 1>());
    const auto weighted = X * comparisons(index<1>(), t);
    const auto largest = max(weighted, axes<1>, keepdims);
    target.eval(y_data.template view<"y", 2>() = weighted - largest,
                s_data.template view<"s", 1>() = sum(weighted, axes<1>));

    const NdArray y = y_data.read(), s = s_data.read();
    for (index_t r = 0; r < rows; ++r) {
        std::vector<double> expected;
        for (index_t c = 0; c < columns; ++c) {
            // Numbers beyond 2^53 are none of the coordinates, however they are rounded.
            const double holds = comparisons_reference(static_cast<double>(c),
                                                       static_cast<double>(numbers[static_cast<std::size_t>(r)]));
            expected.push_back(x({r, c}) * holds);
        }
        const double most = *std::max_element(expected.begin(), expected.end());
        double total = 0;
        bool right = true;
        for (index_t c = 0; c < columns; ++c) {
            total += expected[static_cast<std::size_t>(c)];
            right = right && y({r, c}) == expected[static_cast<std::size_t>(c)] - most;
        }
        INFO("number " << +numbers[static_cast<std::size_t>(r)]);
        CHECK(right);
        CHECK(s({r}) == Catch::Approx(total).epsilon(1e-6));
    }
}

template <class Target>
void check_all_positions(const Target& target, std::initializer_list<index_t> lengths) {
    for (const index_t columns : lengths) {
        check_positions<float, index_t>(target, columns, Placement::row_major);
        check_positions<bfloat16, int>(target, columns, Placement::row_major);
        check_positions<float, std::int8_t>(target, columns, Placement::misaligned);
        check_positions<bfloat16, unsigned>(target, columns, Placement::row_major);
    }
    check_positions<double, index_t>(target, 48, Placement::transposed);
    check_positions<float, std::uint64_t>(target, 64, Placement::row_major);
}

}  // namespace fuse::testing
