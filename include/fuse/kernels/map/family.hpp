// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/map/device_maps.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Programs without a reduction.
template <class Pl, Target T>
struct MapFamily {
    using facts = program_facts<Pl, T>;
    static constexpr bool takes = !facts::value.reduces;
    using kernels = type_list<MapKernel<typename Pl::program, facts::vector, map_vectors<T>>>;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        return detail::choose_map(facts::value, layout, policy, target);
    }
};
template <class Pl>
struct MapFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr bool takes = !facts::value.reduces;
    static constexpr int rank = Params<typename Pl::program>::traits::walked_rank;
    static constexpr leaf_set uniform = leaves_of_outer_axes(Pl::planner::graph::nodes, rank);
    using kernels = typename detail::device_maps<typename Pl::program, facts::vector, uniform, facts::cycles>::type;

    static Launch choose(const Layout& layout, const Policy& policy, const Device&) {
        return detail::choose_map(facts::value, layout, policy, MapAxes{rank, uniform != 0});
    }
};

FUSE_END_NAMESPACE
