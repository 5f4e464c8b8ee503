// SPDX-License-Identifier: Apache-2.0
//
// Long scans by many blocks in one pass: every element is read once and written once. A block takes a tile, folds it,
// publishes its total, learns from the tiles before it what to add (primitives/grid/lookback.hpp), and writes. It has
// two tiles in hand: before it finishes one it loads and publishes the next, so that others need not wait for its
// writes, nor it for their totals, which have had the time of a tile to arrive.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/kernels/scan/scan_exit.hpp"
#include "fuse/primitives/grid/lookback.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
class ScanLookbackKernel : public Kernel<P, V, N, Link::lookback> {
public:
    static constexpr int max_threads = 512;
    using accumulator_type = scan_accumulator<P>;
    using State = Lookback<accumulator_type>;
    static constexpr int min_blocks = lookback_blocks(V, State::words);

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest(x_scan_scratch_bytes(l.dim_x, l.dim_y, sizeof(accumulator_type)),
                               State::scratch_bytes(l.dim_x, l.dim_y, planned_block));
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return static_cast<std::size_t>(l.state_words) * sizeof(std::uint64_t);
    }
    /// Of shared memory, beyond scratch.
    static FUSE_HD constexpr unsigned own_bytes(unsigned threads, index_t) {
        return 2 * BufferedScanTile<P, V, N>::bytes(threads);
    }

#if FUSE_HAS_DEVICE_BODIES
    template <int, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const auto size = static_cast<index_t>(Tile::size(block));
        State lookback(static_cast<std::uint64_t*>(p.partials), p.state_words, (p.walked_size + size - 1) / size,
                       p.kept_size);
        Work work;
        work.tile = lookback.take(block);
        if (!lookback.exists(work.tile)) {
            return;
        }
        work.load(block, p, 0);
        Work next;
        next.tile = lookback.take(block);
        work.publish(block, p, lookback, 0);
        for (int buffer = 0;; buffer ^= 1) {
            const bool more = lookback.exists(next.tile);
            if (more) {
                next.load(block, p, buffer ^ 1);
                lookback.request(block);
                next.publish(block, p, lookback, buffer ^ 1);
            }
            work.write(block, p, lookback, buffer);
            if (!more) {
                return;
            }
            work = next;
            next.tile = lookback.take(block);
        }
    }

private:
    using Tile = BufferedScanTile<P, V, N>;
    using product = scan_product<P>;

    /// A tile on its way from load to write.
    struct Work {
        LookbackTile tile;
        accumulator_type total = product{}.init();
        accumulator_type published = product{}.init();

        template <BufferMemory B>
        FUSE_HD void load(B& block, const Params<P>& p, int buffer) const {
            elements(block, buffer).load(block, p, RowState<P>(p, tile.row), part(block, p));
        }

        template <BufferMemory B>
        FUSE_HD void publish(B& block, const Params<P>& p, const State& lookback, int buffer) {
            const Tile waiting = elements(block, buffer);
            waiting.arrive(block);
            total = waiting.scan(block, p, RowState<P>(p, tile.row), part(block, p));
            published = lookback.publish(block, product{}, tile, total);
        }

        template <BufferMemory B>
        FUSE_HD void write(B& block, const Params<P>& p, const State& lookback, int buffer) const {
            const RowState<P> row(p, tile.row);
            const auto before = lookback.collect(block, product{}, tile, published);
            ScanExit<P, V, N>::write(block, elements(block, buffer), p, row, tile.row, part(block, p), before);
            if (tile.index + 1 == lookback.tiles() && linear_thread(block) == 0) {
                write_totals<P, V>(p, row, tile.row, product{}.combine(before, total));
            }
        }

    private:
        template <ThreadBlock B>
        FUSE_HD ScanSpan<V> part(B& block, const Params<P>& p) const {
            return Tile::span(block, static_cast<index_t>(tile.index) * Tile::size(block), p.walked_size);
        }

        template <BufferMemory B>
        static FUSE_HD Tile elements(B& block, int buffer) {
            return {block, block.own_memory() + static_cast<unsigned>(buffer) * Tile::bytes(block.dim_x())};
        }
    };
#endif
};

FUSE_END_NAMESPACE
