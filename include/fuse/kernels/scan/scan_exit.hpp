// SPDX-License-Identifier: Apache-2.0
//
// How the outputs leave a tile that waits in shared memory (scan_buffered.hpp). One output that varies along the row
// takes the place of a leaf there, if vectors of both have the same size, and is written by neighbouring lanes: so it
// does not matter to the memory how many neighbouring elements a thread makes. What a compaction keeps of a tile is put
// together there, and written as one piece. Everything else is written by the threads that make it.
#pragma once

#include "fuse/kernels/body/row_constants.hpp"
#include "fuse/kernels/scan/scan_buffered.hpp"

#if FUSE_HAS_DEVICE_BODIES

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
class ScanExit {
    using Tile = BufferedScanTile<P, V, N>;
    using accumulator = scan_accumulator<P>;

public:
    /// Writes the outputs of a tile. carry: the fold of the row's elements before it. All threads of the block must call.
    /// A barrier of the warp, in a compaction two of the block.
    template <ThreadBlock B>
    static FUSE_HD void write(B& block, const Tile& tile, const Params<P>& p, const RowState<P>& row, index_t row_index,
                              const ScanSpan<V>& span, const accumulator& carry) {
        if constexpr (way.gathered) {
            if (span.whole) {
                return write_kept_items(block, tile, p, row, row_index, span, carry);
            }
        }
        if constexpr (leaf >= 0) {
            if (span.whole) {
                put_vectors<true>(tile, p, row, span, carry);
            } else {
                put_vectors<false>(tile, p, row, span, carry);
            }
            block.sync_warp();
            write_by_lanes<B>(tile, p, row_index, span);
        } else if (span.whole && writes_vectors(p)) {
            ScanSpan<V> here = span;
            here.first = keep_apart(span.first);
            write_own<true>(tile, p, row, row_index, here, carry);
        } else {
            write_own<false>(tile, p, row, row_index, span, carry);
        }
    }

private:
    static constexpr ScanExitWay way = scan_exit_way<P, V>;
    static constexpr int output = way.output;
    static constexpr int leaf = way.leaf;
    using O = at_t < typename P::outputs, output<0 ? 0 : output>;
    using T = typename O::storage;

    /// At the start of one of two branches: keeps the compiler from doing what both begin with before the branch, which
    /// would split vector stores into single items.
    static FUSE_HD index_t keep_apart(index_t position) {
#if FUSE_ON_DEVICE
        asm volatile("" : "+l"(position));
#endif
        return position;
    }

    /// Where the output's row begins.
    static FUSE_HD T* row_of_output(const Params<P>& p, index_t row_index) {
        const auto& operand = get<output>(p.outputs);
        if constexpr (P::kept_rank > 0) {
            return operand.data + offset_by_size(p.kept, operand.kept, row_index, operand.kept_linear);
        }
        return operand.data;
    }

    template <bool Whole>
    static FUSE_HD void put_vectors(const Tile& tile, const Params<P>& p, const RowState<P>& row,
                                    const ScanSpan<V>& span, const accumulator& carry) {
        tile.template for_scanned<Whole>(p, row, span, carry,
                                         [&](const auto& context, int j, index_t s) FUSE_INLINE_LAMBDA {
                                             Pack<T, V> pack;
                                             evaluate<O>(pack, context, Whole ? V : span.end - s);
                                             *tile.template slot<leaf, T>(j) = Tile::turned(pack);
                                         });
    }

    template <class B>
    static FUSE_HD void write_by_lanes(const Tile& tile, const Params<P>& p, index_t row_index,
                                       const ScanSpan<V>& span) {
        constexpr unsigned warp = B::warp_size;
        const auto& operand = get<output>(p.outputs);
        const auto path = detail::path_along(p, operand);
        T* const base = row_of_output(p, row_index);
        const Pack<T, V>* const packs = tile.template warp_slots<leaf, T>();
        if (V > 1 && operand.vector && span.whole) {
            FUSE_UNROLL
            for (unsigned j = 0; j < N; ++j) {
                const unsigned u = j * warp + tile.lane();
                const Pack<T, V> pack = packs[u];  // straight from there it would be copied byte by byte
                detail::store_aligned<pack_alignment<T, V>>(base + path.template of_pack<V>(span.first + u * V),
                                                            pack.item);
            }
        } else {
            const T* const items = packs->item;
            FUSE_NO_UNROLL
            for (unsigned j = 0; j < N; ++j) {
                FUSE_UNROLL
                for (unsigned v = 0; v < V; ++v) {
                    const unsigned i = (j * V + v) * warp + tile.lane();
                    if (span.first + i < span.end) {
                        base[path(span.first + i)] = items[Tile::place_in_memory(i)];
                    }
                }
            }
        }
    }

    template <bool Vectors>
    static FUSE_HD void write_own(const Tile& tile, const Params<P>& p, const RowState<P>& row, index_t row_index,
                                  const ScanSpan<V>& span, const accumulator& carry) {
        tile.template for_scanned<Vectors>(
            p, row, span, carry, [&](const auto& context, int, index_t s) FUSE_INLINE_LAMBDA {
                write_items<Vectors, P, V>(p, context, row_index, s, Vectors ? V : span.end - s);
            });
    }

    /// Elements that are kept go one behind another (ScatterKept).
    template <ThreadBlock B>
    static FUSE_HD void write_kept_items(B& block, const Tile& tile, const Params<P>& p, const RowState<P>& row,
                                         index_t row_index, const ScanSpan<V>& span, const accumulator& carry) {
        T value[N * V];
        bool kept[N * V];
        index_t place = 0;
        index_t end = 0;
        tile.template for_scanned<true>(p, row, span, carry,
                                        [&](const auto& context, int j, index_t) FUSE_INLINE_LAMBDA {
                                            FUSE_UNROLL
                                            for (int v = 0; v < V; ++v) {
                                                const auto item = Evaluate<typename O::expression>::at(context, v);
                                                value[j * V + v] = from_compute<T>(item.value);
                                                kept[j * V + v] = item.kept;
                                                place = j == 0 && v == 0 ? item.position : place;
                                                end = item.position + (item.kept ? 1 : 0);
                                            }
                                        });
        const unsigned thread = block.thread_x();
        const unsigned threads = block.dim_x();
        auto* ends = block.template scratch<index_t>(2);
        if (thread == 0) {
            ends[0] = place;
        }
        if (thread + 1 == threads) {
            ends[1] = end;
        }
        block.sync();  // nobody needs the buffer any more
        const index_t first = ends[0];
        const auto count = static_cast<unsigned>(ends[1] - first);
        T* const together = reinterpret_cast<T*>(tile.memory());
        auto to = static_cast<unsigned>(place - first);
        FUSE_UNROLL
        for (int i = 0; i < N * V; ++i) {
            if (kept[i]) {
                together[to++] = value[i];
            }
        }
        block.sync();
        const auto path = detail::path_along(p, get<output>(p.outputs));
        T* const base = row_of_output(p, row_index);
        for (unsigned i = thread; i < count; i += threads) {
            base[path(first + i)] = together[i];
        }
    }
};

FUSE_END_NAMESPACE

#endif
