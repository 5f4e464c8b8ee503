// SPDX-License-Identifier: Apache-2.0
//
// RowItems of a host thread that folds them: where they are.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/body/views.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <int V>
struct row_views {
    template <class L>
    struct leaf : row_items<V>::template leaf<L> {};
    template <class T, bool Kept>
    struct leaf<kir::MemoryLeaf<T, Kept, true>> {
        using type = PackView<T, V>;
    };
};

}  // namespace detail

template <class P, int V>
using RowViews = typename map_tuple<typename P::leaves, detail::row_views<V>::template leaf>::type;

/// V elements from s on of the leaves in Set, or as many as there are, at least one: without a copy if they lie side by side.
template <leaf_set Set, class P, int V>
FUSE_HD void view_items(RowViews<P, V>& items, const Params<P>& p, const RowState<P>& row, index_t s, index_t left) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto path = detail::path_along(p, get<I>(p.leaves));
            auto& view = get<I>(items);
            const auto& first = get<I>(row.leaf);
            if constexpr (kir::is_index<L>) {
                InitWithDataIndex(view, first, path, s);
            } else if (path.one_axis() && path.step == 1) {
                view.items = first + s;
            } else if (path.vector && left >= V) {
                view.items = first + path(s);
            } else {
                detail::read_along(view.copied, first, path, s, left);
                view.items = view.copied.item;
            }
        }
    });
}

FUSE_END_NAMESPACE
