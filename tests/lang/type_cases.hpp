// SPDX-License-Identifier: Apache-2.0
//
// Every element type: copied, compared, converted, and reduced over rows, columns and everything. Whole numbers that
// every type holds, so results are exact.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

template <class T>
NdArray values_of_type(const Extent& extent) {
    constexpr bool is_bool = std::is_same_v<T, bool>;
    constexpr bool is_signed = !std::is_unsigned_v<T>;
    return random_integers(extent, is_signed && !is_bool ? -50 : 0, is_bool ? 1 : 100, 17);
}

template <class T, class Target>
void check_maps_of_type(const Target& target) {
    for (const Extent& extent : {Extent{1, 1}, Extent{3, 37}, Extent{16, 16}}) {
        for (const Placement placement : {Placement::row_major, Placement::padded, Placement::misaligned}) {
            const NdArray x = values_of_type<T>(extent);
            Tensor<Target, T> x_data(x, placement);
            Tensor<Target, T> copy_data(extent, placement);
            Tensor<Target, bool> above_data(extent);
            Tensor<Target, double> half_data(extent);
            const auto v = x_data.template const_view<"x", 2>();
            target.eval(copy_data.template view<"copy", 2>() = v, above_data.template view<"above", 2>() = v > 1,
                        half_data.template view<"half", 2>() = cast<double>(v) * 0.5);
            check_equal(copy_data.read(), x);
            check_equal(above_data.read(), map_reference([](double e) { return e > 1 ? 1.0 : 0.0; }, x));
            check_equal(half_data.read(), map_reference([](double e) { return e * 0.5; }, x));
            CHECK(copy_data.gaps_intact());
        }
    }
}

/// Sums and largest values along one axis of a matrix. Sums of narrow types do not fit them: read as double.
template <class T, std::uint32_t Mask, class Target>
void check_reductions_of_type(const Target& target) {
    constexpr int axis = Mask == 1 ? 0 : 1;
    for (const Extent& extent : {Extent{1, 1}, Extent{3, 37}, Extent{64, 16}, Extent{5, 132}, Extent{260, 9}}) {
        for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
            INFO("shape " << to_text(extent));
            const NdArray x = values_of_type<T>(extent);
            const NdArray sums = reduce_reference(sum_reference, x, Mask);
            Tensor<Target, T> x_data(x, placement);
            Tensor<Target, double> sum_data(sums.extent);
            Tensor<Target, T> max_data(sums.extent);
            const auto v = x_data.template const_view<"x", 2>();
            target.eval(sum_data.template view<"sum", 1>() = sum(v, axes<axis>),
                        max_data.template view<"max", 1>() = max(v, axes<axis>));
            check_equal(sum_data.read(), sums);
            check_equal(max_data.read(), reduce_reference(max_reference, x, Mask));
        }
    }
}

template <class T, class Target>
void check_total_of_type(const Target& target) {
    const NdArray x = values_of_type<T>({2000});
    Tensor<Target, T> x_data(x);
    CHECK(static_cast<double>(target.value(sum(x_data.template view<"x", 1>()))) == sum_reference(x.value));
}

/// A map and a reduction whose operands all have different types.
template <class Target>
void check_mixed_types(const Target& target) {
    const Extent extent{7, 45};
    const NdArray a = values_of_type<std::int8_t>(extent);
    const NdArray b = values_of_type<bfloat16>({45});
    const NdArray c = values_of_type<std::uint16_t>({7, 1});
    const NdArray d = values_of_type<bool>(extent);
    Tensor<Target, std::int8_t> a_data(a);
    Tensor<Target, bfloat16> b_data(b);
    Tensor<Target, std::uint16_t> c_data(c);
    Tensor<Target, bool> d_data(d);
    Tensor<Target, float> y_data(extent);
    Tensor<Target, double> s_data(Extent{7});
    const auto e =
        where(d_data.template view<"d", 2>(), a_data.template view<"a", 2>() * b_data.template view<"b", 1>(),
              c_data.template view<"c", 2>());
    const auto picked = [](double if_a, double if_b, double if_c, double if_d) {
        return if_d != 0 ? if_a * if_b : if_c;
    };
    const NdArray expected = map_reference(picked, a, b, c, d);
    target.eval(y_data.template view<"y", 2>() = e, s_data.template view<"s", 1>() = sum(e, axes<1>));
    check_equal(y_data.read(), expected);
    check_equal(s_data.read(), reduce_reference(sum_reference, expected, 0b10));
}

}  // namespace fuse::testing
