// SPDX-License-Identifier: Apache-2.0
//
// Maps beside numbers of channels that lie innermost, of which a vector has more than one round: pixels of one to nine
// channels, between 8-bit numbers and floats, of any placement; a coordinate of channels beside them. Numbers are whole, so
// that all types hold the results.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

/// y = x * m + s + channel, and parts of it; of channels that lie `spread` apart.
template <class In, class Out, class Target>
void check_cycle_map(const Target& target, const Extent& extent, Placement in, Placement out, Placement spread) {
    INFO(to_text(extent) << ", placements " << static_cast<int>(in) << ", " << static_cast<int>(out) << ", "
                         << static_cast<int>(spread));
    const index_t channels = extent[2];
    Tensor<Target, In> x_data(random_integers(extent, 0, 9, 1), in);
    Tensor<Target, float> m_data(random_integers({channels}, 0, 3, 2), spread);
    Tensor<Target, bfloat16> s_data(random_integers({channels}, 0, 9, 3), spread);
    Tensor<Target, Out> y_data(extent, out), r_data(extent, out), t_data(extent, out);
    const NdArray x = x_data.read(), m = m_data.read(), s = s_data.read();

    const auto X = cast<float>(x_data.template const_view<"x", 3>());
    const auto M = m_data.template const_view<"m", 1>();
    const auto S = s_data.template const_view<"s", 1>();
    target.eval(y_data.template view<"y", 3>() = cast<Out>(X * M + S + cast<float>(index<2>())));
    target.eval(r_data.template view<"r", 3>() = cast<Out>(X * M), t_data.template view<"t", 3>() = cast<Out>(X + S));

    const NdArray y = y_data.read(), r = r_data.read(), t = t_data.read();
    std::size_t wrong = 0;
    for (index_t i = 0; i < extent[0]; ++i) {
        for (index_t j = 0; j < extent[1]; ++j) {
            for (index_t k = 0; k < channels; ++k) {
                wrong += y({i, j, k}) != x({i, j, k}) * m({k}) + s({k}) + static_cast<double>(k);
                wrong += r({i, j, k}) != x({i, j, k}) * m({k});
                wrong += t({i, j, k}) != x({i, j, k}) + s({k});
            }
        }
    }
    CHECK(wrong == 0);
    CHECK((y_data.gaps_intact() && r_data.gaps_intact() && t_data.gaps_intact()));
}

template <class In, class Out, class Target>
void check_cycle_maps_of(const Target& target) {
    for (index_t channels = 1; channels <= 9; ++channels) {
        check_cycle_map<In, Out>(target, {3, 41, channels}, Placement::row_major, Placement::row_major,
                                 Placement::row_major);
    }
    check_cycle_map<In, Out>(target, {9, 457, 3}, Placement::misaligned, Placement::row_major, Placement::spaced);
    for (const Placement in : all_placements) {
        for (const Placement out : {Placement::row_major, Placement::misaligned, Placement::padded}) {
            check_cycle_map<In, Out>(target, {2, 23, 3}, in, out, Placement::reversed);
        }
    }
}

template <class Target>
void check_cycle_maps(const Target& target) {
    check_cycle_maps_of<std::uint8_t, float>(target);
    check_cycle_maps_of<std::uint8_t, bfloat16>(target);
    check_cycle_maps_of<float, std::uint8_t>(target);
    check_cycle_maps_of<bfloat16, bfloat16>(target);
    check_cycle_maps_of<float, double>(target);
}

}  // namespace fuse::testing
