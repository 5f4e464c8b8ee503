// SPDX-License-Identifier: Apache-2.0
//
// What a thread of a row kernel has of each leaf. RowState: what is fixed for a row, pointers to its first element and values
// constant along it. RowItems: V consecutive elements of every leaf that varies along the row.
#pragma once

#include "fuse/kernels/body/params.hpp"
#include "fuse/kernels/body/positions.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class L>
struct row_state {
    using type = Nothing;
};
template <class T, bool Kept, bool Walked>
struct row_state<kir::MemoryLeaf<T, Kept, Walked>> {
    using type = std::conditional_t<Walked, const T*, T>;
};
template <bool Kept, bool Walked, bool Coordinate>
struct row_state<kir::IndexLeaf<Kept, Walked, Coordinate>> {
    using type = index_t;
};

/// Positions: rows have one axis, whose coordinates are the positions.
template <int V, bool Positions>
struct row_items {
    template <class L>
    struct leaf {
        using type = Nothing;
    };
    template <class T, bool Kept>
    struct leaf<kir::MemoryLeaf<T, Kept, true>> {
        using type = Pack<T, V>;
    };
    template <bool Kept, bool Coordinate>
    struct leaf<kir::IndexLeaf<Kept, true, Coordinate>> {
        using type = std::conditional_t<Positions && Coordinate && !Kept && (V > 1), Positioned, Pack<index_t, V>>;
    };
};

template <class P>
inline constexpr bool has_positions = P::walked_rank == 1 && !P::stretches && !reverse_program<P>;

}  // namespace detail

template <class P>
struct RowState {
    typename map_tuple<typename P::leaves, detail::row_state>::type leaf;

    FUSE_HD RowState(const Params<P>& p, index_t row) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (kir::is_memory<L> || kir::is_index<L>) {
                const auto& operand = get<I>(p.leaves);
                index_t offset = 0;
                if constexpr (L::kept) {
                    offset = offset_by_size(p.kept, operand.kept, row, operand.kept_linear);
                }
                if constexpr (kir::is_index<L>) {
                    get<I>(leaf) = offset + first_coordinate<P, L>(p, operand);
                } else if constexpr (L::walked) {
                    get<I>(leaf) = operand.data + offset;
                } else if (!P::stretches || operand.data != nullptr) {
                    get<I>(leaf) = operand.data[offset];
                } else {
                    get<I>(leaf) = {};
                }
            }
        });
    }
    /// Of no row: leaves that vary from row to row are not read.
    struct NoRow {};
    FUSE_HD RowState(const Params<P>& p, NoRow) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (kir::is_memory<L> && !L::kept && !L::walked) {
                get<I>(leaf) = get<I>(p.leaves).data[0];
            } else {
                get<I>(leaf) = {};
            }
        });
    }
};

template <class P, int V>
using RowItems =
    typename map_tuple<typename P::leaves, detail::row_items<V, detail::has_positions<P>>::template leaf>::type;

FUSE_END_NAMESPACE
