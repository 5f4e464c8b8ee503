// SPDX-License-Identifier: Apache-2.0
//
// A tile of a row that waits in a buffer of shared memory. Asynchronous copies bring its elements there while the block
// works on another tile; they are read once for the tile's total, and once more when the fold of all before the tile is
// known. Until then the fold before each thread's elements waits there too, and registers hold nothing: values that
// registers have no room for would be spilled to local memory, and from there to the L2 cache, because the shared memory
// of these blocks takes the place of the L1 cache.
//
// Lanes copy neighbouring vectors, or neighbouring elements where memory is not aligned, whoever works on them. A thread
// has N vectors of a tile: where what it makes waits in the buffer as well until its warp writes it (scan_exit.hpp), they
// are neighbours, so that a warp joins its lanes once; N is odd then, for lanes that read their own vectors to meet
// different banks. Else they are a stripe of lanes apart, so that lanes write neighbouring vectors.
#pragma once

#include "fuse/kernels/scan/scan_vector.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

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

/// How the one output that varies along the row leaves a tile. leaf: number of the one whose place its vectors take, which
/// have the same size; gathered: its elements say where they go, and what is kept is put together in the buffer. Neither
/// where there are several such outputs.
struct ScanExitWay {
    int output = -1;
    int leaf = -1;
    bool gathered = false;

    constexpr bool waits() const { return leaf >= 0 || gathered; }
};

namespace detail {

template <class... O>
constexpr int count_item_outputs(type_list<O...>) {
    return (0 + ... + (O::extent == kir::Extent::item ? 1 : 0));
}
template <class... O>
constexpr int first_item_output(type_list<O...>) {
    constexpr bool varies[] = {(O::extent == kir::Extent::item)..., true};
    int output = 0;
    while (!varies[output]) {
        ++output;
    }
    return output;
}
/// The last buffered leaf up to number I with vectors of so many bytes, -1 if there is none.
template <class P, int V, int I>
constexpr int leaf_with_vectors_of(int bytes) {
    if constexpr (I < 0) {
        return -1;
    } else {
        return buffered_bytes<P, V, I> == bytes ? I : leaf_with_vectors_of<P, V, I - 1>(bytes);
    }
}
template <class P, int V>
constexpr ScanExitWay find_exit_way() {
    using outputs = typename P::outputs;
    ScanExitWay way;
    if constexpr (count_item_outputs(outputs{}) == 1) {
        way.output = first_item_output(outputs{});
        using O = at_t<outputs, first_item_output(outputs{})>;
        using Value = decltype(Evaluate<typename O::expression>::at(std::declval<const ScanContext<P, V>&>(), 0));
        constexpr int bytes = static_cast<int>(sizeof(Pack<typename O::storage, V>));
        if constexpr (is_scattered<Value>) {
            way.gathered = bytes <= buffered_vector_bytes<P, V>;
        } else {
            way.leaf = leaf_with_vectors_of<P, V, P::leaves::size - 1>(bytes);
        }
    }
    return way;
}

}  // namespace detail

template <class P, int V>
inline constexpr ScanExitWay scan_exit_way = detail::find_exit_way<P, V>();

/// The tile of a block whose dim_x is whole warps, N vectors per thread.
template <class P, int V, int N>
class BufferedScanTile {
public:
    using product = scan_product<P>;
    using accumulator = scan_accumulator<P>;
    static constexpr bool backwards = reverse_program<P>;
    /// Neighbouring vectors of a thread, and how many such runs it has.
    static constexpr int run = scan_exit_way<P, V>.waits() ? N : 1;
    static constexpr int runs = N / run;

    /// Of shared memory.
    static FUSE_HD constexpr unsigned bytes(unsigned threads) {
        return threads *
               static_cast<unsigned>(N * buffered_vector_bytes<P, V> + runs * static_cast<int>(sizeof(accumulator)));
    }

#if FUSE_HAS_DEVICE_BODIES
    template <ThreadBlock B>
    static FUSE_HD unsigned size(B& block) {
        return block.dim_x() * static_cast<unsigned>(V * N);
    }

    /// The elements of the thread's warp in the tile that starts at `first`.
    template <ThreadBlock B>
    static FUSE_HD ScanSpan<V> span(B& block, index_t first, index_t end) {
        const unsigned lane = block.thread_x() % static_cast<unsigned>(B::warp_size);
        return {first + static_cast<index_t>(block.thread_x() - lane) * (V * N), end, 1, first + size(block) <= end};
    }

    template <ThreadBlock B>
    FUSE_HD BufferedScanTile(B& block, unsigned char* memory)
        : memory_(memory), threads_(block.dim_x()), thread_(block.thread_x()),
          lane_(block.thread_x() % static_cast<unsigned>(B::warp_size)), warp_(static_cast<unsigned>(B::warp_size)) {}

