// SPDX-License-Identifier: Apache-2.0
//
// Maps over several axes on a device: those of operands that all lie as along one axis, and those of some that do not, a
// bias of columns, a scale of channels, a mask that all heads share. Each thread takes N vectors a block's width apart, and
// all loads are issued before the first value is used.
#pragma once

#include <bit>

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/run_items.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/plan/costly_calls.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// At most two operands, of items of at most two bytes, and at most one call of a costly function: 32 registers hold that.
template <class... L, class... O>
constexpr bool few_narrow(type_list<L...>, type_list<O...>) {
    if constexpr (sizeof...(L) <= 2 && ((kir::is_memory<L> && sizeof(typename L::storage) <= 2) && ...)) {
        return unite_t<type_list<>, typename costly_calls<typename O::expression>::type...>::size <= 1;
    } else {
        return false;
    }
}

}  // namespace detail

/// Place<W>: where W elements lie (run_place.hpp). Uniform: the leaves that do not vary along the innermost axis.
template <class P, int V, int N, template <int> class Place, leaf_set Uniform>
struct BroadcastMapKernel : Kernel<P, V, N> {
    static constexpr int max_threads = 256;
    /// Of a thread, for the items of all its vectors: more than 32 leave too few of 6 blocks' for places and results.
    static constexpr int item_registers = [] {
        constexpr leaf_set counting = leaf_sets<P>::items & leaf_sets<P>::walked & ~leaf_sets<P>::memory;
        int bytes = std::popcount(counting) * detail::registers_of_count<typename Place<V>::Count> / V;
        for (int i = 0; i < P::leaves::size; ++i) {
            const bool items = (((leaf_sets<P>::items & leaf_sets<P>::moving & ~Uniform) >> i) & 1U) != 0;
            bytes += items ? detail::leaf_sizes<typename P::leaves>::stored[i] : 0;
        }
        return N * V * bytes / 4;
    }();
    /// Blocks of a multiprocessor. Where few narrow items lie in runs, a bias beside odd rows say, all that there are threads
    /// for: their loads between vectors are many, and few in flight at a time.
    static constexpr bool runs = std::is_same_v<Place<V>, RunPlace<Params<P>::traits::walked_rank, V, true>>;
    static constexpr int min_blocks = runs && Uniform == 0 &&
                                              detail::few_narrow(typename P::leaves{}, typename P::outputs{})
                                          ? 8
                                      : item_registers > 32 ? detail::largest(2, 256 / (item_registers + 24))
                                                            : 6;

#if FUSE_HAS_DEVICE_BODIES
    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const RowState<P> row(p, 0);
        const index_t whole = p.walked_size / V * V;
        const auto one_tile = [&](index_t tile) FUSE_INLINE_LAMBDA {
            const index_t end = tile + p.share < whole ? tile + p.share : whole;
            elements<N, V>(p, row, tile + static_cast<index_t>(block.thread_x()) * V,
                           static_cast<index_t>(block.dim_x()) * V, end);
        };
        if constexpr (requires { B::many_rows; }) {
            for (index_t tile = block.block_x() * p.share; tile < whole; tile += block.grid_x() * p.share) {
                one_tile(tile);
            }
        } else {
            // A block for each tile: in a loop over them the compiler would hold all strides in registers.
            one_tile(block.block_x() * p.share);
        }
        if constexpr (V > 1) {
            const index_t s = whole + block.thread_x();
            if (block.block_x() + 1 == block.grid_x() && s < p.walked_size) {
                elements<1, 1>(p, row, s, 1, p.walked_size);
            }
        }
        const RowItems<P, V> none{};
        const results_t<P> results{};
        write_once(p, RowContext<P, V>{p, row, none, results},
                   Share{block.block_x(), block.grid_x(), block.thread_x(), block.dim_x()});
    }

private:
    using sets = leaf_sets<P>;
    /// Those that are loaded so.
    static constexpr leaf_set uniform = Uniform & sets::items & sets::moving;

    /// M vectors of W elements, `step` apart, as far as they begin before `end`.
    template <int M, int W>
    static FUSE_HD void elements(const Params<P>& p, const RowState<P>& row, index_t first, index_t step, index_t end) {
        const bool narrow = p.walked_size <= narrow_end;
        Items<W> items[M];
        FUSE_UNROLL
        for (int j = 0; j < M; ++j) {
            if (first + j * step < end) {
                load_run<sets::items>(items[j], p, row, Place<W>(p.walked, first + j * step, narrow));
            }
        }
        FUSE_UNROLL
        for (int j = 0; j < M; ++j) {
            if (first + j * step < end) {
                write<W>(p, row, items[j], first + j * step, narrow);
            }
        }
    }

    template <int W>
    using Items = RunItems<P, W, uniform, typename Place<W>::Count>;

    template <int W>
    static FUSE_HD void write(const Params<P>& p, const RowState<P>& row, const Items<W>& items, index_t s,
                              bool narrow) {
        static_for<P::outputs::size>([&]<int O>() FUSE_INLINE_LAMBDA {
            using Output = at_t<typename P::outputs, O>;
            if constexpr (Output::extent == kir::Extent::item) {
                Pack<typename Output::storage, W> pack;
                if constexpr (uniform == 0) {
                    compute<Output>(pack, p, row, items);
                } else {
                    using Count = typename Place<W>::Count;
                    compute<Output>(pack, p, row, of_run<P, W, uniform, Count>(items));
                    // All of it once more, with what the second run has: what is made of that alone is made once.
                    const int first = first_run<uniform>(items);
                    if (first < W) {
                        Pack<typename Output::storage, W> second;
                        compute<Output>(second, p, row, of_run<P, W, uniform, Count, true>(items));
                        FUSE_UNROLL
                        for (int v = 0; v < W; ++v) {
                            pack.item[v] = v < first ? pack.item[v] : second.item[v];
                        }
                    }
                }
                const auto& operand = get<O>(p.outputs);
                const auto path = detail::path_along(p, operand);
                if (path.linear) {
                    LinePlace<W>(p.walked, s, narrow).write(operand.data, path, pack);
                } else {
                    // Found once more: kept from the loads on it would take the registers of these.
                    Place<W>(p.walked, another(s), narrow).write(operand.data, path, pack);
                }
            }
        });
    }
    /// To the compiler, another element.
    static FUSE_HD index_t another(index_t s) {
#if FUSE_ON_DEVICE
        asm volatile("" : "+l"(s));
#endif
        return s;
    }
    template <class Output, int W, class All>
    static FUSE_HD void compute(Pack<typename Output::storage, W>& pack, const Params<P>& p, const RowState<P>& row,
                                const All& items) {
        const results_t<P> none{};
        if constexpr (detail::has_windows<P>) {
            if (detail::all_windows_narrow(p)) {
                const NarrowWindows<All> narrow{items};
                return evaluate<Output>(pack, RowContext<P, W, NarrowWindows<All>>{p, row, narrow, none}, W);
            }
        }
        evaluate<Output>(pack, RowContext<P, W, All>{p, row, items, none}, W);
    }
#endif
};

FUSE_END_NAMESPACE
