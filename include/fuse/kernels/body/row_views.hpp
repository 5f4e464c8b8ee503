// SPDX-License-Identifier: Apache-2.0
//
// RowItems of a host thread: where they are.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/body/views.hpp"

FUSE_BEGIN_NAMESPACE

/// Consecutive values of an index leaf.
struct IndexView {
    index_t first;
    index_t step;
};
FUSE_HD index_t unpack(const IndexView& view, int v) {
    return view.first + v * view.step;
}

namespace detail {

template <int V>
struct row_views {
    template <class L>
    struct leaf {
        using type = Nothing;
    };
    template <class T, bool Kept>
    struct leaf<kir::MemoryLeaf<T, Kept, true>> {
        using type = PackView<T, V>;
    };
    template <bool Kept, bool Coordinate>
    struct leaf<kir::IndexLeaf<Kept, true, Coordinate>> {
        using type = IndexView;
    };
};

/// Whether a leaf in Set counts along the row.
template <leaf_set Set, class P>
inline constexpr bool counts_along = []<class... L>(type_list<L...>) {
    constexpr bool counts[] = {(kir::is_index<L> && L::walked)..., false};
    bool any = false;
    for (int i = 0; i < static_cast<int>(sizeof...(L)); ++i) {
        any = any || (((Set >> i) & 1U) != 0 && counts[i]);
    }
    return any;
}(typename P::leaves{});

}  // namespace detail

template <class P, int V>
using RowViews = typename map_tuple<typename P::leaves, detail::row_views<V>::template leaf>::type;

/// How many of `left` elements from s on one view of the leaves in Set shows: of several axes those along the innermost
/// one, if they are many, or indices are among them, which then lie equally far apart.
template <leaf_set Set, class P>
FUSE_HD index_t viewable(const Params<P>& p, index_t s, index_t left) {
    constexpr int rank = Params<P>::traits::walked_rank;
    if constexpr (rank > 1) {
        constexpr index_t many = 64;
        const bool ends =
            detail::counts_along<Set, P> || static_cast<index_t>(p.walked.extent[rank - 1].divisor()) >= many;
        if (p.walked.count > 1 && ends) {
            const index_t run = run_from(p.walked, s);
            return run < left ? run : left;
        }
    }
    return left;
}

/// V elements from s on of the leaves in Set, or as many as there are, at least one: without a copy if they lie side by side.
/// Copied: from a copy in any case, as what is written first may lie where another output reads.
template <leaf_set Set, class P, int V, bool Copied = false>
FUSE_HD void view_items(RowViews<P, V>& items, const Params<P>& p, const RowState<P>& row, index_t s, index_t left) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto path = detail::path_along(p, get<I>(p.leaves));
            auto& view = get<I>(items);
            const auto& first = get<I>(row.leaf);
            if constexpr (kir::is_index<L>) {
                view.first = first + path(s);
                view.step = path.one_axis() ? path.step : path.strides[Params<P>::traits::walked_rank - 1];
            } else if (!Copied && path.one_axis() && path.step == 1) {
                view.items = first + s;
            } else if (!Copied && !path.one_axis() && path.strides[Params<P>::traits::walked_rank - 1] == 1 &&
                       run_from(path.dims, s) >= left) {
                view.items = first + path(s);
            } else {
                detail::read_along(view.copied, first, path, s, left);
                view.items = view.copied.item;
            }
        }
    });
}

namespace detail {

/// Where the values of an expression lie side by side, if that is known of its type: those of a leaf as it is stored.
template <class E>
struct items_in_place {};
template <int I>
struct items_in_place<kir::Leaf<I>> {
    template <class Context>
    static FUSE_HD auto at(const Context& c) -> decltype(get<I>(c.items).items) {
        return get<I>(c.items).items;
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
