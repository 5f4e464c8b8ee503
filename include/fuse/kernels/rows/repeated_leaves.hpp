// SPDX-License-Identifier: Apache-2.0
//
// Operands of which a row has one element although their type says that they move along rows: what was kept with keepdims,
// numbers of channels of shape (c, 1). A launch knows, by a step of 0.
#pragma once

#include <bit>

#include "fuse/kernels/body/row_context.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of several operands that differ from row to row, along one axis, each. Where there is one alone, its rows are what is walked.
template <class P>
inline constexpr leaf_set leaves_that_may_repeat = [] {
    constexpr leaf_set of_rows = leaf_sets<P>::walked & leaf_sets<P>::kept & leaf_sets<P>::memory;
    return Params<P>::traits::walked_rank == 1 && std::popcount(of_rows) > 1 ? of_rows : leaf_set{0};
}();

/// Calls f with whether a row has one element of some leaf in Set. All that is loaded in one call has one branch: loads wait
/// for each other at the branches between them.
template <leaf_set Set, class P, class F>
FUSE_HD void with_repeats(const Params<P>& p, F&& f) {
    if constexpr (Set != 0) {
        bool any = false;
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (((Set >> I) & 1U) != 0) {
                any = any || get<I>(p.leaves).x == 0;
            }
        });
        if (any) {
            return f.template operator()<true>();
        }
    }
    f.template operator()<false>();
}

/// Loads V elements from s on, all inside the row, of the leaves in Set: of those of which it has one, that.
template <leaf_set Set, class P, int V, class Paths>
FUSE_HD void load_repeated(const Paths& paths, RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row,
                           index_t s) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (((Set >> I) & 1U) != 0) {
            if (get<I>(p.leaves).x == 0) {
                load_strided(get<I>(items), get<I>(row.leaf), 0);
            } else {
                load_along<leaf_set{1} << I, P, V>(paths, items, p, row, s);
            }
        }
    });
}

}  // namespace detail

FUSE_END_NAMESPACE
