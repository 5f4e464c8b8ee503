// SPDX-License-Identifier: Apache-2.0
//
// Scans from the last element to the first, against one loop over doubles; coordinates, scans in both directions and
// reductions beside them; logcumsumexp.
#pragma once

#include "lang/scan_cases.hpp"

namespace fuse::testing {

/// scan_reference from the end.
template <class State, class Step>
NdArray reverse_scan_reference(const Extent& extent, int axis, State start, Step step, bool leave_out_own = false) {
    const index_t n = extent[static_cast<std::size_t>(axis)];
    index_t inner = 1;
    for (std::size_t k = static_cast<std::size_t>(axis) + 1; k < extent.size(); ++k) {
        inner *= extent[k];
    }
    const auto mirrored = [&](std::size_t at) {
        const index_t i = static_cast<index_t>(at);
        const index_t s = i / inner % n;
        return static_cast<std::size_t>(i + (n - 1 - 2 * s) * inner);
    };
    const NdArray turned = scan_reference(
        extent, axis, start, [&](State& state, std::size_t at, index_t s) { step(state, mirrored(at), n - 1 - s); },
        leave_out_own);
    NdArray result(extent);
    for (std::size_t i = 0; i < result.value.size(); ++i) {
        result.value[mirrored(i)] = turned.value[i];
    }
    return result;
}
inline NdArray reverse_cumsum_reference(const NdArray& x, int axis, bool leave_out_own = false) {
    return reverse_scan_reference(
        x.extent, axis, 0.0, [&](double& sum, std::size_t at, index_t) { sum += x.value[at]; }, leave_out_own);
}

/// One sum, over every placement of operand and result.
template <int Rank, int Axis, class T, class Target>
void check_reverse_cumsum(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        for (const Placement placement : all_placements) {
            INFO("shape " << to_text(extent) << ", axis " << Axis << ", placement " << static_cast<int>(placement));
            Tensor<Target, T> x_data(random_integers(extent, -3, 3, 13), placement);
            Tensor<Target, T> y_data(extent, placement == Placement::spaced ? Placement::row_major : placement);
            const auto v = x_data.template const_view<"x", Rank>();
            target.eval(y_data.template view<"y", Rank>() = cumsum(v, axes<Axis>, reverse));
            check_equal(y_data.read(), reverse_cumsum_reference(x_data.read(), Axis));
            CHECK(y_data.gaps_intact());
        }
    }
}

/// The running composition of affine maps, which shows every change of order; coordinates inside a scan and behind it.
template <int Axis, class Target>
void check_reverse_order(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis);
        Tensor<Target, std::uint32_t> x_data(random_integers(extent, 0, 1000, 14));
        Tensor<Target, std::uint32_t> with_data(extent), before_data(extent);
        const auto v = x_data.template const_view<"x", 2>();
        const auto along = cast<std::uint32_t>(index<Axis>());
        const auto across = cast<std::uint32_t>(index<1 - Axis>());
        const auto maps = map(MakeAffine{}, v * 2U + 1U, v * v + along + across * 3U);
        target.eval(with_data.template view<"with", 2>() =
                        map(ShiftOf{}, scan(Compose{}, maps, axes<Axis>, reverse)) + along * 5U,
                    before_data.template view<"before", 2>() =
                        map(ShiftOf{}, scan(Compose{}, maps, exclusive, reverse, axes<Axis>)));
        const NdArray x = x_data.read();
        const auto line_of = [&](std::size_t at) {
            const auto columns = static_cast<std::size_t>(extent[1]);
            return static_cast<std::uint32_t>(Axis == 0 ? at % columns : at / columns);
        };
        const auto step = [&](std::uint32_t& shift, std::size_t at, index_t s) {
            const auto n = static_cast<std::uint32_t>(x.value[at]);
            shift = (2 * n + 1) * shift + n * n + static_cast<std::uint32_t>(s) + line_of(at) * 3;
        };
        NdArray with = reverse_scan_reference(extent, Axis, std::uint32_t{0}, step);
        for_each_coordinate(extent, [&](const Coordinate& at) {
            with(at) = static_cast<double>(static_cast<std::uint32_t>(with(at)) +
                                           static_cast<std::uint32_t>(at[static_cast<std::size_t>(Axis)]) * 5U);
        });
        check_equal(with_data.read(), with);
        check_equal(before_data.read(), reverse_scan_reference(extent, Axis, std::uint32_t{0}, step, true));
    }
}

