// SPDX-License-Identifier: Apache-2.0
//
// Scans along any axis against one loop over doubles. Elements are whole numbers, or powers of two, wherever the result
// is then exact: a fold that takes one element too many or too few, or in another order, shows whatever the tiles are.
#pragma once

#include "lang/user_op_cases.hpp"

namespace fuse::testing {

/// The running fold along an axis. step(state, at, s) takes element `at` (row-major), number s along the axis.
template <class State, class Step>
NdArray scan_reference(const Extent& extent, int axis, State start, Step step, bool leave_out_own = false) {
    NdArray result(extent);
    const index_t n = extent[static_cast<std::size_t>(axis)];
    index_t inner = 1;
    for (std::size_t k = static_cast<std::size_t>(axis) + 1; k < extent.size(); ++k) {
        inner *= extent[k];
    }
    const index_t lines = n == 0 ? 0 : result.size() / n;
    for (index_t line = 0; line < lines; ++line) {
        State state = start;
        for (index_t s = 0; s < n; ++s) {
            const auto at = static_cast<std::size_t>((line / inner * n + s) * inner + line % inner);
            const State before = state;
            step(state, at, s);
            result.value[at] = static_cast<double>(leave_out_own ? before : state);
        }
    }
    return result;
}
inline NdArray cumsum_reference(const NdArray& x, int axis, bool leave_out_own = false) {
    return scan_reference(
        x.extent, axis, 0.0, [&](double& sum, std::size_t at, index_t) { sum += x.value[at]; }, leave_out_own);
}
inline NdArray cummax_reference(const NdArray& x, int axis) {
    return scan_reference(x.extent, axis, -HUGE_VAL, [&](double& most, std::size_t at, index_t) {
        most = std::isnan(most) || most >= x.value[at] ? most : x.value[at];
    });
}

/// Along any axis every seven of them have product 1, so that products stay exact.
inline NdArray factors(const Extent& extent) {
    constexpr double cycle[] = {2, -1, 0.5, 1, 4, -0.25, 1};
    NdArray a(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        index_t sum = 0;
        for (const index_t i : at) {
            sum += i;
        }
        a(at) = cycle[sum % 7];
    });
    return a;
}
/// Rising slowly along all axes, with noise: the largest so far changes every few elements.
inline NdArray rising(const Extent& extent) {
    NdArray a = random_integers(extent, -9, 9, 12);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        for (const index_t i : at) {
            a(at) += static_cast<double>(i / 4);
        }
    });
    return a;
}

/// Three scans in one kernel.
template <int Axis, class T, class Target>
void check_scans(const Target& target, const std::vector<Extent>& shapes, Placement placement) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis << ", placement " << static_cast<int>(placement));
        Tensor<Target, T> x_data(random_integers(extent, -3, 3, 11), placement);
        Tensor<Target, T> p_data(factors(extent));
        Tensor<Target, T> r_data(rising(extent), placement);
        Tensor<Target, T> sum_data(extent, placement), prod_data(extent), max_data(extent);
        target.eval(sum_data.template view<"sum", 3>() = cumsum(x_data.template const_view<"x", 3>(), axes<Axis>),
                    prod_data.template view<"prod", 3>() =
                        cumprod(p_data.template view<"p", 3>(), axes<Axis - 3>, exclusive),
                    max_data.template view<"max", 3>() = cummax(r_data.template view<"r", 3>(), axes<Axis>));
        check_equal(sum_data.read(), cumsum_reference(x_data.read(), Axis));
        const NdArray p = p_data.read();
        check_equal(prod_data.read(),
                    scan_reference(
                        extent, Axis, 1.0, [&](double& all, std::size_t at, index_t) { all *= p.value[at]; }, true));
        check_equal(max_data.read(), cummax_reference(r_data.read(), Axis));
        CHECK(sum_data.gaps_intact());
    }
}

/// One scan, over every placement of operand and result.
template <int Rank, int Axis, class Target>
void check_scan_of_rank(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        for (const Placement placement : all_placements) {
            INFO("shape " << to_text(extent) << ", axis " << Axis << ", placement " << static_cast<int>(placement));
            Tensor<Target, float> x_data(random_integers(extent, -3, 3, 13), placement);
            Tensor<Target, float> y_data(extent, placement == Placement::spaced ? Placement::row_major : placement);
            const auto v = x_data.template const_view<"x", Rank>();
            target.eval(y_data.template view<"y", Rank>() = cumsum(v, axes<Axis>));
            check_equal(y_data.read(), cumsum_reference(x_data.read(), Axis));
            CHECK(y_data.gaps_intact());
        }
    }
}

