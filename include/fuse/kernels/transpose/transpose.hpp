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
#include "fuse/kernels/transpose/tile_writer.hpp"
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
    const ItemSizes sizes = item_sizes<false>(typename P::leaves{}, typename P::outputs{});
    return transpose_tile(sizes.narrowest, sizes.widest, bytes_together<P>(leaves));
}

/// Where the elements of a thread's vector lie in a buffer.
template <int V>
struct turned_places {
    template <class L>
    struct leaf {
        using type = Pack<int, V>;
    };
};

}  // namespace detail

/// Leaves: those that may be transposed.
template <class P, leaf_set Leaves>
struct TransposeKernel : Kernel<P, detail::transpose_tile_of<P>(Leaves).vector, 1> {
    static constexpr TransposeTile tile = detail::transpose_tile_of<P>(Leaves);
    static constexpr int V = tile.vector;
    static constexpr leaf_set turned_leaves = detail::leaves_that_fit<P>(Leaves, tile.elements);
    static constexpr int max_threads = static_cast<int>(transpose_threads);
    static constexpr int min_blocks = std::popcount(turned_leaves) == 1 ? 5 : 4;
    using Place = TilePlace<P>;

    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return begin<P::leaves::size>(TileSides::of(share));
    }

    template <int, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const Place place(p, TileSides::of(p.share), block.block_x());
        for_turned(block, p, place, [&]<int I>(const auto& leaf) FUSE_INLINE_LAMBDA { leaf.copy(block, place); });
        const auto& first = get<0>(p.outputs);
        Writer writer(place, first.data + place.offset(first), Place::x_stride(first), Place::y_stride(first),
                      static_cast<int>(block.thread_x()));
        Places places;
        find(block, p, place, writer, places);
        block.wait_copies();
        block.sync();
        const RowState<P> row(p, 0);
        while (writer.any()) {
            if (writer.left() > 0) {
                write_vector(block, p, place, row, writer, places);
            }
            if (writer.next()) {
                static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                    if constexpr (turns<I>) {
                        FUSE_UNROLL
                        for (int v = 0; v < V; ++v) {
                            get<I>(places).item[v] += writer.step_y();
                        }
                    }
                });
            } else {
                find(block, p, place, writer, places);
            }
        }
    }

