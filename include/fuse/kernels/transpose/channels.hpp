// SPDX-License-Identifier: Apache-2.0
//
// Maps between few channels that lie innermost, the colours of pixels say, and planes of them. A thread takes V
// neighbouring positions with all of their channels: of an operand with innermost channels they are C vectors that follow
// each other, of one with planes a vector of each, and it turns them round in registers, whose places the compiler knows.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_constants.hpp"
#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/transpose/channel_place.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int C>
struct ChannelsKernel : Kernel<P, V, C> {
    static constexpr int channels = C;
    static constexpr int max_threads = 256;
    static constexpr int min_blocks = 4;

#if FUSE_HAS_DEVICE_BODIES
    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const Place place(p, block.block_x() * block.dim_x() + block.thread_x());
        if (!place.exists()) {
            return;
        }
        RowItems<P, V> items[C];
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::leaves, I>::walked) {
                load<I>(items, get<I>(p.leaves), place);
            }
        });
        const RowState<P> row(p, 0);
        const results_t<P> none{};
        static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
            using Output = at_t<typename P::outputs, O>;
            Pack<typename Output::storage, V> results[C];
            FUSE_UNROLL
            for (int c = 0; c < C; ++c) {
                evaluate<Output>(results[c], RowContext<P, V>{p, row, items[c], none}, V);
            }
            write(results, get<O>(p.outputs), place);
        });
    }

private:
    using Place = ChannelPlace<P, V>;

    /// Leaf I at all positions, channel by channel.
    template <int I, class O>
    static FUSE_HD void load(RowItems<P, V> (&items)[C], const O& operand, const Place& place) {
        using L = at_t<typename P::leaves, I>;
        const index_t step = place.position_stride(operand);
        const index_t next = place.channel_stride(operand);
        if constexpr (kir::is_index<L>) {
            const index_t first = place.offset(operand);
            each([&](int c, int v) FUSE_INLINE_LAMBDA { get<I>(items[c]).item[v] = first + c * next + v * step; });
        } else {
            const auto* const from = operand.data + place.offset(operand);
            if (in_lines(place, from, step, next)) {
                Pack<typename L::storage, V> line[C];
                FUSE_UNROLL
                for (int k = 0; k < C; ++k) {
                    load_pack(line[k], from + k * V, true);
                }
                each([&](int c, int v) FUSE_INLINE_LAMBDA {
                    get<I>(items[c]).item[v] = line[(v * C + c) / V].item[(v * C + c) % V];
                });
            } else if (in_planes(place, from, step, next)) {
                FUSE_UNROLL
                for (int c = 0; c < C; ++c) {
                    load_pack(get<I>(items[c]), from + c * next, true);
                }
            } else if (step == 0) {
                FUSE_UNROLL
                for (int c = 0; c < C; ++c) {
                    load_strided(get<I>(items[c]), from + c * next, 0);
                }
            } else {
                const int last = place.left() - 1;
                each([&](int c, int v) FUSE_INLINE_LAMBDA {
                    get<I>(items[c]).item[v] = from[c * next + (v < last ? v : last) * step];
                });
            }
        }
    }

    template <class T, class O>
    static FUSE_HD void write(const Pack<T, V> (&results)[C], const O& operand, const Place& place) {
        const index_t step = place.position_stride(operand);
        const index_t next = place.channel_stride(operand);
        T* const to = operand.data + place.offset(operand);
        if (in_lines(place, to, step, next)) {
            FUSE_UNROLL
            for (int k = 0; k < C; ++k) {
                Pack<T, V> line;
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    line.item[v] = results[(k * V + v) % C].item[(k * V + v) / C];
                }
                store_pack(to + k * V, line, true);
            }
        } else if (in_planes(place, to, step, next)) {
            FUSE_UNROLL
            for (int c = 0; c < C; ++c) {
                store_pack(to + c * next, results[c], true);
            }
        } else {
            each([&](int c, int v) FUSE_INLINE_LAMBDA {
                if (v < place.left()) {
                    to[c * next + v * step] = results[c].item[v];
                }
            });
        }
    }

    /// Calls f(c, v) for channel c of position v.
    template <class F>
    static FUSE_HD void each(F&& f) {
        FUSE_UNROLL
        for (int c = 0; c < C; ++c) {
            FUSE_UNROLL
            for (int v = 0; v < V; ++v) {
                f(c, v);
            }
        }
    }

    /// Whether all positions exist, and are vectors with their channels innermost.
    template <class T>
    static FUSE_HD bool in_lines(const Place& place, const T* first, index_t step, index_t next) {
        return place.left() == V && step == C && next == 1 && is_aligned(first);
    }
    /// Whether they exist, and are a vector of each channel.
    template <class T>
    static FUSE_HD bool in_planes(const Place& place, const T* first, index_t step, index_t next) {
        return place.left() == V && step == 1 && next % V == 0 && is_aligned(first);
    }
    template <class T>
    static FUSE_HD bool is_aligned(const T* first) {
        return reinterpret_cast<std::uintptr_t>(first) % pack_alignment<T, V> == 0;
    }
#endif
};

FUSE_END_NAMESPACE
