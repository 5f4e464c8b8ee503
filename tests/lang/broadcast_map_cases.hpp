// SPDX-License-Identifier: Apache-2.0
//
// Maps of operands that do not all have the domain's axes, of any placement: a bias of columns, a scale of channels, one of
// rows, a mask that all planes share, coordinates; innermost axes from one element to many vectors, outputs with gaps,
// outputs over their inputs. Numbers are whole, so that all types hold the results.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

/// The planes, rows and columns of x, and where operand and output lie.
struct BroadcastCase {
    index_t planes;
    index_t rows;
    index_t columns;
    Placement in = Placement::row_major;
    Placement out = Placement::row_major;
};

/// y = x * c + b + t - m * s + coordinates, where c has the rows, b the columns, t the planes and columns, m planes and rows,
/// s the planes; r = x + c * s has what lies outside the innermost axis alone; and x over itself, of
/// types that are no integers; r of two types.
template <class T, class Target>
void check_broadcast_map(const Target& target, const BroadcastCase& shape) {
    const auto [A, B, C, in, out] = shape;
    INFO(A << "x" << B << "x" << C << ", placements " << static_cast<int>(in) << " and " << static_cast<int>(out));
    unsigned seed = 0;
    const auto numbers = [&](const Extent& extent) { return random_integers(extent, 0, 3, ++seed); };
    Tensor<Target, T> x_data(numbers({A, B, C}), in), b_data(numbers({C})), t_data(numbers({A, C}), in);
    Tensor<Target, T> m_data(numbers({A, B}), in);
    Tensor<Target, float> c_data(numbers({B})), s_data(numbers({A}));
    Tensor<Target, T> y_data(Extent{A, B, C}, out), r_data(Extent{A, B, C}, out);
    const NdArray x = x_data.read(), b = b_data.read(), t = t_data.read(), m = m_data.read(), c = c_data.read(),
                  s = s_data.read();

    const auto X = x_data.template const_view<"x", 3>();
    const auto c_rows = expand_dims<1>(c_data.template const_view<"c", 1>());
    const auto s_planes = expand_dims<1>(expand_dims<1>(s_data.template const_view<"s", 1>()));
    const auto t_rows = expand_dims<1>(t_data.template const_view<"t", 2>());
    const auto m_columns = expand_dims<2>(m_data.template const_view<"m", 2>());
    const auto b_all = b_data.template const_view<"b", 1>();
    target.eval(y_data.template view<"y", 3>() = X * c_rows + b_all + t_rows - m_columns * s_planes +
                                                 where(index<2>() < index<1>(), 1.0F, 0.0F) +
                                                 cast<float>(index<0>() % 2));
    constexpr bool of_few_types = std::is_same_v<T, float> || std::is_same_v<T, bfloat16>;
    if constexpr (of_few_types) {
        target.eval(r_data.template view<"r", 3>() = X + c_rows * s_planes);
    }

    const NdArray y = y_data.read(), r = r_data.read();
    std::size_t wrong = 0;
    for (index_t i = 0; i < A; ++i) {
        for (index_t j = 0; j < B; ++j) {
            for (index_t k = 0; k < C; ++k) {
                const double expected = x({i, j, k}) * c({j}) + b({k}) + t({i, k}) - m({i, j}) * s({i}) +
                                        (k < j ? 1 : 0) + static_cast<double>(i % 2);
                wrong += y({i, j, k}) != expected;
                wrong += of_few_types && r({i, j, k}) != x({i, j, k}) + c({j}) * s({i});
            }
        }
    }
    CHECK(wrong == 0);
    CHECK((y_data.gaps_intact() && r_data.gaps_intact()));

    if constexpr (!std::is_integral_v<T>) {
        target.eval(x_data.template view<"x", 3>() = x_data.template view<"x", 3>() + c_rows - b_all);
        const NdArray over = x_data.read();
        wrong = 0;
        for (index_t i = 0; i < A; ++i) {
            for (index_t j = 0; j < B; ++j) {
                for (index_t k = 0; k < C; ++k) {
                    wrong += over({i, j, k}) != x({i, j, k}) + c({j}) - b({k});
                }
            }
        }
        CHECK(wrong == 0);
        CHECK(x_data.gaps_intact());
    }
}

/// Operands with an extent of 1 that their types do not tell, beside matrices.
template <class T, class Target>
void check_stretched_map(const Target& target, index_t rows, index_t columns) {
    INFO(rows << "x" << columns);
    Tensor<Target, T> x_data(random_integers({rows, columns}, 0, 9, 1)), y_data(Extent{rows, columns});
    Tensor<Target, T> w_data(random_integers({rows, 1}, 0, 9, 2)), b_data(random_integers({1, columns}, 0, 9, 3));
    const NdArray x = x_data.read(), w = w_data.read(), b = b_data.read();
    target.eval(y_data.template view<"y", 2>() =
                    x_data.template const_view<"x", 2>() * w_data.template const_view<"w", 2>() +
                    b_data.template const_view<"b", 2>());
    const NdArray y = y_data.read();
    std::size_t wrong = 0;
    for (index_t i = 0; i < rows; ++i) {
        for (index_t j = 0; j < columns; ++j) {
            wrong += y({i, j}) != x({i, j}) * w({i, 0}) + b({0, j});
        }
    }
    CHECK(wrong == 0);
}

template <class Target>
void check_broadcast_maps(const Target& target) {
    constexpr BroadcastCase shapes[] = {{1, 1, 1},   {1, 1, 40},  {3, 1, 1},   {6, 5, 1},  {1, 7, 2},   {4, 9, 3},
                                        {5, 2, 4},   {3, 5, 5},   {2, 6, 7},   {7, 3, 8},  {2, 11, 9},  {5, 4, 12},
                                        {3, 3, 13},  {2, 5, 16},  {1, 31, 17}, {9, 2, 49}, {2, 3, 196}, {70, 1, 33},
                                        {1, 2, 600}, {3, 7, 257}, {2, 2, 2048}};
    for (const BroadcastCase& shape : shapes) {
        check_broadcast_map<float>(target, shape);
        check_broadcast_map<bfloat16>(target, shape);
        check_stretched_map<float>(target, shape.rows, shape.columns);
    }
    for (const Placement in : all_placements) {
        for (const Placement out : all_placements) {
            for (const index_t columns : {3, 8, 21}) {
                check_broadcast_map<float>(target, {3, 4, columns, in, out});
            }
            check_broadcast_map<bfloat16>(target, {2, 5, 24, in, out});
        }
    }
    check_broadcast_map<double>(target, {3, 5, 7});
    check_broadcast_map<double>(target, {2, 5, 6, Placement::misaligned});
    check_broadcast_map<std::int8_t>(target, {3, 5, 37});
    check_broadcast_map<int>(target, {3, 5, 20});
}

}  // namespace fuse::testing
