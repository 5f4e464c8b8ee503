// SPDX-License-Identifier: Apache-2.0
//
// The rows of a block in shared memory. Where the rows of an operand lie one behind the other, its part of the tile is one
// piece of memory, which the threads copy together; else those of a row copy that row. Of what is the same for all
// rows there is one row. Rows that a scan goes through from their ends (reverse_program) lie in the tile as in memory, too.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/short_rows/ladder.hpp"
#include "fuse/kernels/short_rows/tile_bytes.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

/// The neighbouring elements of a row of the tile that are one thread's: begin .. end - 1 of row `own`.
struct TileShare {
    unsigned own;
    int begin;
    int end;
};

/// Longest: the most elements of a row, a multiple of 16.
template <class P, unsigned Longest>
class RowTile {
    static constexpr int leaves = P::leaves::size;
    static constexpr int operands = leaves + P::outputs::size;
    static constexpr unsigned word = 16;  ///< bytes that are copied at a time
    static constexpr bool backwards = reverse_program<P>;

    /// Elements that each operand has room for, so that all begin with a word.
    static FUSE_HD constexpr unsigned room(unsigned elements) { return (elements + word - 1) / word * word; }

public:
    /// Of shared memory, for so many elements. Each operand begins as far from a multiple of a word as it does in memory.
    static FUSE_HD constexpr unsigned bytes(unsigned elements) {
        return room(elements) * detail::tiled_bytes_before<P, operands> +
               Longest * detail::row_bytes_before<P, operands> + operands * word;
    }

#if FUSE_HAS_DEVICE_BODIES
    /// The rows from `first` on, of p.share elements at the most.
    template <OwnMemory B>
    FUSE_HD RowTile(B& block, const Params<P>& p, index_t first)
        : memory_(block.own_memory()), room_(room(static_cast<unsigned>(p.share))), first_row_(first),
          first_(first * p.walked_size), n_(static_cast<unsigned>(p.walked_size)) {
        const unsigned most = static_cast<unsigned>(p.share) / n_;
        rows_ = p.kept_size - first < most ? static_cast<unsigned>(p.kept_size - first) : most;
    }

    FUSE_HD unsigned rows() const {
        return rows_;
    }

    /// Copies the leaves, and waits. All threads of the block must call.
    template <AsyncCopies B>
    FUSE_HD void load(B& block, const Params<P>& p) const {
        static_for<leaves>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (detail::tiled_leaf_bytes < P, I >> 0) {
                const auto& operand = get<I>(p.leaves);
                auto* const to = part<I>(operand);
                for_tile(
                    block, p, operand,
                    [&](auto words, unsigned i) FUSE_INLINE_LAMBDA {
                        using Words = typename decltype(words)::type;
                        copy_pack_async(block, *reinterpret_cast<Words*>(to + i), piece(operand) + i);
                    },
                    [&](unsigned i, const auto* from) FUSE_INLINE_LAMBDA { copy_item_async(block, to[i], from); });
            } else if constexpr (detail::one_row_of_leaf<P, I>) {
                const auto& operand = get<I>(p.leaves);
                for (unsigned s = linear_thread(block); s < n_; s += block_threads(block)) {
                    copy_item_async(block, part<I>(operand)[s], operand.data + detail::path_along(p, operand)(s));
                }
            }
        });
        block.wait_copies();
        block.sync();
    }

    /// Calls visit(context, s) for each element s of a share, with the leaves in Set: several of them are on their way at a
    /// time.
    template <leaf_set Set, class Context = RowContext<P, 1>, class Visit>
    FUSE_HD void for_share(const TileShare& of, const Params<P>& p, const RowState<P>& row, const results_t<P>& results,
                           Visit&& visit) const {
        RowItems<P, 1> items[short_row_group];
        int s = of.begin;
        FUSE_NO_UNROLL
        for (; s + short_row_group <= of.end; s += short_row_group) {
            FUSE_UNROLL
            for (int j = 0; j < short_row_group; ++j) {
                item<Set>(items[j], p, row, of.own, s + j);
            }
            FUSE_UNROLL
            for (int j = 0; j < short_row_group; ++j) {
                visit(Context{p, row, items[j], results}, s + j);
            }
        }
        FUSE_NO_UNROLL
        for (; s < of.end; ++s) {
            item<Set>(items[0], p, row, of.own, s);
            visit(Context{p, row, items[0], results}, s);
        }
    }

    /// Evaluates the item outputs at element s of row `own`, and keeps them.
    template <class Context>
    FUSE_HD void write(const Params<P>& p, const Context& context, unsigned own, int s) const {
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using O = at_t<typename P::outputs, I>;
            if constexpr (O::extent == kir::Extent::item) {
                (part<leaves + I>(get<I>(p.outputs)) + own * n_)[place(s)] = from_compute<typename O::storage>(
                    Evaluate<typename detail::expression_for<Context, O>::type>::at(context, 0));
            }
        });
    }

    /// Writes what the threads have left in the tile. All threads of the block must call.
    template <ThreadBlock B>
    FUSE_HD void store(B& block, const Params<P>& p) const {
        block.sync();  // and nobody reads the leaves any more
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
                const auto& operand = get<I>(p.outputs);
                auto* const from = part<leaves + I>(operand);
                for_tile(
                    block, p, operand,
                    [&](auto words, unsigned i) FUSE_INLINE_LAMBDA {
                        using Words = typename decltype(words)::type;
                        Words kept;
                        load_pack(kept, from + i, true);
                        store_pack(piece(operand) + i, kept, true);
                    },
                    [&](unsigned i, auto* to) FUSE_INLINE_LAMBDA { *to = from[i]; });
            }
        });
    }

