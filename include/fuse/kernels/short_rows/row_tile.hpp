// SPDX-License-Identifier: Apache-2.0
//
// The rows of a block in shared memory, a row per thread. Where the rows of an operand lie one behind the other, its
// part of the tile is one piece of memory, which the threads copy together; else each thread copies its row.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bytes of an element in the tile, of leaf or output number I; 0: it is not there.
template <class P, int I>
inline constexpr unsigned tiled_leaf_bytes = [] {
    using L = at_t<typename P::leaves, I>;
    if constexpr (kir::is_memory<L>) {
        return L::walked ? static_cast<unsigned>(sizeof(typename L::storage)) : 0U;
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

/// Calls f(j) for the N elements that a thread has room for, or for half of them where a row of n needs no more. There
/// is no branch per element, so the compiler can use exp(x - max) of one phase in the next; f masks what is beyond n.
template <int N, class F>
FUSE_HD void for_held_elements(int n, F&& f) {
    FUSE_UNROLL
    for (int j = 0; j < N / 2; ++j) {
        f(j);
    }
    if (n > N / 2) {
        FUSE_UNROLL
        for (int j = N / 2; j < N; ++j) {
            f(j);
        }
    }
}

/// N: elements of the longest row.
template <class P, int N>
class RowTile {
    static constexpr int leaves = P::leaves::size;
    static constexpr int operands = leaves + P::outputs::size;
    static constexpr unsigned word = 16;  ///< bytes that are copied at a time

public:
    /// Of shared memory. Each operand begins as far from a multiple of a word as it does in memory.
    static FUSE_HD constexpr unsigned bytes(unsigned rows) {
        return rows * N * detail::tiled_bytes_before<P, operands> + operands * word;
    }

    /// The rows from `first` on, one per thread of a block of dim_x = 1.
    template <OwnMemory B>
    FUSE_HD RowTile(B& block, const Params<P>& p, index_t first)
        : memory_(block.own_memory()), capacity_(block.dim_y() * N), first_(first * p.walked_size),
          own_(block.thread_y() * static_cast<unsigned>(p.walked_size)), n_(static_cast<int>(p.walked_size)),
          active_(first + block.thread_y() < p.kept_size) {
        const index_t rows = p.kept_size - first < block.dim_y() ? p.kept_size - first : block.dim_y();
        count_ = static_cast<unsigned>(rows * p.walked_size);
    }

    /// Whether the thread has a row.
    FUSE_HD bool active() const { return active_; }

    /// Copies the leaves, and waits. All threads of the block must call.
    template <AsyncCopies B>
    FUSE_HD void load(B& block, const Params<P>& p, const RowState<P>& row) const {
        static_for<leaves>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (detail::tiled_leaf_bytes < P, I >> 0) {
                const auto& operand = get<I>(p.leaves);
                auto* const to = part<I>(operand);
                if (in_one_piece(p, operand)) {
                    for_piece(
                        block, operand,
                        [&](auto words, unsigned i) FUSE_INLINE_LAMBDA {
                            using Words = typename decltype(words)::type;
                            copy_pack_async(block, *reinterpret_cast<Words*>(to + i), operand.data + first_ + i);
                        },
                        [&](unsigned i)
                            FUSE_INLINE_LAMBDA { copy_item_async(block, to[i], operand.data + first_ + i); });
                } else if (active_) {
                    FUSE_NO_UNROLL
                    for (int s = 0; s < n_; ++s) {
                        to[own_ + static_cast<unsigned>(s)] = get<I>(row.leaf)[detail::path_along(p, operand)(s)];
                    }
                }
            }
        });
        block.wait_copies();
        block.sync();
    }

    /// The elements of the thread's row, of the leaves in Set; beyond the last one, that again.
    template <leaf_set Set>
    FUSE_HD void items(RowItems<P, 1> (&items)[N], const Params<P>& p, const RowState<P>& row) const {
        static_for<leaves>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
                for_held_elements<N>(n_, [&](int j) FUSE_INLINE_LAMBDA {
                    const int s = j < n_ ? j : n_ - 1;
                    if constexpr (kir::is_index<L>) {
                        InitWithDataIndex(get<I>(items[j]), get<I>(row.leaf), detail::path_along(p, get<I>(p.leaves)),
                                          s);
                    } else {
                        get<I>(items[j]).item[0] = part<I>(get<I>(p.leaves))[own_ + static_cast<unsigned>(s)];
                    }
                });
            }
        });
    }

    /// Evaluates the item outputs at element s of the thread's row, and keeps them if it is inside.
    FUSE_HD void write(const Params<P>& p, const RowContext<P, 1>& context, int s) const {
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using O = at_t<typename P::outputs, I>;
            if constexpr (O::extent == kir::Extent::item) {
                const auto value = from_compute<typename O::storage>(Evaluate<typename O::expression>::at(context, 0));
                if (s < n_) {
                    part<leaves + I>(get<I>(p.outputs))[own_ + static_cast<unsigned>(s)] = value;
                }
            }
        });
    }

    /// Writes what the threads have left in the tile. All threads of the block must call.
    template <ThreadBlock B>
    FUSE_HD void store(B& block, const Params<P>& p, index_t row) const {
        block.sync();  // and nobody reads the leaves any more
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
                const auto& operand = get<I>(p.outputs);
                auto* const from = part<leaves + I>(operand);
                if (in_one_piece(p, operand)) {
                    for_piece(
                        block, operand,
                        [&](auto words, unsigned i) FUSE_INLINE_LAMBDA {
                            using Words = typename decltype(words)::type;
                            Words kept;
                            load_pack(kept, from + i, true);
                            store_pack(operand.data + first_ + i, kept, true);
                        },
                        [&](unsigned i) FUSE_INLINE_LAMBDA { operand.data[first_ + i] = from[i]; });
                } else if (active_) {
                    auto* const to = operand.data + offset_of(p.kept, operand.kept, row);
                    FUSE_NO_UNROLL
                    for (int s = 0; s < n_; ++s) {
                        to[detail::path_along(p, operand)(s)] = from[own_ + static_cast<unsigned>(s)];
                    }
                }
            }
        });
    }

