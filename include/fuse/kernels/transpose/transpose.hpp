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
        fit = bytes_together<P>(more) * elements <= transpose_bytes ? more : fit;
    }
    return fit;
}

template <class P>
constexpr TransposeTile transpose_tile_of(leaf_set leaves) {
    const ItemSizes sizes = item_sizes<false>(typename P::leaves{}, typename P::outputs{});
    return transpose_tile(sizes.narrowest, sizes.widest, bytes_together<P>(leaves));
}

/// Where the elements of a thread's vector lie: in bytes from the beginning of an input's buffer, and where the first lies
/// in memory, in items from the operand's first.
template <int V>
struct VectorPlace {
    int byte[V];
    index_t first;
};
template <int V>
struct vector_places {
    template <class O>
    struct operand {
        using type = VectorPlace<V>;
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
    static constexpr int min_blocks = 8;
    using Place = TilePlace<P>;

    /// Never 0, by which a kernel is told to have none, whatever the share.
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        const unsigned bytes = begin<P::leaves::size>(TileSides::of(share));
        return surely || bytes > 0 ? bytes : 16;
    }
    /// The largest tile of a launch in which these leaves are transposed.
    static constexpr TransposeTile tile_of(leaf_set transposed) {
        constexpr leaf_set untold = ~((leaf_set{1} << told_leaves) - 1);
        return tile_of_vectors(V, detail::largest(1, detail::bytes_together<P>(turned_leaves & (transposed | untold))));
    }

#if FUSE_HAS_DEVICE_BODIES
    template <int, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const Place place(p, TileSides::of(p.share), block.block_x());
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (turns<I>) {
                if (transposed<I>(p, place.tile())) {
                    const auto leaf = turned<I>(block, p, place);
                    leaf.copy(block, place);
                }
            }
        });
        const auto& first = get<0>(p.outputs);
        Writer writer(place, first.data + place.offset(first, 0, 0), Place::x_stride(first), Place::y_stride(first),
                      static_cast<int>(block.thread_x()));
        Places places;
        places.find(block, p, place, writer);
        block.wait_copies();
        block.sync();
        const RowState<P> row(p, 0);
        while (writer.any()) {
            if (writer.left() == V) {
                write_vector(block, p, place, row, writer, places);
            } else {
                FUSE_NO_UNROLL
                for (int v = 0; v < writer.left(); ++v) {
                    write_element(block, p, place, row, writer.x_of(v), writer.y_of(v));
                }
            }
            if (writer.next()) {
                places.move(p, writer.step_y());
            } else {
                places.find(block, p, place, writer);
            }
        }
    }
#endif

private:
    /// One input that may be is.
    static constexpr bool surely = std::popcount(Leaves) == 1;
    template <int I>
    static constexpr bool turns = ((turned_leaves >> I) & 1U) != 0;
    template <int I>
    using Turned = TurnedLeaf<typename at_t<typename P::leaves, I>::storage, V>;
    template <int I>
    static FUSE_HD constexpr unsigned bytes(const TileSides& sides) {
        if constexpr (turns<I>) {
            return surely || sides.has(I) ? Turned<I>::bytes(sides) : 0;
        }
        return 0;
    }
    /// Where leaf I begins in shared memory; of the number of leaves, where all end.
    template <int I>
    static FUSE_HD constexpr unsigned begin(const TileSides& sides) {
        return [&]<int... J>(std::integer_sequence<int, J...>) {
            return (0U + ... + bytes<J>(sides));
        }
        (std::make_integer_sequence<int, I>{});
    }