private:
    /// Element s of row `own` of the tile, of the leaves in Set.
    template <leaf_set Set>
    FUSE_HD void item(RowItems<P, 1>& items, const Params<P>& p, const RowState<P>& row, unsigned own, int s) const {
        static_for<leaves>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (((Set >> I) & 1U) != 0 && L::walked) {
                const auto& operand = get<I>(p.leaves);
                if constexpr (kir::is_index<L>) {
                    InitWithDataIndex(get<I>(items), get<I>(row.leaf), detail::path_along(p, operand), s);
                } else if constexpr (L::kept) {
                    get<I>(items).item[0] = (part<I>(operand) + own * n_)[place(s)];
                } else {
                    get<I>(items).item[0] = part<I>(operand)[s];
                }
            }
        });
    }

    template <class T>
    using item_type = std::remove_const_t<std::remove_pointer_t<T>>;

    /// Whether the rows of the tile lie one behind the other, over all kept axes: others may be there for another operand's sake.
    template <class O>
    static FUSE_HD bool in_one_piece(const Params<P>& p, const O& operand) {
        constexpr int rank = Params<P>::traits::kept_rank;
        return operand.kept_linear && detail::path_along(p, operand).one_axis() &&
               (operand.x == (backwards ? -1 : 1) || p.walked_size == 1) &&
               (operand.kept[rank - 1] == p.walked_size || p.kept_size == 1);
    }

    /// Calls copy_words(type of a word of items, i) for the whole words of a part of the tile, from item i on, and
    /// copy_item(i, address) for all other items, all threads of the block together.
    template <ThreadBlock B, class O, class Words, class Item>
    FUSE_HD void for_tile(B& block, const Params<P>& p, const O& operand, Words&& copy_words, Item&& copy_item) const {
        using T = item_type<decltype(operand.data)>;
        constexpr unsigned V = word % sizeof(T) == 0 ? word / sizeof(T) : 1;
        const unsigned thread = linear_thread(block);
        const unsigned threads = block_threads(block);
        if (in_one_piece(p, operand) && has_aligned_items(piece(operand))) {
            const unsigned count = rows_ * n_;
            const unsigned missing = (V - shift(piece(operand))) % V;
            const unsigned head = missing < count ? missing : count;
            const unsigned whole = (count - head) / V * V + head;
            for (unsigned i = head + thread * V; i < whole; i += threads * V) {
                copy_words(std::type_identity<Pack<T, static_cast<int>(V)>>{}, i);
            }
            for (unsigned i = thread; i < head + (count - whole); i += threads) {
                const unsigned single = i < head ? i : i - head + whole;
                copy_item(single, piece(operand) + single);
            }
        } else {
            for (unsigned own = block.thread_y(); own < rows_; own += block.dim_y()) {
                auto* const row =
                    operand.data + offset_by_size(p.kept, operand.kept, first_row_ + own, operand.kept_linear);
                FUSE_NO_UNROLL
                for (unsigned s = block.thread_x(); s < n_; s += block.dim_x()) {
                    const auto at = static_cast<unsigned>(place(static_cast<int>(s)));
                    copy_item(own * n_ + at, row + detail::path_along(p, operand)(s));
                }
            }
        }
    }

    /// Where the rows of the tile begin in memory, if they lie one behind the other there.
    template <class O>
    FUSE_HD auto* piece(const O& operand) const {
        return operand.data + (first_ - (backwards ? static_cast<index_t>(n_) - 1 : 0));
    }
    /// Where element s of a row lies in its row of the tile.
    FUSE_HD int place(int s) const {
        return backwards ? static_cast<int>(n_) - 1 - s : s;
    }

    /// Whether items lie at multiples of what a word of them is aligned to: a struct may ask for less, complex<float> for 4.
    template <class T>
    static FUSE_HD bool has_aligned_items(const T* data) {
        if constexpr (alignof(T) < pack_alignment<T, 1>) {
            return reinterpret_cast<std::uintptr_t>(data) % pack_alignment<T, 1> == 0;
        } else {
            return true;
        }
    }

    /// Items by which the tile of an operand misses the beginning of a word.
    template <class T>
    static FUSE_HD unsigned shift(const T* data) {
        return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(data) % word / sizeof(T));
    }

    /// The part of the tile that belongs to operand number I (outputs after leaves).
    template <int I, class O>
    FUSE_HD auto* part(const O& operand) const {
        using T = item_type<decltype(operand.data)>;
        unsigned char* const begin =
            memory_ + room_ * detail::tiled_bytes_before<P, I> + Longest * detail::row_bytes_before<P, I> + I * word;
        return reinterpret_cast<T*>(begin) + shift(piece(operand));
    }

    unsigned char* memory_;
    unsigned room_;
    index_t first_row_;
    index_t first_;  ///< element of the domain
    unsigned n_;     ///< elements of a row
    unsigned rows_;
#endif
};

FUSE_END_NAMESPACE
