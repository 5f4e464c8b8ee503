// SPDX-License-Identifier: Apache-2.0
//
// ColumnItems of a host thread that folds them: where they are.
#pragma once

#include "fuse/kernels/body/views.hpp"
#include "fuse/kernels/columns/column_context.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <int V>
struct column_views {
    template <class L>
    struct leaf : column_traits<V>::template items<L> {};
    template <class T>
    struct leaf<kir::MemoryLeaf<T, true, true>> {
        using type = PackView<T, V>;
    };
};

}  // namespace detail

template <class P, int V>
using ColumnViews = typename map_tuple<typename P::leaves, detail::column_views<V>::template leaf>::type;

/// The leaves in Set at position s of the walked axes: without a copy if the columns lie side by side, and not Copied (see
/// view_items).
template <leaf_set Set, class P, int V, bool Copied = false>
FUSE_HD void view_column(ColumnViews<P, V>& items, const Params<P>& p, const ColumnState<P, V>& state, index_t s) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto& operand = get<I>(p.leaves);
            const index_t along = detail::offset_along(p, operand, s);
            auto& view = get<I>(items);
            if constexpr (kir::is_index<L>) {
                for (int v = 0; v < (L::kept ? V : 1); ++v) {
                    view.item[v] = get<I>(state.leaf).item[v] + along;
                }
            } else {
                const auto* first = get<I>(state.leaf) + along;
                if constexpr (!L::kept) {
                    view.item[0] = P::stretches && operand.data == nullptr ? typename L::storage{} : *first;
                } else if (P::stretches && operand.data == nullptr) {
                    view.copied = {};
                    view.items = view.copied.item;
                } else if (!Copied && operand.x * state.pitch == 1) {
                    view.items = first;
                } else {
                    detail::load_columns<false>(view.copied, first, operand.x * state.pitch, state.left, false);
                    view.items = view.copied.item;
                }
            }
        }
    });
}

FUSE_END_NAMESPACE
