// SPDX-License-Identifier: Apache-2.0
//
// Four reductions over one set of axes, in one kernel, for every set of axes: sums, largest values, their positions and
// means, the last with keepdims. Integer-valued data: everything but the mean must be exact.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

/// axes<...> of the bits in Mask.
template <std::uint32_t Mask, int Axis = 0, int... Found>
constexpr auto make_axes() {
    if constexpr (Mask >> Axis == 0) {
        return axes<Found...>;
    } else if constexpr (((Mask >> Axis) & 1U) != 0) {
        return make_axes<Mask, Axis + 1, Found..., Axis>();
    } else {
        return make_axes<Mask, Axis + 1, Found...>();
    }
}
template <std::uint32_t Mask>
inline constexpr auto axes_of = make_axes<Mask>();

constexpr int count_axes(std::uint32_t mask) {
    int n = 0;
    for (; mask != 0; mask &= mask - 1) {
        ++n;
    }
    return n;
}

template <class Target, int Rank, std::uint32_t Mask>
void check_axes(const Target& target, const std::vector<Extent>& shapes, std::vector<Placement> placements) {
    constexpr int kept = Rank - count_axes(Mask);
    for (const Extent& extent : shapes) {
        const NdArray x = random_integers(extent, -20, 20, static_cast<unsigned>(size_of(extent)));
        const NdArray sums = reduce_reference(sum_reference, x, Mask);
        const NdArray most = reduce_reference(max_reference, x, Mask);
        const NdArray where_most = reduce_reference(argmax_reference, x, Mask);
        const NdArray means = reduce_reference(mean_reference, x, Mask, true);
        for (const Placement placement : placements) {
            INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
            Tensor<Target, float> x_data(x, placement);
            Tensor<Target, float> sum_data(sums.extent, placement);
            Tensor<Target, float> max_data(most.extent);
            Tensor<Target, std::int64_t> argmax_data(where_most.extent);
            Tensor<Target, float> mean_data(means.extent);
            const auto v = x_data.template const_view<"x", Rank>();
            target.eval(sum_data.template view<"s", kept>() = sum(v, axes_of<Mask>),
                        max_data.template view<"m", kept>() = max(v, axes_of<Mask>),
                        argmax_data.template view<"a", kept>() = argmax(v, axes_of<Mask>),
                        mean_data.template view<"mean", Rank>() = mean(v, keepdims, axes_of<Mask>));
            check_equal(sum_data.read(), sums);
            check_equal(max_data.read(), most);
            check_equal(argmax_data.read(), where_most);
            check_close(mean_data.read(), means, 1e-6);
            CHECK(sum_data.gaps_intact());
        }
    }
}

/// Every set of axes of a rank.
template <class Target, int Rank, std::uint32_t Mask = 1>
void check_all_axes(const Target& target, const std::vector<Extent>& shapes, const std::vector<Placement>& placements) {
    check_axes<Target, Rank, Mask>(target, shapes, placements);
    if constexpr (Mask + 1 < (1U << Rank)) {
        check_all_axes<Target, Rank, Mask + 1>(target, shapes, placements);
    }
}

/// Sums over the axes in Mask of an array that has an axis less than another one of the eval: in an output of their own,
/// and folded once more, with and without keepdims, with a scan between. Of three axes the latter for a few sets: those at
/// one end or at both, and the one in the middle.
template <class Target, int Rank, std::uint32_t Mask = 1>
void check_axes_beside_more(const Target& target, const Extent& extent) {
    constexpr int kept = Rank - count_axes(Mask);
    INFO("shape " << to_text(extent) << ", axes " << Mask);
    Extent whole = extent;
    whole.insert(whole.begin(), 3);
    const NdArray w = random_integers(extent, -20, 20, 7);
    const NdArray x = random_integers(whole, -20, 20, 8);
    const NdArray sums = reduce_reference(sum_reference, w, Mask);
    const double most = max_reference(sums.value);
    Tensor<Target, double> w_data(w, Placement::padded);
    Tensor<Target, double> x_data(x, Placement::transposed);
    Tensor<Target, double> sum_data(sums.extent);
    Tensor<Target, double> y_data(whole);
    Tensor<Target, double> z_data(whole);
    const auto v = w_data.template const_view<"w", Rank>();
    const auto u = x_data.template const_view<"x", Rank + 1>();
    target.eval(sum_data.template view<"s", kept>() = sum(v, axes_of<Mask>),
                y_data.template view<"y", Rank + 1>() = u * max(sum(v, axes_of<Mask>)));
    if constexpr (Rank < 3 || Mask == 0b010 || Mask == 0b101 || Mask == 0b110) {
        target.eval(z_data.template view<"z", Rank + 1>() =
                        u - sum(v * 2.0 - v, axes_of<Mask>, keepdims) / sum(sum(abs(v), axes_of<Mask>)));
        const double size = sum_reference(map_reference([](double e) { return std::fabs(e); }, w).value);
        check_close(z_data.read(),
                    map_reference([=](double e, double s) { return e - s / size; }, x,
                                  reduce_reference(sum_reference, w, Mask, true)),
                    1e-14);
    }
    check_equal(sum_data.read(), sums);
    check_equal(y_data.read(), map_reference([=](double e) { return e * most; }, x));
    if constexpr (kept == 1 && (Rank < 3 || Mask == 0b101)) {
        double running = 0, highest = sums.value[0];
        for (const double s : sums.value) {
            highest = std::max(highest, running += s);
        }
        target.eval(y_data.template view<"y", Rank + 1>() = u * max(cumsum(sum(v, axes_of<Mask>))));
        check_equal(y_data.read(), map_reference([=](double e) { return e * highest; }, x));
    }
    if constexpr (Mask + 1 < (1U << Rank)) {
        check_axes_beside_more<Target, Rank, Mask + 1>(target, extent);
    }
}

}  // namespace fuse::testing
