// SPDX-License-Identifier: Apache-2.0
//
// A tile of a row (scan_vector.hpp) that waits in a buffer of shared memory. Asynchronous copies bring its elements
// there while the block works on another tile; they are read once for the tile's total, and once more when the fold of
// all before the tile is known. Until then the folds before each vector wait there too, and registers hold nothing:
// values that registers have no room for would be spilled to local memory, and from there to the L2 cache, because the
// shared memory of these blocks takes the place of the L1 cache. Each thread copies the vectors that it reads itself,
// so no thread waits for another.
#pragma once

#include "fuse/kernels/scan/scan_vector.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// At the start of one of two branches: keeps the compiler from doing what both begin with before the branch, which
/// would split vector stores into single items.
FUSE_HD index_t keep_apart(index_t position) {
#if FUSE_ON_DEVICE
    asm volatile("" : "+l"(position));
#endif
    return position;
}

/// Bytes of a vector of leaf number I, if it is one that moves along a row in memory and is used; else 0.
template <class P, int V, int I>
inline constexpr int buffered_bytes = [] {
    using L = at_t<typename P::leaves, I>;
    constexpr leaf_set used = scan_leaves<P>;
    if constexpr (kir::is_memory<L> && ((used >> I) & 1U) != 0) {
        return L::walked ? static_cast<int>(sizeof(Pack<typename L::storage, V>)) : 0;
    }
    return 0;
}();

/// The sum over the leaves before number I.
template <class P, int V, int I>
inline constexpr int buffered_bytes_before = buffered_bytes_before<P, V, I - 1> + buffered_bytes<P, V, I - 1>;
template <class P, int V>
inline constexpr int buffered_bytes_before<P, V, 0> = 0;

}  // namespace detail

/// Bytes of one vector of all leaves that are buffered.
template <class P, int V>
inline constexpr int buffered_vector_bytes = detail::buffered_bytes_before<P, V, P::leaves::size>;

/// The tile of a block whose dim_x is whole warps, N vectors per thread.
template <class P, int V, int N>
class BufferedScanTile {
public:
    using product = scan_product<P>;
    using accumulator = scan_accumulator<P>;

    /// Of shared memory.
    static FUSE_HD constexpr unsigned bytes(unsigned threads) {
        return threads *
               static_cast<unsigned>(N * (buffered_vector_bytes<P, V> + static_cast<int>(sizeof(accumulator))));
    }

    template <ThreadBlock B>
    static FUSE_HD unsigned size(B& block) {
        return block.dim_x() * static_cast<unsigned>(V * N);
    }

    /// The thread's vectors of the tile that starts at `first`.
    template <ThreadBlock B>
    static FUSE_HD ScanSpan<V> span(B& block, index_t first, index_t end) {
        return ScanSpan<V>::template of<N, true>(block, first, end);
    }

    template <ThreadBlock B>
    FUSE_HD BufferedScanTile(B& block, unsigned char* memory)
        : memory_(memory), threads_(block.dim_x()), stripe_(static_cast<unsigned>(B::warp_size)) {
        const unsigned lane = block.thread_x() % stripe_;
        first_ = (block.thread_x() - lane) * static_cast<unsigned>(N) + lane;
    }

