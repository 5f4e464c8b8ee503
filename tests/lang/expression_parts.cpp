// SPDX-License-Identifier: Apache-2.0
//
// Parts of expressions, against plain loops that compute the whole and take the part: along every axis, with operands of
// every rank and extents of 1 that are stretched.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fuse/stencil.hpp"
#include "lang/positions.hpp"
#include "lang/shape_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// The elements of `whole` at these indices along an axis; drop: there is one, and the axis goes.
NdArray part_reference(const NdArray& whole, std::size_t axis, const std::vector<index_t>& indices, bool drop) {
    Extent extent = whole.extent;
    extent[axis] = static_cast<index_t>(indices.size());
    NdArray part(extent);
    for_each_coordinate(extent, [&](const Coordinate& c) {
        Coordinate from = c;
        from[axis] = indices[static_cast<std::size_t>(c[axis])];
        index_t linear = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
            linear = linear * whole.extent[i] + from[i];
        }
        part(c) = whole.value[static_cast<std::size_t>(linear)];
    });
    if (drop) {
        part.extent.erase(part.extent.begin() + static_cast<std::ptrdiff_t>(axis));
    }
    return part;
}

NdArray transpose_reference(const NdArray& whole, const std::vector<std::size_t>& order) {
    NdArray result;
    for (const std::size_t axis : order) {
        result.extent.push_back(whole.extent[axis]);
    }
    result.value.assign(whole.value.size(), 0);
    std::size_t i = 0;
    for_each_coordinate(result.extent, [&](const Coordinate& c) {
        Coordinate from(c.size());
        for (std::size_t k = 0; k < c.size(); ++k) {
            from[order[k]] = c[k];
        }
        index_t linear = 0;
        for (std::size_t k = 0; k < c.size(); ++k) {
            linear = linear * whole.extent[k] + from[k];
        }
        result.value[i++] = whole.value[static_cast<std::size_t>(linear)];
    });
    return result;
}

/// Indices a step apart, from `first` on and before `end`.
std::vector<index_t> every(index_t step, index_t first, index_t end) {
    std::vector<index_t> indices;
    for (index_t i = first; step > 0 ? i < end : i > end; i += step) {
        indices.push_back(i);
    }
    return indices;
}

template <class Target, class E>
void check_values(const Target& target, const E& part, const NdArray& expected) {
    REQUIRE(to_extent(shape_of(part)) == expected.extent);
    Tensor<Target, float> y(expected.extent);
    target.eval(y.template view<"y", E::rank>() = part);
    CHECK(y.read().value == expected.value);
}

template <int Axis, class Target, class E>
void check_index(const Target& target, const E& e, const NdArray& whole) {
    const index_t n = whole.extent[Axis];
    for (const index_t i : {index_t{0}, index_t{-1}, n / 2}) {
        if (n == 0) {
            CHECK_THROWS_AS(static_cast<void>(select<Axis>(e, i)), argument_error);
        } else {
            check_values(target, select<Axis>(e, i), part_reference(whole, Axis, {i < 0 ? i + n : i}, true));
        }
    }
    CHECK_THROWS_AS(static_cast<void>(select<Axis>(e, n)), argument_error);
    CHECK_THROWS_AS(static_cast<void>(select<Axis>(e, -n - 1)), argument_error);
}
template <int Axis, class Target, class E>
void check_slices(const Target& target, const E& e, const NdArray& whole) {
    const index_t n = whole.extent[Axis];
    const auto check = [&](const auto& part, const std::vector<index_t>& at) {
        check_values(target, part, part_reference(whole, Axis, at, false));
    };
    check(slice<Axis>(e, 1, {}), every(1, 1, n));
    check(slice<Axis>(e, {}, -1), every(1, 0, n - 1));
    check(slice<Axis>(e, {}, {}, 2), every(2, 0, n));
    check(slice<Axis>(e, 0, 0), {});
    check(slice<Axis>(e, {}, {}, -1), every(-1, n - 1, -1));
    check(flip<Axis>(e), every(-1, n - 1, -1));
}

