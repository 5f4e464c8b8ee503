// SPDX-License-Identifier: Apache-2.0
//
// Where a thread of a column kernel finds its values: loads and stores of what it has of its columns (column_state.hpp), and
// ColumnContext, which joins that for Evaluate.
#pragma once

#include <cstring>

#include "fuse/kernels/body/row_constants.hpp"
#include "fuse/kernels/columns/column_state.hpp"
#include "fuse/primitives/thread/read_pieces.hpp"
#include "fuse/primitives/thread/write_data.hpp"

FUSE_BEGIN_NAMESPACE

/// How a thread loads its columns: as vectors, as vectors over several rows (joined_columns.hpp), as the aligned pieces around
/// them (unaligned_columns.hpp), or item by item.
enum class ColumnLoads { vectors, lines, pieces, items };

/// Whether items of the leaves in Set may be loaded as whole vectors at every position, or as one item for all columns. Threads
/// beyond the end load those of another: a warp that took both ways would go them one after the other.
template <leaf_set Set, class P, int V>
FUSE_HD bool whole_vectors(const Params<P>& p, const ColumnState<P, V>& state) {
    bool whole = (state.left >= V || (state.left == 0 && state.x + V <= p.x_size)) && state.pitch == 1;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && kir::is_memory<L> && L::kept && L::walked) {
            const auto& operand = get<I>(p.leaves);
            whole = whole && (operand.vector || (P::stretches && operand.x == 0));
        }
    });
    return whole;
}

namespace detail {

/// Calls f with N / 2, N / 4, ... 1, as constants, for N a power of two.
template <int N, class F>
FUSE_HD void by_halves(F&& f) {
    if constexpr (N > 1) {
        f(std::integral_constant<int, N / 2>{});
        by_halves<N / 2>(f);
    }
}

/// Offset of index s along the walked axes. Most often they are one, whatever the program allows for.
template <class P, class Operand>
FUSE_HD index_t offset_along(const P& p, const Operand& operand, index_t s) {
    constexpr int rank = P::traits::walked_rank;
    return rank == 1 || p.walked.count == 1 ? s * operand.walked[rank - 1] : offset_of(p.walked, operand.walked, s);
}

}  // namespace detail

/// Loads the leaves in Set at position s of the walked axes. Vectors: where whole_vectors says so.
template <leaf_set Set, ColumnLoads Loads, class P, int V>
FUSE_HD void load_column(ColumnItems<P, V>& items, const Params<P>& p, const ColumnState<P, V>& state, index_t s) {
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
            const auto& operand = get<I>(p.leaves);
            const index_t along = detail::offset_along(p, operand, s);
            if constexpr (kir::is_index<L>) {
                FUSE_UNROLL
                for (int v = 0; v < (L::kept ? V : 1); ++v) {
                    get<I>(items).item[v] = get<I>(state.leaf).item[v] + along;
                }
            } else if (P::stretches && operand.data == nullptr) {
                get<I>(items) = {};
            } else if constexpr (L::kept && Loads == ColumnLoads::pieces) {
                ReadPieces(get<I>(items), get<I>(state.leaf) + along);
            } else if constexpr (L::kept && Loads == ColumnLoads::lines) {
                load_pack(get<I>(items), get<I>(state.leaf) + along, true);
            } else if constexpr (L::kept && Loads == ColumnLoads::vectors) {
                if (P::stretches && !operand.vector) {
                    load_strided(get<I>(items), get<I>(state.leaf) + along, 0);
                } else {
                    load_pack(get<I>(items), get<I>(state.leaf) + along, true);
                }
            } else if constexpr (L::kept) {
                detail::load_columns<true>(get<I>(items), get<I>(state.leaf) + along, state.stride(operand), state.left,
                                           operand.vector);
            } else {
                get<I>(items).item[0] = get<I>(state.leaf)[along];
            }
        }
    });
}

/// Calls load.template operator() with vectors or items, as whole_vectors says: one branch for many loads.
template <leaf_set Set, class P, int V, class Load>
FUSE_HD void as_whole_vectors(const Params<P>& p, const ColumnState<P, V>& state, Load&& load) {
    if (whole_vectors<Set>(p, state)) {
        load.template operator()<ColumnLoads::vectors>();
    } else {
        load.template operator()<ColumnLoads::items>();
    }
}

template <class P, int V, class Items = ColumnItems<P, V>>
struct ColumnContext {
    template <int I>
    static constexpr bool same_leaf = !at_t<typename P::leaves, I>::walked;

    const Params<P>& params;
    const ColumnState<P, V>& state;
    const Items& items;
    const ColumnResults<P, V>& results;

    template <int I>
    FUSE_HD auto leaf(int v) const {
        using L = at_t<typename P::leaves, I>;
        if constexpr (L::walked) {
            return unpack(get<I>(items), L::kept ? v : 0);
        } else if constexpr (kir::is_memory<L> || kir::is_index<L>) {
            return unpack(get<I>(state.leaf), v);
        } else {
            return get<I>(params.leaves).value;
        }
    }
    template <int I>
    FUSE_HD auto result(int v) const {
        return get<I>(results).item[v];
    }
    template <int S>
    FUSE_HD const auto& functor() const {
        return get<S>(params.functors).load();
    }
};

/// Writes the outputs of extent X: item (at s, if that is inside) or kept (one per column). They are computed in any case:
/// what the same values at all s cost is then paid once.
template <kir::Extent X, int V, class P, class Context>
FUSE_HD void write_column(const Params<P>& p, const Context& c, index_t s, bool inside = true) {
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using O = at_t<typename P::outputs, I>;
        if constexpr (O::extent == X) {
            const auto& operand = get<I>(p.outputs);
            const auto item = [&](int v) FUSE_INLINE_LAMBDA {
                return from_compute<typename O::storage>(Evaluate<typename O::expression>::at(c, v));
            };
            index_t offset = get<I>(c.state.output);
            const index_t stride = c.state.stride(operand);
            if constexpr (X == kir::Extent::item) {
                offset += detail::offset_along(p, operand, s);
            }
            if (stretched(p)) {
                for_items<V>(c.state.left, [&](int v) {
                    if (output_owns<I>(p, c.state.kept, s, c.state.x + v * c.state.pitch)) {
                        operand.data[offset + v * stride] = item(v);
                    }
                });
            } else {
                // Of a host thread only what exists is evaluated, and written: zeros for each item would cost as much.
                Pack<typename O::storage, V> pack;
                if constexpr (!host_vector<V> || X != kir::Extent::item) {
                    pack = {};
                }
                evaluate<O>(pack, c, c.state.evaluated);
                if (c.state.left >= V && stride == 1 && operand.vector) {
                    if (inside) {
                        store_pack(operand.data + offset, pack, true);
                    }
                } else if (host_vector<V> && stride == 1) {
                    std::memcpy(operand.data + offset, pack.item,
                                static_cast<std::size_t>(c.state.left) * sizeof(typename O::storage));
                } else {
                    auto* to = operand.data + offset;
                    FUSE_UNROLL
                    for (int v = 0; v < V; ++v, to += stride) {
                        if (inside && v < c.state.left) {
                            *to = pack.item[v];
                        }
                    }
                }
            }
        }
    });
}

FUSE_END_NAMESPACE
