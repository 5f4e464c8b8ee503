// SPDX-License-Identifier: Apache-2.0
//
// Straight code for what is usual: along several axes there are several ways to load a vector, and at the branches between
// them the loads of a thread wait for each other. So a kernel asks once how everything lies along its rows, and has a
// path of its own where all are vectors, or halves of them.
#pragma once

#include "fuse/kernels/body/row_context.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether is(operand) says yes to all that moves along rows, also to what is written.
template <class P, class Is>
FUSE_HD bool all_along_rows(const Params<P>& p, Is&& is) {
    bool all = true;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (kir::is_memory<L> && L::walked) {
            all = all && is(get<I>(p.leaves));
        }
    });
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
            all = all && is(get<I>(p.outputs));
        }
    });
    return all;
}

}  // namespace detail

/// Calls f(paths) with the way in which packs of V items lie along rows. Halves: also of those, as of rows that are no longer
/// than shared memory, which have fewer than 2^31 elements whichever way they lie.
template <int V, bool Halves, class P, class F>
FUSE_HD void with_straight_paths(const Params<P>& p, F&& f) {
    if constexpr (Params<P>::traits::walked_rank > 1 && V > 1) {
        constexpr index_t narrow_end = index_t{1} << 31;
        if (p.walked_size < narrow_end && p.walked_size % V == 0) {
            if (detail::all_along_rows(p, [](const auto& o) { return o.vector; })) {
                return f(detail::LaidPaths<Packs::vectors, true>{});
            }
            if constexpr (Halves && V % 2 == 0) {
                if (detail::all_along_rows(p, [](const auto& o) { return o.halves; })) {
                    return f(detail::LaidPaths<Packs::halves, true>{});
                }
            }
        }
    }
    f(detail::LaidPaths<Packs::any, Halves>{});
}

FUSE_END_NAMESPACE