/// x * t + s: each stretched along other axes; s has an axis less.
template <int Rank, class Target>
void check_maps(const Target& target) {
    for (const Extent& extent : shapes_of_rank(Rank)) {
        if (size_of(extent) > 500) {
            continue;
        }
        INFO("shape " << to_text(extent));
        const Extent rest(extent.begin() + 1, extent.end());
        const NdArray x = random_integers(extent, -9, 9, 1);
        const NdArray t = random_integers(with_ones(extent, 0), -9, 9, 2);
        const NdArray s = random_integers(with_ones(rest, 0), -9, 9, 3);
        const NdArray whole = map_reference([](double a, double b, double c) { return a * b + c; }, x, t, s);
        Tensor<Target, float> x_data(x, Placement::transposed);
        Tensor<Target, float> t_data(t, Placement::reversed);
        Tensor<Target, float> s_data(s);
        // Without names the parts along all axes are of one type.
        const auto e = view(x_data.template view<"x", Rank>()) * view(t_data.template view<"t", Rank>()) +
                       view(s_data.template view<"s", Rank - 1>());
        [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
            (check_index<Axis>(target, e, whole), ...);
            (check_slices<Axis>(target, e, whole), ...);
        }
        (std::make_integer_sequence<int, Rank>{});
        std::vector<std::size_t> reversed(Rank);
        std::iota(reversed.rbegin(), reversed.rend(), std::size_t{0});
        check_values(target, transpose(e), transpose_reference(whole, reversed));
        if constexpr (Rank == 3) {
            check_values(target, transpose<1, -1, 0>(e), transpose_reference(whole, {1, 2, 0}));
            check_values(target, transpose<0, 2, 1>(e), transpose_reference(whole, {0, 2, 1}));
        }
    }
}

const Extent cubes[] = {{2, 3, 4}, {1, 5, 3}, {4, 1, 7}, {3, 6, 1}, {1, 1, 1}};

}  // namespace

TEST_CASE("parts of elementwise expressions") {
    check_maps<1>(HostTarget{});
    check_maps<2>(HostTarget{});
    check_maps<3>(HostTarget{});
    check_maps<2>(EmulatedTarget{});
}

