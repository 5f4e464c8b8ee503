// SPDX-License-Identifier: Apache-2.0
//
// The kernels of maps on a device.
#pragma once

#include "fuse/kernels/body/cycle_place.hpp"
#include "fuse/kernels/map/broadcast_map.hpp"
#include "fuse/kernels/map/choose.hpp"
#include "fuse/kernels/map/map.hpp"
#include "fuse/plan/outer_axes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// In the order of MapKernels. Of one axis the first does everything.
template <class P, int V, leaf_set Uniform, bool Cycles = false, int Rank = Params<P>::traits::walked_rank>
struct device_maps {
    static constexpr int vectors = map_vectors<Device>;
    template <int W>
    using Runs = RunPlace<Rank, W, true>;
    template <int W>
    using Steps = StepPlace<Rank, W>;
    template <int W>
    using Cycle = CyclePlace<Rank, W>;
    template <class... Last>
    using list = type_list<MapKernel<P, V, vectors>, BroadcastMapKernel<P, V, vectors, LinePlace, 0>,
                           BroadcastMapKernel<P, V, vectors, Runs, Uniform>,
                           BroadcastMapKernel<P, V, vectors, Steps, 0>, Last...>;
    static auto all() {
        if constexpr (Cycles) {
            return list<BroadcastMapKernel<P, V, vectors, Cycle, 0>>{};
        } else {
            return list<>{};
        }
    }
    using type = decltype(all());
};
template <class P, int V, leaf_set Uniform, bool Cycles>
struct device_maps<P, V, Uniform, Cycles, 1> {
    using type = type_list<MapKernel<P, V, map_vectors<Device>>>;
};

}  // namespace detail

FUSE_END_NAMESPACE
