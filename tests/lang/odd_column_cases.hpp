// SPDX-License-Identifier: Apache-2.0
//
// Columns of narrow types whose rows lie as no vectors: of any length, from any element on, beside each other, apart or the
// last one first, in memory that ends with the last element. Whole numbers, so that all sums are exact.
#pragma once

#include "lang/axes_cases.hpp"

namespace fuse::testing {

/// Where the rows of a matrix lie: the first element, how much longer their distance is than they are, and whether the last
/// row comes first.
struct ColumnPlaces {
    index_t first = 0;
    index_t gap = 0;
    bool turned = false;
};

/// An array (a, rows, n) with memory of its own, of exactly the size that it needs.
template <class Target, class T>
class OddColumns {
public:
    OddColumns(const NdArray& values, ColumnPlaces places)
        : extent_(values.extent), places_(places), pitch_(extent_[2] + places.gap),
          buffer_(static_cast<std::size_t>(places.first + extent_[0] * extent_[1] * pitch_ - places.gap)) {
        std::fill_n(buffer_.data(), buffer_.size(), to_element<T>(1));
        for_each_coordinate(extent_, [&](const Coordinate& at) {
            const index_t row = places_.turned ? extent_[1] - 1 - at[1] : at[1];
            const index_t place = places_.first + (at[0] * extent_[1] + row) * pitch_ + at[2];
            buffer_[static_cast<std::size_t>(place)] = to_element<T>(values(at));
        });
    }
    template <fixed_name N>
    auto view() {
        const index_t first = places_.first + (places_.turned ? (extent_[1] - 1) * pitch_ : 0);
        return strided_view<N>(buffer_.data() + first, Shape{3, {extent_[0], extent_[1], extent_[2]}},
                               Shape{3, {extent_[1] * pitch_, places_.turned ? -pitch_ : pitch_, 1}},
                               std::integer_sequence<int, 0, 1, 2>{});
    }

private:
    Extent extent_;
    ColumnPlaces places_;
    index_t pitch_;
    typename Target::template Array<T> buffer_;
};

/// Sums of products, and the places of the largest, of two arrays that begin anywhere.
template <class T, class Target>
void check_odd_columns(const Target& target, const Extent& extent, ColumnPlaces of_x, ColumnPlaces of_y) {
    INFO(to_text(extent) << ", x from " << of_x.first << " + " << of_x.gap << (of_x.turned ? " turned" : "")
                         << ", y from " << of_y.first << " + " << of_y.gap);
    const NdArray x = random_integers(extent, -6, 6, 41);
    const NdArray y = random_integers({1, extent[1], extent[2]}, -3, 3, 42);
    OddColumns<Target, T> x_data(x, of_x);
    OddColumns<Target, T> y_data(y, of_y);
    const Extent kept{extent[0], extent[2]};
    Tensor<Target, float> sum_data(kept);
    Tensor<Target, T> largest_data(kept);
    Tensor<Target, std::int64_t> where_data(kept);
    const auto a = x_data.template view<"x">();
    const auto b = y_data.template view<"y">();
    target.eval(sum_data.template view<"sum", 2>() = sum(cast<float>(a) * b, axes<1>));
    target.eval(largest_data.template view<"largest", 2>() = max(a, axes<1>),
                where_data.template view<"where", 2>() = argmax(a, axes<1>));
    const NdArray products = map_reference(std::multiplies<>{}, x, y);
    check_equal(sum_data.read(), reduce_reference(sum_reference, products, 0b010));
    check_equal(largest_data.read(), reduce_reference(max_reference, x, 0b010));
    check_equal(where_data.read(), reduce_reference(argmax_reference, x, 0b010));
}

/// Of what a mask takes, weighted by row: operands of one byte, of four, and of another number of axes.
template <class Target>
void check_masked_columns(const Target& target, const Extent& extent, ColumnPlaces of_mask, ColumnPlaces of_x) {
    INFO(to_text(extent) << ", mask from " << of_mask.first << ", x from " << of_x.first);
    const NdArray x = random_integers(extent, -6, 6, 43);
    const NdArray mask = random_integers(extent, 0, 1, 44);
    const NdArray weight = random_integers({extent[1], 1}, -2, 2, 45);
    OddColumns<Target, float> x_data(x, of_x);
    OddColumns<Target, bool> mask_data(mask, of_mask);
    Tensor<Target, float> weight_data(weight);
    Tensor<Target, float> sum_data(Extent{extent[0], extent[2]});
    target.eval(sum_data.template view<"sum", 2>() =
                    sum(where(mask_data.template view<"mask">(), x_data.template view<"x">(), 0.0F) *
                            weight_data.template const_view<"weight", 2>(),
                        axes<1>));
    const auto term = [](double m, double v, double w) { return m * v * w; };
    check_equal(sum_data.read(), reduce_reference(sum_reference, map_reference(term, mask, x, weight), 0b010));
}

/// All lengths around vectors, pieces and tiles, from all elements on.
template <class Target>
void check_all_odd_columns(const Target& target) {
    constexpr index_t lengths[] = {1, 2, 3, 7, 8, 9, 15, 17, 24, 31, 33, 63, 65, 127, 129, 258, 515};
    constexpr index_t heights[] = {1, 2, 3, 5, 9, 40, 131};
    index_t k = 0;
    for (const index_t n : lengths) {
        for (const index_t rows : heights) {
            const index_t first = k++ % 8;
            check_odd_columns<bfloat16>(target, {1, rows, n}, {first}, {(first * 3 + 1) % 8});
            check_odd_columns<std::int8_t>(target, {1, rows, n}, {first}, {(first * 5 + 2) % 16});
            check_masked_columns(target, {1, rows, n}, {first}, {(first + 3) % 4});
        }
        check_odd_columns<float16>(target, {1, 40, n}, {n % 8}, {3});
        check_masked_columns(target, {1, 0, n}, {n % 8}, {1});
    }
    for (const ColumnPlaces places : {ColumnPlaces{1, 0, true}, ColumnPlaces{3, 1}, ColumnPlaces{0, 5, true}}) {
        check_odd_columns<bfloat16>(target, {1, 70, 33}, places, {5});
        check_odd_columns<std::int8_t>(target, {3, 37, 29}, places, {5});
    }
    for (const Extent& extent : {Extent{3, 40, 25}, {5, 2, 131}, {2, 9, 257}}) {
        check_odd_columns<bfloat16>(target, extent, {1}, {2});
        check_odd_columns<std::int8_t>(target, extent, {0}, {3});
        check_masked_columns(target, extent, {3}, {1});
    }
}

}  // namespace fuse::testing
