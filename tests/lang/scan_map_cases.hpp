// SPDX-License-Identifier: Apache-2.0
//
// What surrounds a scan: maps before and after it, other outputs of the same kernel, special values, element types, one
// view as operand and result, nothing at all. Compared as in scan_cases.hpp.
#pragma once

#include "lang/scan_cases.hpp"
#include "lang/type_cases.hpp"

namespace fuse::testing {

/// Maps before and after a scan, and all that may stand beside it: a vector scanned for every row, the coordinate, a
/// total, an output that does not vary along the axis, and one number.
template <class Target>
void check_scans_with_maps(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        Tensor<Target, float> x_data(random_integers(extent, -3, 3, 18), Placement::padded);
        Tensor<Target, float> t_data(random_integers(extent, -3, 3, 19));
        Tensor<Target, float> w_data(random_integers({extent[1]}, -2, 2, 20));
        Tensor<Target, float> r_data(random_integers({extent[0]}, -9, 9, 21));
        Tensor<Target, float> y_data(extent), z_data(extent), k_data(extent);
        Tensor<Target, float> total_data(Extent{extent[0]}), twice_data(Extent{extent[0]}), one_data(Extent{});
        const auto x = x_data.template const_view<"x", 2>();
        const auto w = w_data.template view<"w", 1>();
        target.eval(y_data.template view<"y", 2>() =
                        cumsum(square(x - t_data.template view<"t", 2>()), axes<1>) * w + x,
                    z_data.template view<"z", 2>() = x - cumsum(w),
                    k_data.template view<"k", 2>() = cumsum(x * cast<float>(index<1>()), axes<-1>),
                    total_data.template view<"total", 1>() = sum(x, axes<1>),
                    twice_data.template view<"twice", 1>() = expand_dims<1>(r_data.template view<"r", 1>()) * 2,
                    one_data.template view<"one", 0>() = scalar<"s">(21.0F) * 2);
        const NdArray xs = x_data.read();
        const NdArray ws = w_data.read();
        const auto squared = [](double a, double b) { return (a - b) * (a - b); };
        const NdArray distance = cumsum_reference(map_reference(squared, xs, t_data.read()), 1);
        const auto moved = [](double a, double b, double c) { return a * b + c; };
        check_equal(y_data.read(), map_reference(moved, distance, ws, xs));
        const auto minus = [](double a, double b) { return a - b; };
        check_equal(z_data.read(), map_reference(minus, xs, cumsum_reference(ws, 0)));
        check_equal(k_data.read(), scan_reference(extent, 1, 0.0, [&](double& sum, std::size_t at, index_t s) {
                        sum += xs.value[at] * static_cast<double>(s);
                    }));
        check_equal(total_data.read(), reduce_reference(sum_reference, xs, 0b10));
        check_equal(twice_data.read(), map_reference([](double a) { return 2 * a; }, r_data.read()));
        CHECK(one_data.read().value[0] == 42);
    }
}

/// Columns: a vector scanned for every column, the coordinate along the other axis, totals of the columns.
template <class Target>
void check_column_scans_with_maps(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        Tensor<Target, float> x_data(random_integers(extent, -3, 3, 22));
        Tensor<Target, float> v_data(random_integers({extent[0]}, -3, 3, 23));
        Tensor<Target, float> y_data(extent, Placement::padded), k_data(extent), total_data(Extent{extent[1]});
        const auto x = x_data.template const_view<"x", 2>();
        const auto v = expand_dims<1>(v_data.template view<"v", 1>());
        target.eval(y_data.template view<"y", 2>() = x + cumsum(v, axes<0>),
                    k_data.template view<"k", 2>() = cumsum(x + cast<float>(index<1>()), axes<0>) * x,
                    total_data.template view<"total", 1>() = sum(x, axes<0>));
        const NdArray xs = x_data.read();
        NdArray running = cumsum_reference(v_data.read(), 0);
        running.extent = {extent[0], 1};
        check_equal(y_data.read(), map_reference([](double a, double b) { return a + b; }, xs, running));
        NdArray columns(Extent{extent[1]});
        for (std::size_t i = 0; i < columns.value.size(); ++i) {
            columns.value[i] = static_cast<double>(i);
        }
        const auto plus = [](double a, double b) { return a + b; };
        check_equal(k_data.read(), map_reference([](double a, double b) { return a * b; },
                                                 cumsum_reference(map_reference(plus, xs, columns), 0), xs));
        check_equal(total_data.read(), reduce_reference(sum_reference, xs, 0b01));
    }
}

struct Best {
    double value = 0;
    index_t at = -1;
    explicit operator double() const { return static_cast<double>(at); }
};

