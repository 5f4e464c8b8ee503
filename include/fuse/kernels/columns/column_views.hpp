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

/// Positions between a sweep and what is asked for ahead of it.
inline constexpr index_t rows_ahead = 4;

/// Up to which position N at once are asked for. Those that are rows of a matrix lie in pages of their own, and beyond the end
/// of a page a machine reads nothing ahead. Several at once are summed as fast as a cache has them: only of what is larger than
/// one.
template <leaf_set Set, int N, class P, int V>
FUSE_HD index_t prefetch_end(const Params<P>& p, const ColumnState<P, V>& state) {
    constexpr index_t cache_bytes = N > 1 ? index_t{1} << 20U : 0;
    constexpr int rank = Params<P>::traits::walked_rank;
    bool worth = (rank == 1 || p.walked.count <= 1) && state.left >= V;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && kir::is_memory<L> && L::kept && L::walked) {
            constexpr auto bytes = static_cast<index_t>(sizeof(typename L::storage));
            const auto& operand = get<I>(p.leaves);
            const index_t step = operand.walked[rank - 1];
            worth = worth && operand.x * state.pitch == 1 && step > V && p.walked_size * step * bytes > cache_bytes;
        }
    });
    return worth ? p.walked_size - rows_ahead - N + 1 : 0;
}
/// Asks for N positions that a sweep reads a little later than s, where prefetch_end says so.
template <leaf_set Set, int N, class P, int V>
FUSE_HD void prefetch_column(const Params<P>& p, const ColumnState<P, V>& state, index_t s) {
#if !FUSE_ON_DEVICE
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && kir::is_memory<L> && L::kept && L::walked) {
            constexpr int bytes = static_cast<int>(sizeof(typename L::storage));
            constexpr int line = bytes < 64 ? 64 / bytes : 1;
            const index_t step = get<I>(p.leaves).walked[Params<P>::traits::walked_rank - 1];
            const auto* const row = get<I>(state.leaf) + (s + rows_ahead) * step;
            for (int k = 0; k < N; ++k) {
                for (int v = 0; v < V; v += line) {
                    __builtin_prefetch(row + k * step + v);
                }
            }
        }
    });
#endif
}

FUSE_END_NAMESPACE
