// SPDX-License-Identifier: Apache-2.0
//
// The transpose family: maps some of whose inputs are contiguous along another axis than the outputs. Read where they
// are written, each of their elements would cost a sector of memory. So a block takes a tile of the plane of the two
// axes: it copies the transposed inputs to shared memory along their own axis, and evaluates and writes along that of
// the outputs. Inputs that are not transposed are read where they are used.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/transpose/tile_place.hpp"
#include "fuse/kernels/transpose/turned_leaf.hpp"
#include "fuse/plan/facts.hpp"
#include "fuse/plan/transposed.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bytes of one item of each leaf in a set, together.
template <class P>
constexpr int bytes_together(leaf_set set) {
    int bytes = 0;
    for (int i = 0; i < P::leaves::size; ++i) {
        bytes += ((set >> i) & 1U) != 0 ? leaf_sizes<typename P::leaves>::stored[i] : 0;
    }
    return bytes;
}

template <class P>
constexpr TransposeTile transpose_tile_of(leaf_set leaves) {
    return transpose_tile(item_sizes<false>(typename P::leaves{}, typename P::outputs{}).narrowest,
                          bytes_together<P>(leaves));
}

}  // namespace detail

/// Leaves: those that may be transposed. N: vectors that a thread evaluates at a time.
template <class P, leaf_set Leaves, int N>
struct TransposeKernel : Kernel<P, detail::transpose_tile_of<P>(Leaves).vector, N> {
    static constexpr TransposeTile tile = detail::transpose_tile_of<P>(Leaves);
    static constexpr int V = tile.vector;
    using Place = TilePlace<P, tile.x, tile.y>;
    static constexpr int max_threads = static_cast<int>(transpose_threads);
    static constexpr int min_blocks = 5;

    static FUSE_HD constexpr unsigned own_bytes(unsigned) { return bytes_before(P::leaves::size); }

    template <int, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const Place place(p, block.block_x());
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (turns<I>) {
                const auto& operand = get<I>(p.leaves);
                if (transposed(operand)) {
                    turned<I>(block).copy(block, operand.data + place.offset(operand, 0, 0), place.x_stride(operand),
                                          place.y_stride(operand), place.x_left(), place.y_left());
                }
            }
        });
        block.wait_copies();
        block.sync();
        constexpr int width = tile.x / V;
        const int x = static_cast<int>(block.thread_x()) % width * V;
        const int left = place.x_left() - x;
        const RowState<P> row(p, 0);
        if (left > 0) {
            for (int y = static_cast<int>(block.thread_x()) / width; y < place.y_left(); y += N * lines) {
                write_lines(block, p, place, row, x, y, left);
            }
        }
    }

private:
    /// Lines of the tile that a block evaluates at a time.
    static constexpr int lines = max_threads * V / tile.x;

    /// Of as many of the leaves as fit shared memory.
    static FUSE_HD constexpr bool turns_leaf(int i) {
        return ((Leaves >> i) & 1U) != 0 &&
               detail::bytes_together<P>(Leaves & ((leaf_set{2} << i) - 1)) * tile.x * tile.y <= most_transpose_bytes;
    }
    template <int I>
    static constexpr bool turns = turns_leaf(I);
    static FUSE_HD constexpr unsigned bytes_before(int leaf) {
        unsigned bytes = 0;
        for (int i = 0; i < leaf; ++i) {
            bytes += turns_leaf(i) ? static_cast<unsigned>(detail::leaf_sizes<typename P::leaves>::stored[i] * tile.x *
                                                           tile.y)
                                   : 0U;
        }
        return bytes;
    }

    template <class O>
    static FUSE_HD bool transposed(const O& operand) {
        return is_transposed(Place::y_stride(operand), Place::x_stride(operand));
    }
    template <int I, OwnMemory B>
    static FUSE_HD auto turned(B& block) {
        constexpr unsigned begin = bytes_before(I);
        return TurnedLeaf<typename at_t<typename P::leaves, I>::storage, tile.x, tile.y, V>(block.own_memory() + begin);
    }

    /// Evaluates and writes N vectors: V elements from x on, `left` of which exist, of the lines y, y + lines, ...
    template <OwnMemory B>
    static FUSE_HD void write_lines(B& block, const Params<P>& p, const Place& place, const RowState<P>& row,
                                    int x, int y, int left) {
        RowItems<P, V> items[N];
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::leaves, I>::walked) {
                load<I>(block, items, p, place, x, y, left);
            }
        });
        const results_t<P> none{};
        FUSE_UNROLL
        for (int k = 0; k < N; ++k) {
            if (y + k * lines < place.y_left()) {
                const RowContext<P, V> context{p, row, items[k], none};
                static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
                    using Output = at_t<typename P::outputs, O>;
                    const auto& operand = get<O>(p.outputs);
                    Pack<typename Output::storage, V> pack;
                    evaluate<Output>(pack, context, left);
                    WriteData(operand.data + place.offset(operand, x, y + k * lines), pack, place.x_stride(operand),
                              left, operand.vector);
                });
            }
        }
    }

    /// Leaf I of the same elements.
    template <int I, OwnMemory B>
    static FUSE_HD void load(B& block, RowItems<P, V> (&items)[N], const Params<P>& p, const Place& place, int x,
                             int y, int left) {
        const auto& operand = get<I>(p.leaves);
        if constexpr (turns<I>) {
            if (transposed(operand)) {
                const auto leaf = turned<I>(block);
                FUSE_UNROLL
                for (int k = 0; k < N; ++k) {
                    for_items<V>(y + k * lines < place.y_left() ? left : 0, [&](int v) FUSE_INLINE_LAMBDA {
                        get<I>(items[k]).item[v] = leaf.at(x + v, y + k * lines);
                    });
                }
                return;
            }
        }
        FUSE_UNROLL
        for (int k = 0; k < N; ++k) {
            const index_t offset = place.offset(operand, x, y + k * lines);
            auto& pack = get<I>(items[k]);
            if constexpr (kir::is_index<at_t<typename P::leaves, I>>) {
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    pack.item[v] = offset + v * place.x_stride(operand);
                }
            } else {
                ReadDataBc(pack, operand.data + offset, place.x_stride(operand),
                           y + k * lines < place.y_left() ? left : 0, operand.vector, {});
            }
        }
    }
};

FUSE_END_NAMESPACE
