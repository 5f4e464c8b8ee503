// SPDX-License-Identifier: Apache-2.0
//
// The transpose family: maps some of whose inputs are contiguous along another axis than the outputs. Read where they
// are written, each of their elements would cost a sector of memory. So a block takes a tile of the plane of the two
// axes: it copies the transposed inputs to shared memory along their own axis, and evaluates and writes along that of
// the outputs. Inputs that are not transposed are read where they are used.
#pragma once

#include <bit>

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
    /// The tile of large extents: others have the same elements (fitting_tile).
    static constexpr TransposeTile tile = detail::transpose_tile_of<P>(Leaves);
    static constexpr int elements = tile.x * tile.y;
    static constexpr int log_elements = std::countr_zero(static_cast<unsigned>(elements));
    static constexpr int V = tile.vector;
    using Place = TilePlace<P>;
    static constexpr int max_threads = static_cast<int>(transpose_threads);
    static constexpr int min_blocks = 5;

    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t) { return begin<P::leaves::size>; }

    template <int, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const auto log_y = static_cast<int>(p.share);
        const Place place(p, {log_elements - log_y, log_y}, block.block_x());
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (turns<I>) {
                const auto& operand = get<I>(p.leaves);
                if (transposed(operand)) {
                    turned<I>(block, place)
                        .copy(block, operand.data + place.offset(operand, 0, 0), Place::x_stride(operand),
                              Place::y_stride(operand), place.x_left(), place.y_left());
                }
            }
        });
        block.wait_copies();
        block.sync();
        const RowState<P> row(p, 0);
        const Writers writers(place.tile(), static_cast<int>(block.thread_x()));
        const Vector vector(p, place, writers);
        if (vector.left > 0) {
            for (int y = writers.y; y < place.y_left(); y += N * writers.lines) {
                write_lines(block, p, place, row, writers, vector, y);
            }
        }
    }

private:
    static_assert(elements >= V * N * max_threads && N % V == 0);

    /// The threads of a block when it writes: `width` for the vectors of a line, `lines` on top of each other.
    struct Writers {
        int width;
        int lines;
        int x;  ///< the number of this thread's vector
        int y;  ///< its first line

        FUSE_HD Writers(const TileSides& sides, int thread)
            : width(sides.x() / V), lines((max_threads * V) >> sides.log_x), x(thread & (width - 1)),
              y(((thread * V) >> sides.log_x) * V) {}
        /// The k-th line of a thread, from its first one on: V neighbours, as shared memory is read by words, which hold
        /// V narrow items along y. A thread turns V words round in its registers.
        FUSE_HD int line(int k) const { return k / V * (V * lines) + k % V; }
    };

    /// The elements x, x + step, ... of a line, V of them, that a thread evaluates; `left` of them exist. They are
    /// neighbours where they are written as one; else those of neighbouring threads are, so that threads fill sectors.
    struct Vector {
        int x;
        int step;
        int left;

        FUSE_HD Vector(const Params<P>& p, const Place& place, const Writers& writers) {
            const bool whole = V == 1 || get<0>(p.outputs).vector;
            const int width = writers.width;
            x = whole ? writers.x * V : writers.x;
            step = whole ? 1 : width;
            left = whole ? place.x_left() - x : (place.x_left() - x + width - 1) / width;
        }
        FUSE_HD bool whole() const { return V == 1 || step == 1; }
    };

    static constexpr leaf_set turned_leaves = detail::leaves_that_fit<P>(Leaves, elements);
    template <int I>
    static constexpr bool turns = ((turned_leaves >> I) & 1U) != 0;
    /// Where leaf I begins in shared memory; of the number of leaves, where all end.
    template <int I>
    static constexpr unsigned
        begin = static_cast<unsigned>(detail::bytes_together<P>(turned_leaves&((leaf_set{1} << I) - 1)) * elements);

    template <class O>
    static FUSE_HD bool transposed(const O& operand) {
        return is_transposed(Place::y_stride(operand), Place::x_stride(operand));
    }
    template <int I, OwnMemory B>
    static FUSE_HD auto turned(B& block, const Place& place) {
        return TurnedLeaf<typename at_t<typename P::leaves, I>::storage, elements, V>(block.own_memory() + begin<I>,
                                                                                      place.tile());
    }

    /// Evaluates and writes a vector of the lines y + line(0), ..., y + line(N - 1).
    template <OwnMemory B>
    static FUSE_HD void write_lines(B& block, const Params<P>& p, const Place& place, const RowState<P>& row,
                                    const Writers& writers, const Vector& vector, int y) {
        RowItems<P, V> items[N];
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::leaves, I>::walked) {
                load<I>(block, items, p, place, writers, vector, y);
            }
        });
        const results_t<P> none{};
        FUSE_UNROLL
        for (int k = 0; k < N; ++k) {
            if (y + writers.line(k) < place.y_left()) {
                const RowContext<P, V> context{p, row, items[k], none};
                static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
                    using Output = at_t<typename P::outputs, O>;
                    const auto& operand = get<O>(p.outputs);
                    Pack<typename Output::storage, V> pack;
                    evaluate<Output>(pack, context, vector.left);
                    const index_t offset =
                        place.offset(operand, vector.x, y) + writers.line(k) * Place::y_stride(operand);
                    WriteData(operand.data + offset, pack, vector.step * Place::x_stride(operand), vector.left,
                              operand.vector);
                });
            }
        }
    }

    /// Leaf I of the same elements.
    template <int I, OwnMemory B>
    static FUSE_HD void load(B& block, RowItems<P, V> (&items)[N], const Params<P>& p, const Place& place,
                             const Writers& writers, const Vector& vector, int y) {
        const auto& operand = get<I>(p.leaves);
        if constexpr (turns<I>) {
            if (transposed(operand)) {
                // What does not exist is in the buffer, too, and not evaluated.
                const auto leaf = turned<I>(block, place);
                FUSE_UNROLL
                for (int first = 0; first < N; first += V) {
                    FUSE_UNROLL
                    for (int v = 0; v < V; ++v) {
                        const auto down = vector.whole()
                                              ? leaf.along_y(vector.x, v, y + writers.line(first))
                                              : leaf.along_y(vector.x + v * writers.width, 0, y + writers.line(first));
                        FUSE_UNROLL
                        for (int k = 0; k < V; ++k) {
                            get<I>(items[first + k]).item[v] = down.item[k];
                        }
                    }
                }
                return;
            }
        }
        const index_t offset = place.offset(operand, vector.x, y);
        const index_t down = Place::y_stride(operand);
        const index_t step = vector.step * Place::x_stride(operand);
        if constexpr (kir::is_index<at_t<typename P::leaves, I>>) {
            FUSE_UNROLL
            for (int k = 0; k < N; ++k) {
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    get<I>(items[k]).item[v] = offset + writers.line(k) * down + v * step;
                }
            }
        } else {
            FUSE_UNROLL
            for (int k = 0; k < N; ++k) {
                const int left = y + writers.line(k) < place.y_left() ? vector.left : 0;
                ReadDataBc(get<I>(items[k]), operand.data + (offset + writers.line(k) * down), step, left,
                           operand.vector, {});
            }
        }
    }
};

FUSE_END_NAMESPACE