TEST_CASE("parts of reductions") {
    const HostTarget target;
    for (const Extent& extent : cubes) {
        INFO("shape " << to_text(extent));
        const NdArray values = random_integers(extent, -9, 9, 4);
        Tensor<HostTarget, float> data(values, Placement::padded);
        const auto x = data.const_view<"x", 3>();
        const auto last = [&](int axis) { return extent[static_cast<std::size_t>(axis)] - 1; };

        const NdArray sums = reduce_reference(sum_reference, values, 2);
        check_values(target, sum(x, axes<1>)[-1], part_reference(sums, 0, {last(0)}, true));
        check_values(target, select<1>(sum(x, axes<1>), 0), part_reference(sums, 1, {0}, true));
        check_values(target, slice<1>(sum(x, axes<1>), 0, last(2)),
                     part_reference(sums, 1, every(1, 0, last(2)), false));

        // Of two folded axes that are kept, one goes and one stays.
        const NdArray kept = reduce_reference(sum_reference, values, 5, true);
        check_values(target, select<0>(sum(x, axes<0, 2>, keepdims), 0), part_reference(kept, 0, {0}, true));
        check_values(target, select<2>(sum(x, axes<0, 2>, keepdims), -1), part_reference(kept, 2, {0}, true));
        check_values(target, select<1>(sum(x, axes<0, 2>, keepdims), last(1)),
                     part_reference(kept, 1, {last(1)}, true));
        check_values(target, flip(sum(x, axes<0, 2>, keepdims)),
                     part_reference(kept, 1, every(-1, last(1), -1), false));

        // Where a reduction is broadcast back, the operand beside it is cut and what it folds is not.
        const NdArray folded = reduce_reference(max_reference, values, 4, true);
        const NdArray centred = map_reference([](double a, double b) { return a - b; }, values, folded);
        const auto c = x - max(x, axes<2>, keepdims);
        check_values(target, select<2>(c, last(2)), part_reference(centred, 2, {last(2)}, true));
        check_values(target, c[0], part_reference(centred, 0, {0}, true));
        check_values(target, slice<1>(c, {}, {}, 2), part_reference(centred, 1, every(2, 0, last(1) + 1), false));

        // Positions in the folded axes are those of the whole.
        const NdArray at = reduce_reference(argmax_reference, values, 6);
        check_values(target, argmax(x, axes<1, 2>)[last(0)], part_reference(at, 0, {last(0)}, true));

        // Folded axes keep their order, in which an argmax counts.
        const NdArray places = reduce_reference(argmax_reference, values, 5, true);
        check_values(target, transpose(argmax(x, axes<0, 2>, keepdims)), transpose_reference(places, {2, 1, 0}));
        check_values(target, transpose(sum(x, axes<1>)), transpose_reference(sums, {1, 0}));
        check_values(target, transpose<1, 2, 0>(sum(x, axes<0, 2>, keepdims)), transpose_reference(kept, {1, 2, 0}));
        check_values(target, transpose<2, 0, 1>(c), transpose_reference(centred, {2, 0, 1}));
        check_values(target, transpose(x - max(x, axes<2>, keepdims))[0],
                     part_reference(transpose_reference(centred, {2, 1, 0}), 0, {0}, true));

        NdArray running = values;
        for_each_coordinate(extent, [&](const Coordinate& p) {
            Coordinate before = p;
            running(p) += --before[1] < 0 ? 0 : running(before);
        });
        const auto scanned = cumsum(x, axes<1>);
        check_values(target, scanned[last(0)], part_reference(running, 0, {last(0)}, true));
        check_values(target, select<2>(scanned, 0), part_reference(running, 2, {0}, true));
        check_values(target, transpose<2, 1, 0>(scanned), transpose_reference(running, {2, 1, 0}));
    }
}

TEST_CASE("parts of other nodes") {
    const HostTarget target;
    const NdArray rows = random_integers({3}, -9, 9, 5);
    const NdArray columns = random_integers({4}, -9, 9, 6);
    NdArray outer({3, 4});
    for_each_coordinate(outer.extent, [&](const Coordinate& c) {
        outer(c) = rows.value[static_cast<std::size_t>(c[0])] * columns.value[static_cast<std::size_t>(c[1])];
    });
    Tensor<HostTarget, float> r_data(rows);
    Tensor<HostTarget, float> c_data(columns);
    Tensor<HostTarget, float> x_data(outer);
    const auto r = r_data.view<"r", 1>();
    const auto c = c_data.view<"c", 1>();
    const auto x = x_data.view<"x", 2>();
    const auto table = expand_dims<1>(r) * expand_dims<0>(c);
    check_values(target, table[2], part_reference(outer, 0, {2}, true));
    check_values(target, column(table, 1), part_reference(outer, 1, {1}, true));
    check_values(target, slice<0>(table, 1, 3), part_reference(outer, 0, {1, 2}, false));
    check_values(target, flip(table)[0], part_reference(part_reference(outer, 0, {2}, true), 0, {3, 2, 1, 0}, false));
    check_values(target, transpose(table), transpose_reference(outer, {1, 0}));
    check_values(target, transpose(table - max(r)), [&] {
        const double most = max_reference(rows.value);
        return transpose_reference(map_reference([most](double v) { return v - most; }, outer), {1, 0});
    }());
    check_values(target, sort(x)[1], [&] {
        NdArray row = part_reference(outer, 0, {1}, true);
        std::sort(row.value.begin(), row.value.end());
        return row;
    }());
    check_values(target, squeeze<0>(expand_dims<0>(r) * 1.0F), rows);
    check_values(target, squeeze<1>(slice<1>(x + 0.0F, 2, 3)), part_reference(outer, 1, {2}, true));
    check_values(target, where(x > 0, x, 0)[2],
                 part_reference(map_reference([](double v) { return v > 0 ? v : 0; }, outer), 0, {2}, true));
    const std::vector<int> target_of_row{3, 0, 1};
    const auto t = view<"t">(target_of_row);
    CHECK(value(host, take(x, t, axes<1>)[2]) == static_cast<float>(outer.value[9]));
    NdArray less(outer.extent);
    for_each_coordinate(outer.extent, [&](const Coordinate& at) {
        less(at) = outer(at) - outer({at[0], target_of_row[static_cast<std::size_t>(at[0])]});
    });
    check_values(target, x - take(x, t, axes<1>, keepdims), less);
    check_values(target, transpose(x) - take(transpose(x), t, axes<-2>, keepdims), transpose_reference(less, {1, 0}));
    CHECK(value(host, (x * 2.0F)[1][-1]) == static_cast<float>(2 * outer.value[7]));
    CHECK(value(host, map([k = 3.0F](float v) { return v * k; }, x)[0][0]) == static_cast<float>(3 * outer.value[0]));
    const auto twice = expand_dims<0>(c) + expand_dims<1>(c);  // one view, cut along one axis of two
    CHECK(value(host, (twice * twice)[3][1] - 4 * twice[3][1]) ==
          static_cast<float>(std::pow(columns.value[3] + columns.value[1], 2) -
                             4 * (columns.value[3] + columns.value[1])));
    CHECK(value(host, twice[1][3]) == static_cast<float>(columns.value[3] + columns.value[1]));
}