private:
    using Writer = TileWriter<V>;
    using Places = typename map_tuple<typename P::leaves, detail::turned_places<V>::template leaf>::type;

    template <int I>
    static constexpr bool turns = ((turned_leaves >> I) & 1U) != 0;
    template <int I>
    using Turned = TurnedLeaf<typename at_t<typename P::leaves, I>::storage, V>;
    /// Where leaf I begins in shared memory; of the number of leaves, where all end.
    template <int I>
    static FUSE_HD constexpr unsigned begin(const TileSides& sides) {
        unsigned bytes = 0;
        static_for<I>([&]<int J>() {
            if constexpr (turns<J>) {
                bytes += Turned<J>::bytes(sides);
            }
        });
        return bytes;
    }

    template <class O>
    static FUSE_HD bool transposed(const O& operand) {
        return is_transposed(Place::y_stride(operand), Place::x_stride(operand));
    }
    template <int I, OwnMemory B>
    static FUSE_HD Turned<I> turned(B& block, const Params<P>& p, const Place& place) {
        const auto& operand = get<I>(p.leaves);
        return {block.own_memory() + begin<I>(place.tile()), place.tile(), operand.data + place.offset(operand),
                Place::x_stride(operand), Place::y_stride(operand)};
    }
    /// Calls f<I>(leaf) for those that are transposed.
    template <OwnMemory B, class F>
    static FUSE_HD void for_turned(B& block, const Params<P>& p, const Place& place, F&& f) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (turns<I>) {
                if (transposed(get<I>(p.leaves))) {
                    f.template operator()<I>(turned<I>(block, p, place));
                }
            }
        });
    }
    template <OwnMemory B>
    static FUSE_HD void find(B& block, const Params<P>& p, const Place& place, const Writer& writer, Places& places) {
        for_turned(block, p, place, [&]<int I>(const auto& leaf) FUSE_INLINE_LAMBDA {
            writer.each([&](int v, int x, int y) FUSE_INLINE_LAMBDA { get<I>(places).item[v] = leaf.place(x, y); });
        });
    }

    /// Evaluates and writes the vector of a thread.
    template <OwnMemory B>
    static FUSE_HD void write_vector(B& block, const Params<P>& p, const Place& place, const RowState<P>& row,
                                     const Writer& writer, const Places& places) {
        RowItems<P, V> items;
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::leaves, I>::walked) {
                load<I>(block, get<I>(items), p, place, writer, get<I>(places));
            }
        });
        const results_t<P> none{};
        const RowContext<P, V> context{p, row, items, none};
        static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
            using Output = at_t<typename P::outputs, O>;
            const auto& operand = get<O>(p.outputs);
            Pack<typename Output::storage, V> pack;
            evaluate<Output>(pack, context, writer.left());
            auto* const to = operand.data + offset(operand, place, writer);
            const index_t x_stride = Place::x_stride(operand);
            if (writer.in_line() || writer.side_by_side(x_stride, Place::y_stride(operand))) {
                WriteData(to, pack, writer.in_line() ? x_stride * writer.apart() : 1, writer.left(), aligned<V>(to));
            } else {
                each_offset(operand, writer, [&](int v, index_t at) FUSE_INLINE_LAMBDA { to[at] = pack.item[v]; });
            }
        });
    }

    /// Leaf I of the same elements.
    template <int I, OwnMemory B, class Items>
    static FUSE_HD void load(B& block, Items& items, const Params<P>& p, const Place& place, const Writer& writer,
                             const Pack<int, V>& places) {
        const auto& operand = get<I>(p.leaves);
        if constexpr (turns<I>) {
            if (transposed(operand)) {
                // What does not exist is in the buffer, too, and not evaluated.
                const auto leaf = turned<I>(block, p, place);
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    items.item[v] = leaf[places.item[v]];
                }
                return;
            }
        }
        const index_t first = offset(operand, place, writer);
        if constexpr (kir::is_index<at_t<typename P::leaves, I>>) {
            each_offset(operand, writer, [&](int v, index_t at) FUSE_INLINE_LAMBDA { items.item[v] = first + at; });
        } else {
            const auto* const from = operand.data + first;
            const index_t x_stride = Place::x_stride(operand);
            if (writer.in_line() || writer.side_by_side(x_stride, Place::y_stride(operand))) {
                ReadDataBc(items, from, writer.in_line() ? x_stride * writer.apart() : 1, writer.left(),
                           aligned<V>(from), {});
            } else {
                each_offset(operand, writer, [&](int v, index_t at) FUSE_INLINE_LAMBDA { items.item[v] = from[at]; });
            }
        }
    }

    /// From an operand's first item to that of the vector.
    template <class O>
    static FUSE_HD index_t offset(const O& operand, const Place& place, const Writer& writer) {
        return place.offset(operand) + writer.x() * Place::x_stride(operand) + writer.y() * Place::y_stride(operand);
    }
    /// Calls f(v, offset) for the items that exist, with their offsets from the first.
    template <class O, class F>
    static FUSE_HD void each_offset(const O& operand, const Writer& writer, F&& f) {
        writer.each([&](int v, int x, int y) FUSE_INLINE_LAMBDA {
            if (v < writer.left()) {
                f(v, (x - writer.x()) * Place::x_stride(operand) + (y - writer.y()) * Place::y_stride(operand));
            }
        });
    }
    template <int N, class T>
    static FUSE_HD bool aligned(const T* p) {
        return reinterpret_cast<std::uintptr_t>(p) % pack_alignment<T, N> == 0;
    }
};

FUSE_END_NAMESPACE
