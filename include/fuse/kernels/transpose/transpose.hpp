// SPDX-License-Identifier: Apache-2.0
//
// The transpose family: maps some of whose inputs are contiguous along another axis than the outputs. Read where they
// are written, each of their elements would cost a sector of memory. So a block takes a tile of the plane of the two
// axes: it copies the transposed inputs to shared memory along their own axis, and evaluates and writes along that of
// the outputs. Inputs that are not transposed are read where they are used.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_constants.hpp"
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

/// As many of a set as shared memory holds tiles of so many elements of.
template <class P>
constexpr leaf_set leaves_that_fit(leaf_set leaves, int elements) {
    leaf_set fit = 0;
    for (int i = 0; i < P::leaves::size; ++i) {
        const leaf_set more = fit | (leaves & (leaf_set{1} << i));
        fit = bytes_together<P>(more) * elements <= most_transpose_bytes ? more : fit;
    }
    return fit;
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

    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t) { return begin<P::leaves::size>; }

    template <int, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const Place place(p, block.block_x());
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (turns<I>) {
                const auto& operand = get<I>(p.leaves);
                if (transposed(operand)) {
                    turned<I>(block).copy(block, operand.data + place.offset(operand, 0, 0), Place::x_stride(operand),
                                          Place::y_stride(operand), place.x_left(), place.y_left());
                }
            }
        });
        block.wait_copies();
        block.sync();
        const RowState<P> row(p, 0);
        const Vector vector(p, place, static_cast<int>(block.thread_x()) % width);
        if (vector.left > 0) {
            for (int y = static_cast<int>(block.thread_x()) / width; y < place.y_left(); y += N * lines) {
                write_lines(block, p, place, row, vector, y);
            }
        }
    }

private:
    /// Vectors of a line of the tile, and lines that a block evaluates at a time.
    static constexpr int width = tile.x / V;
    static constexpr int lines = max_threads / width;
    static_assert(tile.y % (N * lines) == 0);

    /// The elements x, x + step, ... of a line, V of them, that a thread evaluates; `left` of them exist. They are
    /// neighbours where they are written as one; else those of neighbouring threads are, so that threads fill sectors.
    struct Vector {
        int x;
        int step;
        int left;

        FUSE_HD Vector(const Params<P>& p, const Place& place, int number) {
            const bool whole = V == 1 || get<0>(p.outputs).vector;
            x = whole ? number * V : number;
            step = whole ? 1 : width;
            left = whole ? place.x_left() - x : (place.x_left() - x + width - 1) / width;
        }
        FUSE_HD bool whole() const { return V == 1 || step == 1; }
    };

    static constexpr leaf_set turned_leaves = detail::leaves_that_fit<P>(Leaves, tile.x* tile.y);
    template <int I>
    static constexpr bool turns = ((turned_leaves >> I) & 1U) != 0;
    /// Where leaf I begins in shared memory; of the number of leaves, where all end.
    template <int I>
    static constexpr unsigned begin =
        static_cast<unsigned>(detail::bytes_together<P>(turned_leaves&((leaf_set{1} << I) - 1)) * tile.x * tile.y);

    template <class O>
    static FUSE_HD bool transposed(const O& operand) {
        return is_transposed(Place::y_stride(operand), Place::x_stride(operand));
    }
    template <int I, OwnMemory B>
    static FUSE_HD auto turned(B& block) {
        return TurnedLeaf<typename at_t<typename P::leaves, I>::storage, tile.x, tile.y, V>(block.own_memory() +
                                                                                            begin<I>);
    }

    /// Evaluates and writes a vector of the lines y, y + lines, ..., N of them.
    template <OwnMemory B>
    static FUSE_HD void write_lines(B& block, const Params<P>& p, const Place& place, const RowState<P>& row,
                                    const Vector& vector, int y) {
        RowItems<P, V> items[N];
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::leaves, I>::walked) {
                load<I>(block, items, p, place, vector, y);
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
                    evaluate<Output>(pack, context, vector.left);
                    const index_t offset = place.offset(operand, vector.x, y) + k * (lines * Place::y_stride(operand));
                    WriteData(operand.data + offset, pack, vector.step * Place::x_stride(operand), vector.left,
                              operand.vector);
                });
            }
        }
    }

    /// Leaf I of the same elements.
    template <int I, OwnMemory B>
    static FUSE_HD void load(B& block, RowItems<P, V> (&items)[N], const Params<P>& p, const Place& place,
                             const Vector& vector, int y) {
        const auto& operand = get<I>(p.leaves);
        if constexpr (turns<I>) {
            if (transposed(operand)) {
                // What does not exist is in the buffer, too, and not evaluated.
                const auto leaf = turned<I>(block);
                for_each_item([&](int k, int v) FUSE_INLINE_LAMBDA {
                    get<I>(items[k]).item[v] = vector.whole() ? leaf.at(vector.x, v, y + k * lines)
                                                              : leaf.at(vector.x + v * width, 0, y + k * lines);
                });
                return;
            }
        }
        const index_t offset = place.offset(operand, vector.x, y);
        const index_t line = lines * Place::y_stride(operand);
        const index_t step = vector.step * Place::x_stride(operand);
        if constexpr (kir::is_index<at_t<typename P::leaves, I>>) {
            for_each_item([&](int k, int v)
                              FUSE_INLINE_LAMBDA { get<I>(items[k]).item[v] = offset + k * line + v * step; });
        } else {
            FUSE_UNROLL
            for (int k = 0; k < N; ++k) {
                const int left = y + k * lines < place.y_left() ? vector.left : 0;
                ReadDataBc(get<I>(items[k]), operand.data + (offset + k * line), step, left, operand.vector, {});
            }
        }
    }

    template <class F>
    static FUSE_HD void for_each_item(F&& f) {
        FUSE_UNROLL
        for (int k = 0; k < N; ++k) {
            FUSE_UNROLL
            for (int v = 0; v < V; ++v) {
                f(k, v);
            }
        }
    }
};

FUSE_END_NAMESPACE
