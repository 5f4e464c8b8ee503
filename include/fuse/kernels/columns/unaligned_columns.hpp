// SPDX-License-Identifier: Apache-2.0
//
// The elements of columns that a thread may read as pieces of vectors (plan/unaligned_columns.hpp): all whose pieces lie
// between the first and the last item of their operand.
#pragma once

#include "fuse/kernels/body/span.hpp"
#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/plan/unaligned_columns.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Adds to `size` the items that an operand has along some axes, of which `ahead` lie before the first.
template <int N>
FUSE_HD void add_reach(const Dims<N>& dims, const index_t (&stride)[N], index_t& ahead, index_t& size) {
    FUSE_UNROLL
    for (int d = 0; d < N; ++d) {
        if (d >= N - dims.count) {
            const index_t along = (static_cast<index_t>(dims.extent[d].divisor()) - 1) * stride[d];
            ahead += along < 0 ? -along : 0;
            size += along < 0 ? -along : along;
        }
    }
}

/// Whether that is so of a thread's columns at element s.
template <class P, int V>
FUSE_HD bool pieces_exist(const Params<P>& p, const ColumnState<P, V>& state, index_t s) {
    bool all = true;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        constexpr leaf_set read = unaligned_leaves<P, V>;
        if constexpr (((read >> I) & 1U) != 0) {
            constexpr int items = aligned_items<typename at_t<typename P::leaves, I>::storage, V>;
            const auto& operand = get<I>(p.leaves);
            index_t ahead = 0;
            index_t size = p.x_size;
            add_reach(p.kept, operand.kept, ahead, size);
            add_reach(p.walked, operand.walked, ahead, size);
            const index_t first = get<I>(state.leaf) + offset_along(p, operand, s) - operand.data + ahead;
            all = all && first >= items - 1 && first + V + items <= size;
        }
    });
    return all;
}

/// Those in a thread's span. Offsets grow or fall along a column, so the others are at the ends.
template <class P, int V>
FUSE_HD Span span_of_pieces(const Params<P>& p, const ColumnState<P, V>& state, const Span& span) {
    Span inner = span;
    while (inner.first < inner.end && !pieces_exist(p, state, inner.first)) {
        inner.first += span.step;
    }
    if (inner.first < inner.end) {
        index_t last = inner.end - 1 - (inner.end - 1 - inner.first) % span.step;
        while (!pieces_exist(p, state, last)) {
            last -= span.step;
        }
        inner.end = last + 1;
    }
    return inner;
}

}  // namespace detail

FUSE_END_NAMESPACE