    /// Starts to copy elements. They are there after arrive().
    template <AsyncCopies B>
    FUSE_HD void load(B& block, const Params<P>& p, const RowState<P>& row, const ScanSpan<V>& span) const {
        constexpr unsigned warp = B::warp_size;
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            constexpr int buffered = detail::buffered_bytes<P, V, I>;
            if constexpr (buffered > 0) {
                using T = typename at_t<typename P::leaves, I>::storage;
                const auto& operand = get<I>(p.leaves);
                const auto path = detail::path_along(p, operand);
                Pack<T, V>* const slots = warp_slots<I, T>();
                if (V > 1 && operand.vector && span.whole) {
                    FUSE_UNROLL
                    for (unsigned j = 0; j < N; ++j) {
                        const unsigned u = j * warp + lane_;
                        copy_pack_async(block, slots[u],
                                        get<I>(row.leaf) + path.template of_pack<V>(span.first + u * V));
                    }
                } else {
                    T* const items = slots->item;
                    FUSE_NO_UNROLL
                    for (unsigned j = 0; j < N; ++j) {
                        FUSE_UNROLL
                        for (unsigned v = 0; v < V; ++v) {
                            const unsigned i = (j * V + v) * warp + lane_;
                            T& item = items[place_in_memory(i)];
                            if (span.first + i < span.end) {
                                copy_item_async(block, item, get<I>(row.leaf) + path(span.first + i));
                            } else {
                                item = T{};
                            }
                        }
                    }
                }
            }
        });
    }

    /// Waits for what load() copies. A barrier of the warp; there is to be one of the block between the last use of a
    /// buffer and the next load().
    template <AsyncCopies B>
    FUSE_HD void arrive(B& block) const {
        block.wait_copies();
        block.sync_warp();
    }

    /// Joins the threads of the block; returns the fold of the tile, in every thread. All threads of the block must
    /// call. One barrier for several warps, none else.
    template <Warps B>
    FUSE_HD accumulator scan(B& block, const Params<P>& p, const RowState<P>& row, const ScanSpan<V>& span) const {
        accumulator own[runs];
        accumulator before[runs];
        if (span.whole) {
            fold<true>(p, row, span, own);
        } else {
            fold<false>(p, row, span, own);
        }
        const accumulator total = join_threads<InOrder<product>>(block, own, before, B::warp_size);
        FUSE_UNROLL
        for (int r = 0; r < runs; ++r) {
            *before_slot(r) = before[r];
        }
        return total;
    }

    /// Calls use(context, j, s) for the thread's vectors, after scan; carry: the fold of the row's elements before the
    /// tile. Whole: all elements of the tile exist.
    template <bool Whole, class Use>
    FUSE_HD void for_scanned(const Params<P>& p, const RowState<P>& row, const ScanSpan<V>& span,
                             const accumulator& carry, Use&& use) const {
        accumulator before;
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (j % run == 0) {
                before = product{}.append(carry, *before_slot(j / run));
            }
            RowItems<P, V> items;
            accumulator running[V];
            const index_t s = position(span, j);
            const results_t<P> none{};
            read(items, p, row, j, s);
            fold_items<Whole, P, V>(p, row, items, s, span.end, running);
            use(ScanContext<P, V>({p, row, items, none}, before, running, s), j, s);
            before = product{}.append(before, running[V - 1]);
        }
    }

    /// Vectors of one leaf lie side by side, in the order of the row.
    template <int I, class T>
    FUSE_HD Pack<T, V>* warp_slots() const {
        constexpr auto before = static_cast<unsigned>(N * detail::buffered_bytes_before<P, V, I>);
        return reinterpret_cast<Pack<T, V>*>(memory_ + before * threads_) + (thread_ - lane_) * N;
    }
    template <int I, class T>
    FUSE_HD Pack<T, V>* slot(int j) const {
        return warp_slots<I, T>() + place(j);
    }
    /// A vector of the row as it lies in memory and in its slot, or back: rows that are gone through from their ends have
    /// the last element of each first.
    template <class T>
    static FUSE_HD Pack<T, V> turned(const Pack<T, V>& pack) {
        if constexpr (backwards) {
            return reversed(pack);
        } else {
            return pack;
        }
    }
    /// Where element i of the warp's slots stands among them.
    static FUSE_HD unsigned place_in_memory(unsigned i) {
        constexpr auto width = static_cast<unsigned>(V);
        return backwards ? i + (width - 1) - 2 * (i % width) : i;
    }
    /// All of the buffer.
    FUSE_HD unsigned char* memory() const {
        return memory_;
    }
    FUSE_HD unsigned lane() const {
        return lane_;
    }

private:
    /// Where vector j of the thread stands among those of its warp.
    FUSE_HD unsigned place(int j) const {
        return static_cast<unsigned>(j / run) * (warp_ * run) + lane_ * run + static_cast<unsigned>(j % run);
    }
    /// Its first element in the row.
    FUSE_HD index_t position(const ScanSpan<V>& span, int j) const {
        return span.first + place(j) * V;
    }

    /// The folds of the thread's runs.
    template <bool Whole>
    FUSE_HD void fold(const Params<P>& p, const RowState<P>& row, const ScanSpan<V>& span,
                      accumulator (&own)[runs]) const {
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            RowItems<P, V> items;
            accumulator running[V];
            const index_t s = position(span, j);
            read(items, p, row, j, s);
            fold_items<Whole, P, V>(p, row, items, s, span.end, running);
            accumulator& total = own[j / run];
            total = j % run == 0 ? running[V - 1] : product{}.append(total, running[V - 1]);
        }
    }

    /// Vector j, after its copies.
    FUSE_HD void read(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& row, int j, index_t s) const {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            constexpr int buffered = detail::buffered_bytes<P, V, I>;
            if constexpr (buffered > 0) {
                get<I>(items) = turned(*slot<I, typename L::storage>(j));
            } else if constexpr (kir::is_index<L> && L::walked) {
                InitWithDataIndex(get<I>(items), get<I>(row.leaf), detail::path_along(p, get<I>(p.leaves)), s);
            }
        });
    }

    /// The fold of the tile's elements before run r.
    FUSE_HD accumulator* before_slot(int r) const {
        constexpr auto before = static_cast<unsigned>(N * buffered_vector_bytes<P, V>);
        return reinterpret_cast<accumulator*>(memory_ + before * threads_) + static_cast<unsigned>(r) * threads_ +
               thread_;
    }

    unsigned char* memory_;
    unsigned threads_;
    unsigned thread_;
    unsigned lane_;
    unsigned warp_;  ///< lanes
#endif
};

FUSE_END_NAMESPACE