/// Rows that begin between two vectors, operand and result alike or not.
template <class T, class Target>
void check_odd_rows(const Target& target, const std::vector<Extent>& shapes) {
    constexpr Placement placements[] = {Placement::row_major, Placement::padded, Placement::misaligned};
    for (const Extent& extent : shapes) {
        for (const Placement of_x : placements) {
            for (const Placement of_y : placements) {
                INFO("shape " << to_text(extent) << ", placements " << static_cast<int>(of_x) << ", "
                              << static_cast<int>(of_y));
                Tensor<Target, T> x_data(random_integers(extent, -1, 1, 18), of_x);
                Tensor<Target, T> y_data(extent, of_y);
                target.eval(y_data.template view<"y", 2>() = cumsum(x_data.template const_view<"x", 2>(), axes<1>));
                check_equal(y_data.read(), cumsum_reference(x_data.read(), 1));
                CHECK(y_data.gaps_intact());
            }
        }
    }
}

/// The running composition of affine maps, which shows every change of order.
template <int Axis, class Target>
void check_scan_order(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis);
        Tensor<Target, std::uint32_t> x_data(random_integers(extent, 0, 1000, 14));
        Tensor<Target, std::uint32_t> with_data(extent), before_data(extent);
        const auto v = x_data.template const_view<"x", 2>();
        const auto maps = map(MakeAffine{}, v * 2U + 1U, v * v);
        target.eval(with_data.template view<"with", 2>() = map(ShiftOf{}, scan(Compose{}, maps, axes<Axis>)),
                    before_data.template view<"before", 2>() =
                        map(ShiftOf{}, scan(Compose{}, maps, exclusive, axes<Axis>)));
        const NdArray x = x_data.read();
        const auto step = [&](std::uint32_t& shift, std::size_t at, index_t) {
            const auto n = static_cast<std::uint32_t>(x.value[at]);
            shift = (2 * n + 1) * shift + n * n;
        };
        check_equal(with_data.read(), scan_reference(extent, Axis, std::uint32_t{0}, step));
        check_equal(before_data.read(), scan_reference(extent, Axis, std::uint32_t{0}, step, true));
    }
}

/// Linear recurrences with one factor, one per element and one per line.
template <int Axis, class T, class Target>
void check_discounted(const Target& target, const std::vector<Extent>& shapes, double tolerance) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis);
        Tensor<Target, T> x_data(random_reals(extent, -1, 1, 15));
        Tensor<Target, T> g_data(random_reals(extent, -0.9, 0.9, 16));
        Tensor<Target, T> l_data(random_reals({extent[Axis == 0 ? 1 : 0]}, 0.1, 0.9, 17));
        Tensor<Target, T> one_data(extent), each_data(extent), line_data(extent);
        const auto v = x_data.template const_view<"x", 2>();
        const auto per_line = expand_dims<Axis>(l_data.template view<"l", 1>());
        target.eval(one_data.template view<"one", 2>() = discounted_cumsum(v, static_cast<T>(0.75), axes<Axis>));
        target.eval(each_data.template view<"each", 2>() =
                        discounted_cumsum(v, g_data.template view<"g", 2>(), axes<Axis>),
                    line_data.template view<"line", 2>() = discounted_cumsum(v, per_line, axes<Axis>));
        const NdArray x = x_data.read();
        const auto expected = [&](const NdArray& factor) {
            return scan_reference(extent, Axis, 0.0,
                                  [&](double& y, std::size_t at, index_t) { y = x.value[at] + factor.value[at] * y; });
        };
        NdArray line = l_data.read();
        line.extent = Axis == 0 ? Extent{1, extent[1]} : Extent{extent[0], 1};
        const auto second = [](double, double b) { return b; };
        check_close(one_data.read(), expected(NdArray(extent, 0.75)), tolerance, tolerance);
        check_close(each_data.read(), expected(g_data.read()), tolerance, tolerance);
        check_close(line_data.read(), expected(map_reference(second, x, line)), tolerance, tolerance);
    }
}

/// Lengths about those of vectors, warps and tiles.
inline std::vector<Extent> scan_row_shapes() {
    std::vector<Extent> shapes;
    for (const index_t n : {1, 2, 3, 7, 13, 31, 63, 64, 65, 127, 255, 256, 257, 509, 1000, 1021, 4096, 4097}) {
        shapes.push_back({n > 300 ? 1 : 2, n > 1000 ? 1 : 3, n});
    }
    return shapes;
}
inline std::vector<Extent> scan_odd_shapes() {
    std::vector<Extent> shapes;
    for (const index_t n : {1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 33, 64, 127, 203, 256, 511, 877}) {
        shapes.push_back({n > 100 ? 5 : 37, n});
    }
    for (const index_t n : {2049, 2060, 3001, 4096, 4099, 4111}) {
        shapes.push_back({3, n});
    }
    return shapes;
}
inline std::vector<Extent> scan_column_shapes() {
    return {{1, 1, 1},  {2, 2, 3},    {3, 7, 4},    {2, 31, 13}, {1, 64, 33},
            {2, 65, 5}, {1, 257, 36}, {1, 1000, 2}, {1, 4097, 1}};
}

}  // namespace fuse::testing