    /// Starts to copy the thread's elements. They are there after block.wait_copies().
    template <AsyncCopies B>
    FUSE_HD void load(B& block, const Params<P>& p, const RowState<P>& row, const ScanSpan<V>& span) const {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            constexpr int buffered = detail::buffered_bytes<P, V, I>;
            if constexpr (buffered > 0) {
                using T = typename at_t<typename P::leaves, I>::storage;
                const auto& operand = get<I>(p.leaves);
                if (V > 1 && operand.vector && span.whole) {
                    FUSE_UNROLL
                    for (int j = 0; j < N; ++j) {
                        const index_t s = span.position(j);
                        copy_pack_async(block, *slot<I, T>(j),
                                        get<I>(row.leaf) + detail::path_along(p, operand).of_vector(s));
                    }
                } else {
                    FUSE_NO_UNROLL
                    for (int j = 0; j < N; ++j) {
                        const index_t s = span.position(j);
                        FUSE_UNROLL
                        for (int v = 0; v < V; ++v) {
                            T& to = slot<I, T>(j)->item[v];
                            if (s + v < span.end) {
                                copy_item_async(block, to, get<I>(row.leaf) + detail::path_along(p, operand)(s + v));
                            } else {
                                to = T{};
                            }
                        }
                    }
                }
            }
        });
    }

    /// As ScanTile::scan.
    template <Warps B>
    FUSE_HD accumulator scan(B& block, const Params<P>& p, const RowState<P>& row, const ScanSpan<V>& span) const {
        accumulator vectors[N];
        if (span.whole) {
            fold<true>(p, row, span, vectors);
        } else {
            fold<false>(p, row, span, vectors);
        }
        accumulator before[N];
        const accumulator total = join_threads<product>(block, vectors, before, span.width);
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            *before_slot(j) = before[j];
        }
        return total;
    }

    /// As ScanTile::write, after scan.
    FUSE_HD void write(const Params<P>& p, const RowState<P>& row, index_t row_index, const ScanSpan<V>& span,
                       const accumulator& carry) const {
        if (span.whole && writes_vectors(p)) {
            ScanSpan<V> here = span;
            here.first = detail::keep_apart(span.first);
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                write_vector<true>(p, row, row_index, here, carry, j);
            }
        } else {
            FUSE_NO_UNROLL
            for (int j = 0; j < N; ++j) {
                write_vector<false>(p, row, row_index, span, carry, j);
            }
        }
    }

private:
    template <bool Whole>
    FUSE_HD void fold(const Params<P>& p, const RowState<P>& row, const ScanSpan<V>& span,
                      accumulator (&vectors)[N]) const {
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            RowItems<P, V> items;
            accumulator running[V];
            read(items, p, row, j, span.position(j));
            fold_items<Whole, P, V>(p, row, items, span.position(j), span.end, running);
            vectors[j] = running[V - 1];
        }
    }

    template <bool Vectors>
    FUSE_HD void write_vector(const Params<P>& p, const RowState<P>& row, index_t row_index, const ScanSpan<V>& span,
                              const accumulator& carry, int j) const {
        RowItems<P, V> items;
        accumulator running[V];
        const index_t s = span.position(j);
        read(items, p, row, j, s);
        fold_items<Vectors, P, V>(p, row, items, s, span.end, running);
        write_scanned<Vectors, P, V>(p, row, items, row_index, s, span.end - s,
                                     product{}.combine(carry, *before_slot(j)), running);
    }

    /// Vector j, after its copies.
    FUSE_HD void read(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row, int j, index_t s) const {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            constexpr int buffered = detail::buffered_bytes<P, V, I>;
            if constexpr (buffered > 0) {
                get<I>(items) = *slot<I, typename L::storage>(j);
            } else if constexpr (kir::is_index<L> && L::walked) {
                InitWithDataIndex(get<I>(items), get<I>(row.leaf), detail::path_along(p, get<I>(p.leaves)), s);
            }
        });
    }

    /// Vectors of one leaf lie side by side, in the order of the row: a warp reads or writes contiguous memory.
    template <int I, class T>
    FUSE_HD Pack<T, V>* slot(int j) const {
        constexpr auto before = static_cast<unsigned>(N * detail::buffered_bytes_before<P, V, I>);
        return reinterpret_cast<Pack<T, V>*>(memory_ + before * threads_) + index_of(j);
    }
    /// The fold of the tile's elements before vector j.
    FUSE_HD accumulator* before_slot(int j) const {
        constexpr auto before = static_cast<unsigned>(N * buffered_vector_bytes<P, V>);
        return reinterpret_cast<accumulator*>(memory_ + before * threads_) + index_of(j);
    }
    FUSE_HD unsigned index_of(int j) const { return first_ + static_cast<unsigned>(j) * stripe_; }

    unsigned char* memory_;
    unsigned threads_;
    unsigned stripe_;  ///< vectors from one of a thread's to its next
    unsigned first_;   ///< where its first is
};

FUSE_END_NAMESPACE