/// Both directions, a reduction whose ties and positions tell the direction, and a scan of a scan, in one eval.
template <int Axis, class Target>
void check_both_directions(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axis " << Axis);
        const Extent line{extent[1 - Axis]};
        Tensor<Target, double> x_data(random_integers(extent, -3, 3, 33));
        Tensor<Target, double> y_data(extent), z_data(extent), total_data(line);
        Tensor<Target, index_t> first_data(line);
        const auto x = x_data.template const_view<"x", 2>();
        target.eval(y_data.template view<"y", 2>() = cumsum(x, axes<Axis>) + cumsum(x, axes<Axis>, reverse) * 3.0 - x,
                    z_data.template view<"z", 2>() = cumsum(cumsum(x, axes<Axis>), axes<Axis>, reverse, exclusive),
                    total_data.template view<"total", 1>() = sum(x, axes<Axis>),
                    first_data.template view<"first", 1>() = argmax(x, axes<Axis>));
        const NdArray xs = x_data.read();
        const NdArray forwards = cumsum_reference(xs, Axis);
        check_equal(y_data.read(), map_reference([](double f, double r, double e) { return f + 3 * r - e; }, forwards,
                                                 reverse_cumsum_reference(xs, Axis), xs));
        check_equal(z_data.read(), reverse_cumsum_reference(forwards, Axis, true));
        check_equal(total_data.read(), reduce_reference(sum_reference, xs, 1U << Axis));
        NdArray first(line);
        for (index_t l = 0; l < line[0]; ++l) {
            const auto at = [&](index_t s) { return Axis == 0 ? xs({s, l}) : xs({l, s}); };
            index_t best = 0;
            for (index_t s = 1; s < extent[Axis]; ++s) {
                best = at(s) > at(best) ? s : best;
            }
            first({l}) = static_cast<double>(best);
        }
        check_equal(first_data.read(), first);
    }
}

/// In place; beside operands that stretch; along an axis of extent 1 that others stretch; without elements.
template <class Target>
void check_special_reverse_scans(const Target& target) {
    for (const Extent& extent : {Extent{3, 65}, Extent{1, 5000}, Extent{1, 1}, Extent{0, 3}, Extent{3, 0}}) {
        INFO("shape " << to_text(extent));
        Tensor<Target, double> data(random_integers(extent, -3, 3, 25), Placement::padded);
        const NdArray before = data.read();
        const auto v = data.template view<"x", 2>();
        target.eval(v = cumsum(v, axes<1>, exclusive, reverse) - v);
        const auto minus = [](double a, double b) { return a - b; };
        check_equal(data.read(), map_reference(minus, reverse_cumsum_reference(before, 1, true), before));
        CHECK(data.gaps_intact());
    }
    const Extent extent{4, 70};
    Tensor<Target, double> x_data(random_integers(extent, -3, 3, 26));
    Tensor<Target, double> r_data(random_integers({70}, -3, 3, 27)), c_data(random_integers({4, 1}, -3, 3, 28));
    Tensor<Target, double> y_data(extent), z_data(extent), w_data(extent);
    const auto x = x_data.template const_view<"x", 2>();
    const auto r = r_data.template const_view<"r", 1>();
    const auto c = c_data.template const_view<"c", 2>();
    target.eval(y_data.template view<"y", 2>() = x + cumsum(r, reverse));
    target.eval(z_data.template view<"z", 2>() = x + cumsum(c, axes<1>, reverse));
    target.eval(w_data.template view<"w", 2>() = cumsum(x * c, axes<1>, reverse) + index<1>());
    const NdArray xs = x_data.read(), cs = c_data.read();
    NdArray running = reverse_cumsum_reference(r_data.read(), 0);
    running.extent = {1, 70};
    const auto plus = [](double a, double b) { return a + b; };
    check_equal(y_data.read(), map_reference(plus, xs, running));
    check_equal(z_data.read(), map_reference(plus, xs, cs));
    NdArray counts(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) { counts(at) = static_cast<double>(at[1]); });
    const NdArray products = map_reference([](double a, double b) { return a * b; }, xs, cs);
    check_equal(w_data.read(), map_reference(plus, reverse_cumsum_reference(products, 1), counts));
}

/// Both ways, of numbers whose exponentials overflow; -inf, +inf and NaN.
template <class Target>
void check_logcumsumexp(const Target& target, const std::vector<Extent>& shapes) {
    const auto add = [](double a, double b) {
        return a == b ? a + std::log(2.0) : std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
    };
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent));
        const NdArray x = random_reals(extent, -300, 300, 34);
        Tensor<Target, float> x_data(x), y_data(extent), z_data(extent);
        const auto v = x_data.template const_view<"x", 2>();
        target.eval(y_data.template view<"y", 2>() = logcumsumexp(v, axes<1>),
                    z_data.template view<"z", 2>() = logcumsumexp(v, axes<0>, reverse, exclusive));
        const NdArray read = x_data.read();
        const auto step = [&](double& sum, std::size_t at, index_t) {
            sum = std::isinf(sum) ? read.value[at] : add(sum, read.value[at]);
        };
        check_close(y_data.read(), scan_reference(extent, 1, -HUGE_VAL, step), 1e-5, 1e-5);
        const NdArray expected = reverse_scan_reference(extent, 0, -HUGE_VAL, step, true);
        const NdArray got = z_data.read();
        for_each_coordinate(extent, [&](const Coordinate& at) {
            if (at[0] + 1 == extent[0]) {
                CHECK(got(at) == -HUGE_VAL);
            } else {
                CHECK(std::fabs(got(at) - expected(at)) <= 1e-5 * (1 + std::fabs(expected(at))));
            }
        });
    }
    NdArray special({1, 6});
    special.value = {-HUGE_VAL, -HUGE_VAL, 1, HUGE_VAL, 2, std::nan("")};
    Tensor<Target, float> s_data(special), r_data(special.extent);
    target.eval(r_data.template view<"r", 2>() = logcumsumexp(s_data.template const_view<"s", 2>(), axes<1>));
    NdArray expected({1, 6});
    expected.value = {-HUGE_VAL, -HUGE_VAL, 1, HUGE_VAL, HUGE_VAL, std::nan("")};
    check_equal(r_data.read(), expected);
}

}  // namespace fuse::testing
