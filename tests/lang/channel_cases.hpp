// SPDX-License-Identifier: Apache-2.0
//
// Maps between images whose channels lie innermost and planes of them, both ways: beside numbers of channels, operands
// that lie as the output does, and coordinates.
#pragma once

#include "lang/transpose_cases.hpp"

namespace fuse::testing {

/// Of shape (batch, channels, height, width). pixels: the output has its channels innermost and x planes; else the
/// other way round.
template <class T, class Out, class Target>
void check_channels(const Target& target, const Extent& extent, bool pixels, Placement x_placement,
                    Placement y_placement) {
    INFO("shape " << to_text(extent) << (pixels ? " to pixels" : " to planes") << ", placements "
                  << static_cast<int>(x_placement) << ' ' << static_cast<int>(y_placement));
    const AxisList as_pixels{0, 3, 1, 2};
    const AxisList as_planes{0, 1, 2, 3};
    const AxisList& x_order = pixels ? as_planes : as_pixels;
    const AxisList& y_order = pixels ? as_pixels : as_planes;
    const NdArray x = random_integers(extent, 0, 50, 1);
    const NdArray r = random_integers(extent, 0, 9, 2);
    const NdArray scale = random_integers({extent[1], 1, 1}, 1, 3, 3);
    const NdArray shift = random_integers({1, extent[1], 1, 1}, 0, 5, 4);
    Tensor<Target, T> x_data(turned(x, undone(x_order)), x_placement);
    Tensor<Target, Out> r_data(turned(r, undone(y_order)), y_placement);
    Tensor<Target, float> scale_data(scale);
    Tensor<Target, float> shift_data(shift);
    Tensor<Target, Out> y_data(turned(extent, undone(y_order)), y_placement);
    const auto image = cast<float>(turned<"x", 4>(x_data, x_order));
    const auto scales = scale_data.template view<"scale", 3>();
    target.eval(turned<"y", 4>(y_data, y_order) = image * scales + shift_data.template view<"shift", 4>());
    NdArray y(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        y(at) = x(at) * scale(Coordinate{at[1], 0, 0}) + shift(Coordinate{0, at[1], 0, 0});
    });
    check_equal(turned(y_data.read(), y_order), y);
    CHECK(y_data.gaps_intact());
    // Two outputs, one of them of wide elements, and what lies as they do.
    Tensor<Target, double> z_data(turned(extent, undone(y_order)), y_placement);
    target.eval(turned<"y", 4>(y_data, y_order) =
                    image + cast<float>(turned<"r", 4>(r_data, y_order)) + cast<float>(index<1>() * 7),
                turned<"z", 4>(z_data, y_order) = image * 2.0F + cast<float>(index<3>() * 100 + index<0>()));
    NdArray z(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        y(at) = x(at) + r(at) + static_cast<double>(at[1] * 7);
        z(at) = x(at) * 2 + static_cast<double>(at[3] * 100 + at[0]);
    });
    check_equal(turned(y_data.read(), y_order), y);
    check_equal(turned(z_data.read(), y_order), z);
    CHECK(z_data.gaps_intact());
}

/// Planes whose lines begin at vectors and end between them: `positions` of `line` elements. What lies behind is left alone.
template <class T, class Target>
void check_channel_ends(const Target& target, index_t channels, index_t positions, index_t line) {
    INFO(channels << " channels of " << positions << " positions");
    const NdArray planes = random_integers({1, channels, line}, -40, 40, 1);
    Tensor<Target, T> planes_data(planes);
    Tensor<Target, T> pixels_data(Extent{1, positions, channels});
    const auto part = slice<2>(planes_data.template view<"planes", 3>(), 0, positions);
    const auto pixels = pixels_data.template view<"pixels", 3>();
    target.eval(pixels = transpose<0, 2, 1>(part) * static_cast<compute_t<T>>(3));
    NdArray turned_back({1, positions, channels});
    for_each_coordinate(turned_back.extent, [&](const Coordinate& at) {
        turned_back(at) = 3 * planes(Coordinate{0, at[2], at[1]});
    });
    check_equal(pixels_data.read(), turned_back);
    target.eval(part = transpose<0, 2, 1>(pixels) + static_cast<compute_t<T>>(1));
    NdArray after = planes;
    for_each_coordinate(turned_back.extent, [&](const Coordinate& at) {
        after(Coordinate{0, at[2], at[1]}) = turned_back(at) + 1;
    });
    check_equal(planes_data.read(), after);
}

/// Of these types at every placement, and without numbers of channels: an image alone, each of its axes in turn.
template <class T, class Out, class Target>
void check_channels_of(const Target& target, const std::vector<Extent>& extents) {
    for (const Extent& extent : extents) {
        for (const bool pixels : {false, true}) {
            check_channels<T, Out>(target, extent, pixels, Placement::row_major, Placement::row_major);
            check_channels<T, Out>(target, extent, pixels, Placement::row_major, Placement::padded);
            check_channels<T, Out>(target, extent, pixels, Placement::misaligned, Placement::row_major);
        }
        check_turned<T, 4, Out>(target, extent, {0, 2, 3, 1}, {0, 1, 2, 3});
        check_turned<T, 4, Out>(target, extent, {0, 3, 1, 2}, {0, 1, 2, 3});
    }
}

/// Two, three and four channels and more; planes of whole vectors, of parts of them, of odd numbers of elements, of few.
template <class Target>
void sweep_channels(const Target& target) {
    check_channels_of<std::int8_t, float>(
        target, {{1, 3, 24, 32}, {2, 3, 30, 36}, {2, 3, 21, 23}, {3, 2, 16, 40}, {2, 4, 20, 20}, {1, 5, 20, 20}});
    check_channels_of<bfloat16, bfloat16>(target, {{2, 3, 24, 16}, {1, 2, 27, 31}, {2, 4, 17, 16}, {4, 3, 7, 7}});
    for (const index_t channels : {2, 3, 4}) {
        check_channel_ends<float>(target, channels, 1001, 1004);
        check_channel_ends<bfloat16>(target, channels, 1003, 1008);
    }
    check_channels_of<float, float>(target, {{2, 3, 18, 22}, {1, 4, 16, 18}, {0, 3, 8, 8}});
}

}  // namespace fuse::testing
