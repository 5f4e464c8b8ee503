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

}  // namespace fuse::testing
