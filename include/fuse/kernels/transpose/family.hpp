// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/transpose/channels.hpp"
#include "fuse/kernels/transpose/choose.hpp"
#include "fuse/kernels/transpose/choose_channels.hpp"
#include "fuse/kernels/transpose/transpose.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The leaves that have two axes or more: views with fewer have nothing that could be turned round.
constexpr leaf_set leaves_of_two_axes(const Nodes& n) {
    leaf_set set = 0;
    for (int i = 0; i < n.leaves; ++i) {
        const NodeRecord& leaf = n.leaf_node(i);
        set |= leaf.kind == NodeKind::leaf && std::popcount(leaf.varies) > 1 ? set_of(i) : 0;
    }
    return set;
}

template <class... O>
constexpr bool all_per_item(type_list<O...>) {
    return ((O::extent == kir::Extent::item) && ...);
}

/// Elements of a vector in the kernels of channels: as many as there are registers for of three channels of all operands.
template <class P>
constexpr int channel_vector(int most) {
    const int bytes = bytes_together<P>(leaf_sets<P>::items & leaf_sets<P>::moving);
    return smallest(most, static_cast<int>(std::bit_floor(static_cast<unsigned>(64 / largest(1, bytes)))));
}

/// The kernels of so many channels, of maps that have a third axis, as images do: all others would pay for them when they
/// are compiled.
template <class P, leaf_set Leaves, int... C>
constexpr auto channel_kernels() {
    if constexpr (Leaves != 0 && P::walked_rank > 2) {
        constexpr int V = channel_vector<P>(transpose_tile_of<P>(Leaves).vector);
        return std::conditional_t<(V > 1), type_list<ChannelsKernel<P, V, C>...>, type_list<>>{};
    } else {
        return type_list<>{};
    }
}

}  // namespace detail

/// Maps some of whose inputs lie in memory along another axis than the outputs. On a GPU: a CPU's cache holds a tile
/// anyway.
template <class Pl, Target T>
struct TransposeFamily {
    static constexpr bool takes = false;
};

template <class Pl>
struct TransposeFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    // Found by its argument: nvcc would work out a qualified call here, where there is no plan yet, at the cost of one.
    static constexpr leaf_set leaves = leaves_of_two_axes(Pl::planner::graph::nodes);
    /// Of elements so large that no tile of them fits shared memory nothing could be turned round.
    static constexpr bool takes = [] {
        if constexpr (facts::turns && leaves != 0 && detail::all_per_item(typename Pl::program::outputs{})) {
            return TransposeKernel<typename Pl::program, leaves>::turned_leaves != 0;
        }
        return false;
    }();
    /// Without names of their own: nvcc would spell them by this family, whose plan it cannot.
    using kernels = concat_t<type_list<TransposeKernel<typename Pl::program, leaves>>,
                             decltype(detail::channel_kernels<typename Pl::program, leaves, 2, 3, 4>())>;

    static Launch choose(const Layout& layout, const Policy&, const Device& device) {
        Launch l;
        [&]<class Tiles, class... Channels>(type_list<Tiles, Channels...>) {
            int kernel = 0;
            [[maybe_unused]] const auto ask = [&](int vector, int channels) {
                ++kernel;
                if (l.grid == 0) {
                    l = detail::choose_channels(layout, vector, channels);
                    l.kernel = kernel;
                }
            };
            (ask(Channels::vector, Channels::channels), ...);
            if (l.grid == 0) {
                l = detail::choose_transpose(Tiles::tile_of(layout.transposed), layout, device);
            }
        }(kernels{});
        return l;
    }
};

FUSE_END_NAMESPACE
