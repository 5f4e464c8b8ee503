// SPDX-License-Identifier: Apache-2.0
//
// The way of row kernels through a launch with stretched operands (own_elements.hpp): element by element. What has no
// elements is a null pointer, and is not read.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/body/span.hpp"

FUSE_BEGIN_NAMESPACE

/// Folds element (row, s) of reduction R, number Number, into its accumulator, where it is its own.
template <class R, int Number, class P, class Context>
FUSE_HD void fold_own(typename R::reduction_op::accumulator& total, const Params<P>& p, const Context& c, index_t row,
                      index_t s, int v = 0) {
    const auto& own = p.stretching.reduction[Number];
    const index_t position = position_in(own, p, row, s);
    if (position < own.count) {
        total = typename R::reduction_op{}.reduce(total, Evaluate<typename R::expression>::at(c, v), position);
    }
}
/// The same for the reductions of a phase, numbered from First.
template <class Ph, int First, class P, class Context>
FUSE_HD void fold_phase_own(typename Product<Ph>::accumulator& total, const Params<P>& p, const Context& c, index_t s,
                            int v = 0) {
    static_for<Ph::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        fold_own<typename Ph::template at<I>, First + I>(get<I>(total), p, c, 0, s, v);
    });
}

/// Loads element s of a row, of the leaves in Set that have elements.
template <leaf_set Set, class P>
FUSE_HD void load_own(RowItems<P, 1>& items, const Params<P>& p, const RowState<P>& row, index_t s) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto& operand = get<I>(p.leaves);
            if constexpr (kir::is_index<L>) {
                InitWithDataIndex(get<I>(items), get<I>(row.leaf), detail::path_along(p, operand), s);
            } else if (operand.data != nullptr) {
                ReadData(get<I>(items), get<I>(row.leaf), detail::path_along(p, operand), s);
            } else {
                get<I>(items).item[0] = {};
            }
        }
    });
}

/// Calls visit(context, s) for every element of a span of vectors of V.
template <leaf_set Set, int V, class P, class Visit>
FUSE_HD void visit_own(const Params<P>& p, const RowState<P>& row, const results_t<P>& results, const Span& span,
                       Visit&& visit) {
    FUSE_NO_UNROLL
    for (index_t first = span.first; first < span.end; first += span.step) {
        FUSE_NO_UNROLL
        for (index_t s = first; s < first + V && s < span.end; ++s) {
            RowItems<P, 1> items;
            load_own<Set>(items, p, row, s);
            visit(RowContext<P, 1>{p, row, items, results}, s);
        }
    }
}

/// Writes the item outputs of element (row, s) that are their own.
template <class P, class Context>
FUSE_HD void write_own(const Params<P>& p, const Context& c, index_t row, index_t s) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
            if (output_owns<I>(p, row, s)) {
                write_item<I, P, 1>(p, c, row, s, 1);
            }
        }
    });
}

FUSE_END_NAMESPACE
