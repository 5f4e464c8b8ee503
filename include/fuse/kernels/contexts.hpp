// SPDX-License-Identifier: Apache-2.0
//
// Where a thread of a row kernel (also map and split) finds its values. RowState: what is fixed for a row, pointers to
// its first element and values constant along it. Items: V consecutive elements of every leaf that varies along the
// row. RowContext joins them for Evaluate.
#pragma once

#include "fuse/kernels/product.hpp"
#include "fuse/plan/leaf_sets.hpp"
#include "fuse/primitives/read_data_bc.hpp"
#include "fuse/primitives/write_data.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class L>
struct row_state {
    using type = Nothing;
};
template <class T, bool Kept, bool Reduced>
struct row_state<kir::MemoryLeaf<T, Kept, Reduced>> {
    using type = std::conditional_t<Reduced, const T*, T>;
};
template <bool Kept, bool Reduced>
struct row_state<kir::IndexLeaf<Kept, Reduced>> {
    using type = index_t;
};

template <int V>
struct row_items {
    template <class L>
    struct leaf {
        using type = Nothing;
    };
    template <class T, bool Kept>
    struct leaf<kir::MemoryLeaf<T, Kept, true>> {
        using type = Pack<T, V>;
    };
    template <bool Kept>
    struct leaf<kir::IndexLeaf<Kept, true>> {
        using type = Pack<index_t, V>;
    };
};

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
                    offset = offset_of(p.outer, operand.outer, row);
                }
                if constexpr (kir::is_index<L>) {
                    get<I>(leaf) = offset;
                } else if constexpr (L::reduced) {
                    get<I>(leaf) = operand.data + offset;
                } else {
                    get<I>(leaf) = operand.data[offset];
                }
            }
        });
    }
};

template <class P, int V>
using RowItems = typename map_tuple<typename P::leaves, detail::row_items<V>::template leaf>::type;

/// Loads V elements from s on, `left` of them inside the row, of the leaves in Set.
template <leaf_set Set, class P, int V>
FUSE_HD void load_items(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row, index_t s, index_t left) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::reduced) {
            const auto& operand = get<I>(p.leaves);
            auto& pack = get<I>(items);
            const bool flat = P::reduced_rank <= 1 || p.seq.count <= 1;
            if constexpr (kir::is_index<L>) {
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    const index_t along = flat ? (s + v) * operand.x : offset_of(p.seq, operand.seq, s + v);
                    pack.item[v] = get<I>(row.leaf) + along;
                }
            } else if (flat) {
                ReadDataBc(pack, get<I>(row.leaf) + s * operand.x, operand.x, left, operand.vector, {});
            } else if (operand.vector && left >= V) {
                load_pack(pack, get<I>(row.leaf) + offset_of(p.seq, operand.seq, s), true);
            } else {
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    if (v < left) {
                        pack.item[v] = get<I>(row.leaf)[offset_of(p.seq, operand.seq, s + v)];
                    }
                }
            }
        }
    });
}

template <class P, int V>
struct RowContext {
    const Params<P>& params;
    const RowState<P>& row;
    const RowItems<P, V>& items;
    const results_t<P>& results;

    template <int I>
    FUSE_HD auto leaf(int v) const {
        using L = at_t<typename P::leaves, I>;
        if constexpr (L::reduced) {
            return get<I>(items).item[v];
        } else if constexpr (kir::is_memory<L> || kir::is_index<L>) {
            return get<I>(row.leaf);
        } else {
            return get<I>(params.leaves).value;
        }
    }
    template <int I>
    FUSE_HD auto red(int) const {
        return get<I>(results);
    }
    template <int S>
    FUSE_HD const auto& functor() const {
        return get<S>(params.functors);
    }
};

/// Writes the item outputs of V elements from s on, `left` of them inside the row.
template <class P, int V>
FUSE_HD void write_items(const Params<P>& p, const RowContext<P, V>& c, index_t row, index_t s, index_t left) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using O = at_t<typename P::outputs, I>;
        if constexpr (O::extent == kir::Extent::item) {
            const auto& operand = get<I>(p.outputs);
            Pack<typename O::storage, V> pack;
            for_lanes<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
                pack.item[v] = from_compute<typename O::storage>(Evaluate<typename O::expression>::at(c, v));
            });
            typename O::storage* base = operand.data + (P::kept_rank > 0 ? offset_of(p.outer, operand.outer, row) : 0);
            const bool flat = P::reduced_rank <= 1 || p.seq.count <= 1;
            const int valid = left < 0 ? 0 : left < V ? static_cast<int>(left) : V;
            if (flat && (operand.x == 1)) {
                WriteData(base + s, pack, left, operand.vector);
            } else if (flat) {
                store_guarded(base + s * operand.x, pack, operand.x, valid);
            } else if (operand.vector && left >= V) {
                store_pack(base + offset_of(p.seq, operand.seq, s), pack, true);
            } else {
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    if (v < valid) {
                        base[offset_of(p.seq, operand.seq, s + v)] = pack.item[v];
                    }
                }
            }
        }
    });
}

/// Writes the outputs of one extent kind that hold a single value per row (outer) or per launch (once).
template <kir::Extent X, class P, int V>
FUSE_HD void write_single(const Params<P>& p, const RowContext<P, V>& c, index_t row) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using O = at_t<typename P::outputs, I>;
        if constexpr (O::extent == X) {
            const auto& operand = get<I>(p.outputs);
            const index_t offset = X == kir::Extent::outer ? offset_of(p.outer, operand.outer, row) : 0;
            operand.data[offset] = from_compute<typename O::storage>(Evaluate<typename O::expression>::at(c, 0));
        }
    });
}

FUSE_END_NAMESPACE