TEST_CASE("parts along one axis of what is folded or scanned along another") {
    const HostTarget target;
    const NdArray x = random_integers({3, 4}, -9, 9, 7);
    NdArray sums = x;
    for_each_coordinate(x.extent, [&](const Coordinate& c) { sums(c) += c[0] > 0 ? sums({c[0] - 1, c[1]}) : 0; });
    Tensor<HostTarget, float> data(x);
    const auto v = data.view<"x", 2>();
    const auto down = cumsum(v, axes<0>);
    check_values(target, flip<1>(down), part_reference(sums, 1, {3, 2, 1, 0}, false));
    check_values(target, flip<-1>(down), part_reference(sums, 1, {3, 2, 1, 0}, false));
    check_values(target, roll(down, 1, axes<1>), part_reference(sums, 1, {3, 0, 1, 2}, false));
    check_values(target, roll(down, -1, axes<-1>), part_reference(sums, 1, {1, 2, 3, 0}, false));
    NdArray padded({3, 7}, -5);
    NdArray centred({3, 6}, 0);
    for_each_coordinate(x.extent, [&](const Coordinate& c) {
        padded({c[0], c[1] + 1}) = sums(c);
        centred({c[0], c[1] + 2}) = x(c) - max_reference({x({0, c[1]}), x({1, c[1]}), x({2, c[1]})});
    });
    check_values(target, pad(down, 1, 2, axes<1>, -5), padded);
    check_values(target, pad(v - max(v, axes<0>, keepdims), 2, 0, axes<1>), centred);
}

TEST_CASE("parts of what takes several steps") {
    // Formulas over one axis inside formulas over the other, and parts of them; expected numbers by numpy.
    const std::vector<double> data{1, 2, 4, 3, 5, 9, 2, 2, 7, 1, 0, 3};
    const auto x = view<"x">(data.data(), 3, 4);
    const auto row = to_vector(tensor(host, softmax(layer_norm(x * 2.0, axes<0>), axes<1>)[1] * 3.0));
    const std::vector<double> row_expected{0.591610807078, 1.845427780084, 0.452862166055, 0.110099246783};
    const auto weights = softmax(layer_norm(x * 2.0, axes<1>), axes<0>);
    const auto rest = to_vector(tensor(host, sum(weights * x, axes<1>) - column(weights, 1)));
    const std::vector<double> rest_expected{4.996284101011, 7.834176645065, 6.464389983212};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(row[i] == Approx(row_expected[i]).epsilon(1e-10));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(rest[i] == Approx(rest_expected[i]).epsilon(1e-10));
    }
}
