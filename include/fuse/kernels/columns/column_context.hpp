// SPDX-License-Identifier: Apache-2.0
//
// Where a thread of a column kernel finds its values. It owns V columns (x, x + pitch, ... along the innermost kept
// axis) at one index along the other kept axes, and s goes along the walked ones. Neighbouring columns, pitch 1, are
// loaded as vectors; where memory does not allow these, the columns of neighbouring threads are neighbours, so that a
// warp reads consecutive items. ColumnState: what does not change along s. ColumnItems: the values at one s. Results
// differ per column, so they are packs too.
#pragma once

#include <cstring>

#include "fuse/kernels/body/product.hpp"
#include "fuse/kernels/body/row_constants.hpp"
#include "fuse/plan/leaf_sets.hpp"
#include "fuse/primitives/thread/read_data_bc.hpp"
#include "fuse/primitives/thread/write_data.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <int V>
struct column_traits {
    template <class L>
    struct state {
        using type = Nothing;
    };
    template <class T, bool Kept, bool Walked>
    struct state<kir::MemoryLeaf<T, Kept, Walked>> {
        using type = std::conditional_t<Walked, const T*, Pack<T, V>>;
    };
    template <bool Kept, bool Walked, bool Coordinate>
    struct state<kir::IndexLeaf<Kept, Walked, Coordinate>> {
        using type = Pack<index_t, V>;
    };

    template <class L>
    struct items {
        using type = Nothing;
    };
    template <class T, bool Kept>
    struct items<kir::MemoryLeaf<T, Kept, true>> {
        using type = Pack<T, Kept ? V : 1>;
    };
    template <bool Kept, bool Coordinate>
    struct items<kir::IndexLeaf<Kept, true, Coordinate>> {
        using type = Pack<index_t, Kept ? V : 1>;
    };

    template <class O>
    struct output {
        using type = index_t;
    };

    template <class R>
    struct result {
        using type = Pack<R, V>;
    };
};

}  // namespace detail

template <class P, int V>
using ColumnItems = typename map_tuple<typename P::leaves, detail::column_traits<V>::template items>::type;
template <class P, int V>
using ColumnResults =
    typename map_tuple<typename results_of<P>::types, detail::column_traits<V>::template result>::type;

namespace detail {

/// The same, fewer than V, for a host thread, which computes no others.
template <int V, class T>
FUSE_HD void load_first(Pack<T, V>& out, const T* p, index_t stride, int left) {
    if (stride == 1) {
        std::memcpy(out.item, p, static_cast<std::size_t>(left) * sizeof(T));
    } else {
        for (int v = 0; v < left; ++v) {
            out.item[v] = p[v * stride];
        }
    }
}

/// V columns, of which those beyond `left` are loaded as the first: what functors meet is always what somebody stored.
/// Each by itself, if Alone, without a branch, behind which the loads of the next step would have to wait.
template <bool Alone, int V, class T>
FUSE_HD void load_columns(Pack<T, V>& out, const T* p, index_t stride, int left, bool aligned) {
    if (!(Alone && FUSE_ON_DEVICE) && left >= V) {
        ReadDataBc(out, p, stride, left, aligned, {});
    } else if constexpr (host_vector<V>) {
        load_first(out, p, stride, left);
    } else {
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            out.item[v] = p[v < left ? v * stride : 0];
        }
    }
}

}  // namespace detail

template <class P, int V>
struct ColumnState {
    typename map_tuple<typename P::leaves, detail::column_traits<V>::template state>::type leaf;
    /// Where the first of its columns begins in each output.
    typename map_tuple<typename P::outputs, detail::column_traits<V>::template output>::type output;
    index_t kept;
    index_t x;
    index_t pitch;  ///< from one column of the thread to the next along x
    index_t step;   ///< the same along the kept axes, which then are one
    int left;       ///< how many of its columns exist
    int evaluated;  ///< how many are computed: on a device all, those that do not exist as the first

    /// kept, x: a valid position even when `columns_left` is 0 (threads beyond the end take part in collectives).
    FUSE_HD ColumnState(const Params<P>& p, index_t kept_index, index_t x0, unsigned column_pitch, int columns_left,
                        bool evaluates_all, index_t kept_step = 0)
        : kept(kept_index), x(x0), pitch(column_pitch), step(kept_step), left(columns_left),
          evaluated(evaluates_all ? V : left) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (kir::is_memory<L> || kir::is_index<L>) {
                const auto& operand = get<I>(p.leaves);
                index_t offset = 0;
                if constexpr (L::kept) {
                    offset = offset_by_size(p.kept, operand.kept, kept) + x * operand.x;
                }
                if constexpr (kir::is_index<L>) {
                    offset += first_coordinate<P, L>(p, operand);
                    FUSE_UNROLL
                    for (int v = 0; v < V; ++v) {
                        get<I>(leaf).item[v] = offset + (L::kept && v < left ? v * stride(operand) : 0);
                    }
                } else if constexpr (L::walked) {
                    get<I>(leaf) = operand.data + offset;
                } else if (P::stretches && operand.data == nullptr) {
                    get<I>(leaf) = {};
                } else {
                    detail::load_columns<false>(get<I>(leaf), operand.data + offset, L::kept ? stride(operand) : 0,
                                                left, operand.vector);
                }
            }
        });
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            get<I>(output) = 0;
            if constexpr (at_t<typename P::outputs, I>::extent != kir::Extent::once) {
                const auto& operand = get<I>(p.outputs);
                get<I>(output) = offset_by_size(p.kept, operand.kept, kept) + x * operand.x;
            }
        });
    }

    /// From one of the thread's columns to the next in an operand.
    template <class Operand>
    FUSE_HD index_t stride(const Operand& operand) const {
        if constexpr (host_vector<V>) {
            return operand.x * pitch;
        } else {
            return operand.x * pitch + operand.kept[detail::operand_traits<P>::kept_rank - 1] * step;
        }
    }
};

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

/// Offset of index s along the walked axes. Most often they are one, whatever the program allows for.
template <class P, class Operand>
FUSE_HD index_t offset_along(const P& p, const Operand& operand, index_t s) {
    constexpr int rank = P::traits::walked_rank;
    return rank == 1 || p.walked.count == 1 ? s * operand.walked[rank - 1] : offset_of(p.walked, operand.walked, s);
}

}  // namespace detail

/// Loads the leaves in Set at position s of the walked axes. Whole: what whole_vectors says.
template <leaf_set Set, bool Whole, class P, int V>
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
            } else if constexpr (L::kept && Whole) {
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

/// Calls load.template operator() with true or false, what whole_vectors says: one branch for many loads.
template <leaf_set Set, class P, int V, class Load>
FUSE_HD void as_whole_vectors(const Params<P>& p, const ColumnState<P, V>& state, Load&& load) {
    if (whole_vectors<Set>(p, state)) {
        load.template operator()<true>();
    } else {
        load.template operator()<false>();
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