/// NaN stays from its position on; the first of equal elements is the largest; an exclusive scan begins with the
/// identity.
template <class Target>
void check_special_scans(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        NdArray x = random_integers(extent, -60, 60, 24);
        for_each_coordinate(extent, [&](const Coordinate& at) {
            const index_t place = extent[1] * 2 / 3;  // no NaN in row 0, later and later ones in the others
            x(at) = at[0] > 0 && at[1] >= place + at[0] && at[1] % 5 == 0 ? NAN : x(at);
        });
        Tensor<Target, float> x_data(x);
        Tensor<Target, float> max_data(extent), min_data(extent), before_data(extent);
        Tensor<Target, index_t> arg_data(extent);
        const auto v = x_data.template const_view<"x", 2>();
        target.eval(max_data.template view<"max", 2>() = cummax(v, axes<1>),
                    min_data.template view<"min", 2>() = cummin(v, axes<1>),
                    before_data.template view<"before", 2>() = cummax(v, axes<1>, exclusive),
                    arg_data.template view<"arg", 2>() = scan(ArgMax{}, v, axes<1>));
        const auto larger = [&](double& most, std::size_t at, index_t) {
            most = std::isnan(most) || most >= x.value[at] ? most : x.value[at];
        };
        check_equal(max_data.read(), scan_reference(extent, 1, -HUGE_VAL, larger));
        check_equal(before_data.read(), scan_reference(extent, 1, -HUGE_VAL, larger, true));
        check_equal(min_data.read(), scan_reference(extent, 1, HUGE_VAL, [&](double& least, std::size_t at, index_t) {
                        least = std::isnan(least) || least <= x.value[at] ? least : x.value[at];
                    }));
        check_equal(arg_data.read(), scan_reference(extent, 1, Best{}, [&](Best& best, std::size_t at, index_t s) {
                        const double e = x.value[at];
                        if (s == 0 || (!std::isnan(best.value) && (std::isnan(e) || e > best.value))) {
                            best = {e, s};
                        }
                    }));
    }
}

/// Sums of narrow types do not fit them: they are 64 bits wide, or read as double.
template <class T, int Axis, class Target>
void check_scans_of_type(const Target& target, const std::vector<Extent>& shapes) {
    using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
    for (const Extent& extent : shapes) {
        for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
            INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
            const NdArray x = values_of_type<T>(extent);
            Tensor<Target, T> x_data(x, placement);
            Tensor<Target, Sum> sum_data(extent);
            Tensor<Target, T> max_data(extent, placement);
            const auto v = x_data.template const_view<"x", 2>();
            target.eval(sum_data.template view<"sum", 2>() = cumsum(v, axes<Axis>),
                        max_data.template view<"max", 2>() = cummax(v, axes<Axis>));
            check_equal(sum_data.read(), cumsum_reference(x, Axis));
            check_equal(max_data.read(), cummax_reference(x, Axis));
            CHECK(max_data.gaps_intact());
        }
    }
}

/// An output may be exactly an input.
template <int Axis, class Target>
void check_scan_in_place(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis);
        Tensor<Target, double> data(random_integers(extent, -3, 3, 25), Placement::padded);
        const NdArray before = data.read();
        const auto v = data.template view<"x", 2>();
        target.eval(v = cumsum(v, axes<Axis>, exclusive) - v);
        check_equal(data.read(), map_reference([](double a, double b) { return a - b; },
                                               cumsum_reference(before, Axis, true), before));
        CHECK(data.gaps_intact());
    }
}

/// Without an element there is nothing to write, but the total of an empty row is 0.
template <class Target>
void check_empty_scans(const Target& target) {
    typename Target::template Array<float> data(4), total(4);
    const auto refill = [&] {
        for (std::size_t i = 0; i < 4; ++i) {
            data[i] = 7;
            total[i] = 7;
        }
    };
    for (const Extent& extent : {Extent{0, 3}, Extent{3, 0}, Extent{0, 0}, Extent{0, 100000}}) {
        INFO("shape " << to_text(extent));
        refill();
        const auto x = view<"x">(data.data(), extent[0], extent[1]);
        const auto y = view<"y">(data.data() + 1, extent[0], extent[1]);
        target.eval(y = cumsum(x, axes<1>), view<"total">(total.data(), extent[0]) = sum(x, axes<1>));
        target.eval(y = cumsum(x, axes<0>, exclusive));
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(data[i] == 7);
            CHECK(total[i] == (static_cast<index_t>(i) < extent[0] ? 0 : 7));
        }
    }
}

}  // namespace fuse::testing
