// SPDX-License-Identifier: Apache-2.0
//
// What a thread of a column kernel has of its columns. It owns V (x, x + pitch, ... along the innermost kept axis) at one
// index along the other kept axes, and s goes along the walked ones. Neighbouring columns, pitch 1, are loaded as vectors;
// where memory does not allow these, the columns of neighbouring threads are neighbours, so that a warp reads consecutive
// items. ColumnState: what does not change along s. ColumnItems: the values at one s. Results differ per column, so they
// are packs too.
#pragma once

#include <cstring>

#include "fuse/kernels/body/product.hpp"
#include "fuse/plan/leaf_sets.hpp"
#include "fuse/primitives/thread/read_data_bc.hpp"

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
                    offset = offset_by_size(p.kept, operand.kept, kept, operand.kept_linear) + x * operand.x;
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
                get<I>(output) = offset_by_size(p.kept, operand.kept, kept, operand.kept_linear) + x * operand.x;
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

FUSE_END_NAMESPACE
