// SPDX-License-Identifier: Apache-2.0
//
// The rows of a block in shared memory, a row per thread, for every operand whose rows lie one behind the other: its part
// of the tile is then one piece of memory.
#pragma once

#include "fuse/kernels/body/contexts.hpp"
#include "fuse/kernels/short_rows/ladder.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bytes of an element in the tile, of leaf or output number I; 0: it is not there.
template <class P, int I>
inline constexpr unsigned tiled_leaf_bytes = [] {
    using L = at_t<typename P::leaves, I>;
    if constexpr (kir::is_memory<L>) {
        return L::reduced ? static_cast<unsigned>(sizeof(typename L::storage)) : 0U;
    } else {
        return 0U;
    }
}();
template <class P, int I>
inline constexpr unsigned
    tiled_output_bytes = at_t<typename P::outputs, I>::extent == kir::Extent::item
                             ? static_cast<unsigned>(sizeof(typename at_t<typename P::outputs, I>::storage))
                             : 0U;

/// The same of all leaves and outputs before number I, outputs after leaves.
template <class P, int I>
inline constexpr unsigned tiled_bytes_before = [] {
    constexpr int leaves = P::leaves::size;
    if constexpr (I == 0) {
        return 0U;
    } else if constexpr (I <= leaves) {
        return tiled_bytes_before<P, I - 1> + tiled_leaf_bytes<P, I - 1>;
    } else {
        return tiled_bytes_before<P, I - 1> + tiled_output_bytes<P, I - 1 - leaves>;
    }
}();

}  // namespace detail

template <class P>
class RowTile {
public:
    /// Of shared memory, for rows of longest_short_row elements.
    static FUSE_HD constexpr unsigned bytes(unsigned rows) {
        return rows * static_cast<unsigned>(longest_short_row) *
               detail::tiled_bytes_before<P, P::leaves::size + P::outputs::size>;
    }

    /// The rows from `first` on, one per thread of a block of dim_x = 1.
    template <class B>
    FUSE_HD RowTile(B& block, const Params<P>& p, index_t first)
        : memory_(block.own_memory()), capacity_(block.dim_y() * static_cast<unsigned>(longest_short_row)),
          first_(first * p.seq_size), own_(block.thread_y() * static_cast<unsigned>(p.seq_size)) {
        const index_t rows = p.outer_size - first < block.dim_y() ? p.outer_size - first : block.dim_y();
        count_ = static_cast<unsigned>(rows * p.seq_size);
    }

    /// Copies the leaves, and waits. All threads of the block must call.
    template <class B>
    FUSE_HD void load(B& block, const Params<P>& p) const {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            constexpr unsigned bytes = detail::tiled_leaf_bytes<P, I>;
            if constexpr (bytes > 0) {
                const auto& operand = get<I>(p.leaves);
                using T = typename at_t<typename P::leaves, I>::storage;
                if (in_one_piece(p, operand)) {
                    constexpr int V = bytes < 16 ? 16 / static_cast<int>(bytes) : 1;
                    T* to = leaf<I, T>();
                    const T* from = operand.data + first_;
                    const unsigned packs = aligned<V>(from) ? count_ / V : 0;
                    for (unsigned i = block.thread_y(); i < packs; i += block.dim_y()) {
                        copy_pack_async(block, reinterpret_cast<Pack<T, V>*>(to)[i], from + i * V);
                    }
                    for (unsigned i = packs * V + block.thread_y(); i < count_; i += block.dim_y()) {
                        copy_item_async(block, to[i], from + i);
                    }
                }
            }
        });
        block.wait_copies();
        block.sync();
    }

    /// Element s of the thread's row, of the leaves in Set.
    template <leaf_set Set>
    FUSE_HD RowItems<P, 1> items(const Params<P>& p, const RowState<P>& row, int s) const {
        RowItems<P, 1> items;
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (((Set >> I) & 1U) != 0 && L::reduced) {
                const auto& operand = get<I>(p.leaves);
                if constexpr (kir::is_index<L>) {
                    detail::index_item<I, P, 1>(items, p, row, s);
                } else if (in_one_piece(p, operand)) {
                    get<I>(items).item[0] = leaf<I, typename L::storage>()[own_ + static_cast<unsigned>(s)];
                } else {
                    get<I>(items).item[0] = get<I>(row.leaf)[detail::along(p, operand, s)];
                }
            }
        });
        return items;
    }

    /// Evaluates the item outputs at element s of the thread's row.
    FUSE_HD void write(const Params<P>& p, const RowContext<P, 1>& context, index_t row, int s) const {
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using O = at_t<typename P::outputs, I>;
            if constexpr (O::extent == kir::Extent::item) {
                if (in_one_piece(p, get<I>(p.outputs))) {
                    output<I, typename O::storage>()[own_ + static_cast<unsigned>(s)] =
                        from_compute<typename O::storage>(Evaluate<typename O::expression>::at(context, 0));
                } else {
                    write_item<I, P, 1>(p, context, row, s, 1);
                }
            }
        });
    }

    /// Writes what the threads have left in the tile. All threads of the block must call.
    template <class B>
    FUSE_HD void store(B& block, const Params<P>& p) const {
        block.sync();  // and nobody reads the leaves any more
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using O = at_t<typename P::outputs, I>;
            if constexpr (O::extent == kir::Extent::item) {
                const auto& operand = get<I>(p.outputs);
                using T = typename O::storage;
                if (in_one_piece(p, operand)) {
                    constexpr int V = sizeof(T) < 16 ? 16 / static_cast<int>(sizeof(T)) : 1;
                    const T* from = output<I, T>();
                    T* to = operand.data + first_;
                    const unsigned packs = aligned<V>(to) ? count_ / V : 0;
                    for (unsigned i = block.thread_y(); i < packs; i += block.dim_y()) {
                        store_pack(to + i * V, reinterpret_cast<const Pack<T, V>*>(from)[i], true);
                    }
                    for (unsigned i = packs * V + block.thread_y(); i < count_; i += block.dim_y()) {
                        to[i] = from[i];
                    }
                }
            }
        });
    }

private:
    template <class O>
    static FUSE_HD bool in_one_piece(const Params<P>& p, const O& operand) {
        return detail::flat(p) && p.outer.count <= 1 && (operand.x == 1 || p.seq_size == 1) &&
               (operand.outer[outer_axis] == p.seq_size || p.outer_size == 1);
    }
    static constexpr int outer_axis = Params<P>::traits::outer - 1;

    template <int V, class T>
    static FUSE_HD bool aligned(const T* data) {
        return reinterpret_cast<std::uintptr_t>(data) % pack_alignment<std::remove_const_t<T>, V> == 0;
    }

    template <int I, class T>
    FUSE_HD T* leaf() const {
        return reinterpret_cast<T*>(memory_ + capacity_ * detail::tiled_bytes_before<P, I>);
    }
    template <int I, class T>
    FUSE_HD T* output() const {
        return leaf<P::leaves::size + I, T>();
    }

    unsigned char* memory_;
    unsigned capacity_;  ///< elements that an operand has room for
    index_t first_;      ///< element of the domain
    unsigned own_;       ///< element of the tile with which the thread's row begins
    unsigned count_;     ///< elements of the tile
};

FUSE_END_NAMESPACE
