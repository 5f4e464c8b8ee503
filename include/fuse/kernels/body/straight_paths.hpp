// SPDX-License-Identifier: Apache-2.0
//
// Straight code for what is usual: along several axes there are several ways to load a vector, and at the branches between
// them the loads of a thread wait for each other. So a kernel asks once how everything lies along its rows, and has a
// path of its own where all are vectors.
#pragma once

#include "fuse/kernels/body/row_context.hpp"

FUSE_BEGIN_NAMESPACE

/// Calls f(paths) with the way in which packs of V items lie along rows, of all that moves there, also of what is written.
/// Lie: in vectors, or whole, where some leaves may have one item for all of a pack.
template <int V, Packs Lie, class P, class F>
FUSE_HD void with_straight_paths(const Params<P>& p, F&& f) {
    if constexpr (Params<P>::traits::walked_rank > 1 && V > 1) {
        constexpr int inner = Params<P>::traits::walked_rank - 1;
        bool vectors = p.walked_size < narrow_end && p.walked_size % V == 0;
        if constexpr (Lie == Packs::whole) {
            vectors = vectors && (p.walked.count <= 1 || p.walked.extent[inner].divisor() % V == 0);
        }
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (((leaf_sets<P>::moving & leaf_sets<P>::walked) >> I & 1U) != 0) {
                const auto& operand = get<I>(p.leaves);
                vectors = vectors && (operand.vector || (Lie == Packs::whole && operand.x == 0));
            }
        });
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
                vectors = vectors && get<I>(p.outputs).vector;
            }
        });
        if (vectors) {
            return f(detail::LaidPaths<Lie, true>{});
        }
    }
    f(detail::LaidPaths<>{});
}

FUSE_END_NAMESPACE
