// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/map/choose.hpp"
#include "fuse/kernels/map/map.hpp"
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

FUSE_END_NAMESPACE