#if FUSE_HAS_DEVICE_BODIES
    using Writer = TileWriter<V>;

    template <int I>
    static FUSE_HD bool transposed([[maybe_unused]] const Params<P>& p, [[maybe_unused]] const TileSides& sides) {
        const auto& operand = get<I>(p.leaves);
        return surely ||
               (I < told_leaves ? sides.has(I) : is_transposed(Place::y_stride(operand), Place::x_stride(operand)));
    }
    template <int I, OwnMemory B>
    static FUSE_HD Turned<I> turned(B& block, const Params<P>& p, const Place& place) {
        const auto& operand = get<I>(p.leaves);
        return {block.own_memory() + begin<I>(place.tile()), place.tile(), operand.data + place.offset(operand, 0, 0),
                Place::x_stride(operand), Place::y_stride(operand)};
    }

    /// Where the elements of the thread's vector are.
    struct Places {
        typename map_tuple<typename P::leaves, detail::vector_places<V>::template operand>::type leaf;
        typename map_tuple<typename P::outputs, detail::vector_places<V>::template operand>::type output;

        template <OwnMemory B>
        FUSE_HD void find(B& block, const Params<P>& p, const Place& place, const Writer& writer) {
            static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                if constexpr (turns<I>) {
                    if (transposed<I>(p, place.tile())) {
                        const auto buffer = turned<I>(block, p, place);
                        writer.each([&](int v, int x, int y) FUSE_INLINE_LAMBDA {
                            get<I>(leaf).byte[v] = buffer.place(x, y) * static_cast<int>(sizeof(buffer[0]));
                        });
                    }
                }
                if constexpr (walks<I>) {
                    get<I>(leaf).first = place.offset(get<I>(p.leaves), writer.x(), writer.y());
                }
            });
            static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
                get<O>(output).first = place.offset(get<O>(p.outputs), writer.x(), writer.y());
            });
        }
        /// By so many lines.
        FUSE_HD void move(const Params<P>& p, int lines) {
            static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                if constexpr (turns<I>) {
                    FUSE_UNROLL
                    for (int v = 0; v < V; ++v) {
                        get<I>(leaf).byte[v] +=
                            lines * static_cast<int>(sizeof(typename at_t<typename P::leaves, I>::storage));
                    }
                }
                if constexpr (walks<I>) {
                    get<I>(leaf).first += lines * Place::y_stride(get<I>(p.leaves));
                }
            });
            static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
                get<O>(output).first += lines * Place::y_stride(get<O>(p.outputs));
            });
        }
    };
    /// Whether leaf I may be read where it lies in memory.
    template <int I>
    static constexpr bool walks = at_t<typename P::leaves, I>::walked && !(surely && turns<I>);

    /// Evaluates and writes the vector of a thread, all of which exists.
    template <OwnMemory B>
    static FUSE_HD void write_vector(B& block, const Params<P>& p, const Place& place, const RowState<P>& row,
                                     const Writer& writer, const Places& places) {
        RowItems<P, V> items;
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::leaves, I>::walked) {
                load<I>(block, get<I>(items), p, place, writer, get<I>(places.leaf));
            }
        });
        const results_t<P> none{};
        const RowContext<P, V> context{p, row, items, none};
        static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
            using Output = at_t<typename P::outputs, O>;
            const auto& operand = get<O>(p.outputs);
            Pack<typename Output::storage, V> pack;
            evaluate<Output>(pack, context, V);
            auto* const to = operand.data + get<O>(places.output).first;
            if (is_vector(operand, to, writer)) {
                store_pack(to, pack, true);
            } else {
                each_offset(operand, writer, [&](int v, index_t at) FUSE_INLINE_LAMBDA { to[at] = pack.item[v]; });
            }
        });
    }
    /// Leaf I of its elements.
    template <int I, OwnMemory B, class Items>
    static FUSE_HD void load(B& block, Items& items, const Params<P>& p, const Place& place, const Writer& writer,
                             const detail::VectorPlace<V>& vector) {
        const auto& operand = get<I>(p.leaves);
        if constexpr (turns<I>) {
            if (transposed<I>(p, place.tile())) {
                const unsigned char* const buffer = block.own_memory() + begin<I>(place.tile());
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    items.item[v] = *reinterpret_cast<const typename at_t<typename P::leaves, I>::storage*>(
                        buffer + vector.byte[v]);
                }
                return;
            }
        }
        const index_t first = vector.first;
        if constexpr (kir::is_index<at_t<typename P::leaves, I>>) {
            each_offset(operand, writer, [&](int v, index_t at) FUSE_INLINE_LAMBDA { items.item[v] = first + at; });
        } else {
            const auto* const from = operand.data + first;
            if (is_vector(operand, from, writer)) {
                load_pack(items, from, true);
            } else if (Place::x_stride(operand) == 0 && writer.in_one_line()) {
                load_strided(items, from, 0);
            } else {
                each_offset(operand, writer, [&](int v, index_t at) FUSE_INLINE_LAMBDA { items.item[v] = from[at]; });
            }
        }
    }
    /// Whether the items of a vector are neighbours, and aligned.
    template <class O, class T>
    static FUSE_HD bool is_vector(const O& operand, const T* first, const Writer& writer) {
        return writer.side_by_side(Place::x_stride(operand), Place::y_stride(operand)) &&
               reinterpret_cast<std::uintptr_t>(first) % pack_alignment<T, V> == 0;
    }
    /// Calls f(v, offset) with the offsets of a vector's items from the first.
    template <class O, class F>
    static FUSE_HD void each_offset(const O& operand, const Writer& writer, F&& f) {
        writer.each([&](int v, int x, int y) FUSE_INLINE_LAMBDA {
            f(v, (x - writer.x()) * Place::x_stride(operand) + (y - writer.y()) * Place::y_stride(operand));
        });
    }

    /// Evaluates and writes one element.
    template <OwnMemory B>
    static FUSE_HD void write_element(B& block, const Params<P>& p, const Place& place, const RowState<P>& row, int x,
                                      int y) {
        RowItems<P, 1> items;
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::leaves, I>::walked) {
                const auto& operand = get<I>(p.leaves);
                auto& item = get<I>(items).item[0];
                if constexpr (kir::is_index<at_t<typename P::leaves, I>>) {
                    item = place.offset(operand, x, y);
                } else {
                    const auto* from = operand.data + place.offset(operand, x, y);
                    if constexpr (turns<I>) {
                        if (transposed<I>(p, place.tile())) {
                            const auto leaf = turned<I>(block, p, place);
                            from = &leaf[leaf.place(x, y)];
                        }
                    }
                    item = *from;
                }
            }
        });
        const results_t<P> none{};
        const RowContext<P, 1> context{p, row, items, none};
        static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
            using Output = at_t<typename P::outputs, O>;
            const auto& operand = get<O>(p.outputs);
            Pack<typename Output::storage, 1> pack;
            evaluate<Output>(pack, context, 1);
            operand.data[place.offset(operand, x, y)] = pack.item[0];
        });
    }
#endif
};

FUSE_END_NAMESPACE