private:
    template <class T>
    using item_type = std::remove_const_t<std::remove_pointer_t<T>>;

    /// Whether the rows of the tile lie one behind the other.
    template <class O>
    static FUSE_HD bool in_one_piece(const Params<P>& p, const O& operand) {
        constexpr int kept_axis = Params<P>::traits::kept_rank - 1;
        return detail::path_along(p, operand).one_axis() && p.kept.count <= 1 &&
               (operand.x == 1 || p.walked_size == 1) && (operand.kept[kept_axis] == p.walked_size || p.kept_size == 1);
    }

    /// Calls copy_words(type of a word of items, i) for the whole words of a part of the tile, from item i on, and
    /// copy_item(i) for the items before and after them, all threads of the block together. The part begins in memory
    /// as it does in the tile: tiles are whole warps of rows apart.
    template <ThreadBlock B, class O, class Words, class Item>
    FUSE_HD void for_piece(B& block, const O& operand, Words&& copy_words, Item&& copy_item) const {
        using T = item_type<decltype(operand.data)>;
        constexpr unsigned V = word % sizeof(T) == 0 ? word / sizeof(T) : 1;
        const unsigned missing = (V - shift(operand.data)) % V;
        const unsigned head = missing < count_ ? missing : count_;
        const unsigned whole = (count_ - head) / V * V + head;
        for (unsigned i = head + block.thread_y() * V; i < whole; i += block.dim_y() * V) {
            copy_words(std::type_identity<Pack<T, static_cast<int>(V)>>{}, i);
        }
        for (unsigned i = block.thread_y(); i < head; i += block.dim_y()) {
            copy_item(i);
        }
        for (unsigned i = whole + block.thread_y(); i < count_; i += block.dim_y()) {
            copy_item(i);
        }
    }

    /// Items by which an operand misses the beginning of a word.
    template <class T>
    static FUSE_HD unsigned shift(const T* data) {
        return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(data) % word / sizeof(T));
    }

    /// The part of the tile that belongs to operand number I (outputs after leaves).
    template <int I, class O>
    FUSE_HD auto* part(const O& operand) const {
        using T = item_type<decltype(operand.data)>;
        unsigned char* const begin = memory_ + capacity_ * detail::tiled_bytes_before<P, I> + I * word;
        return reinterpret_cast<T*>(begin) + shift(operand.data);
    }

    unsigned char* memory_;
    unsigned capacity_;  ///< elements that an operand has room for
    index_t first_;      ///< element of the domain
    unsigned own_;       ///< element of the tile with which the thread's row begins
    int n_;              ///< elements of a row
    bool active_;
    unsigned count_;  ///< elements of the tile
};

FUSE_END_NAMESPACE
