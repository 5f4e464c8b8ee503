// SPDX-License-Identifier: Apache-2.0
//
// The end of a kernel that the last block finishes: partial accumulators, one set per block, are folded in the order
// of the blocks. Used by the epilogue of the row kernels and by the split kernels.
#pragma once

#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/primitives/block/block_reduce.hpp"

FUSE_BEGIN_NAMESPACE

/// Folds partials[0 .. n) in index order; every thread gets the result. Thread t takes a contiguous piece, so order
/// holds for ops that do not commute.
template <class R, class B>
FUSE_HD typename R::accumulator fold_partials(B& block, const typename R::accumulator* partials, index_t n) {
    const index_t threads = block_threads(block);
    const index_t piece = (n + threads - 1) / threads;
    const index_t first = linear_thread(block) * piece;
    const index_t end = first + piece < n ? first + piece : n;
    LongFold<R, B> fold;
    for (index_t i = first; i < end; ++i) {
        fold.push(partials[i]);
    }
    return BlockReduce(block, fold.total(), R{});
}

/// Where the row kernels keep what the last block needs: the results of the phases, where an output that is written
/// once reads some (they are the same in every row: row 0 stores them), then one set of accumulators per block.
template <class P>
struct EpilogueMemory {
    using accumulator = typename Product<typename P::epilogue>::accumulator;
    static constexpr bool keeps_results = leaf_sets<P>::once_reads_phases;
    static constexpr std::size_t results_bytes = keeps_results ? (sizeof(results_t<P>) + 15) / 16 * 16 : 0;

    static FUSE_HD constexpr std::size_t bytes(index_t blocks) {
        return results_bytes + sizeof(accumulator) * static_cast<std::size_t>(blocks);
    }
    static FUSE_HD results_t<P>* results(const Params<P>& p) { return static_cast<results_t<P>*>(p.partials); }
    static FUSE_HD accumulator* partials(const Params<P>& p) {
        return reinterpret_cast<accumulator*>(static_cast<unsigned char*>(p.partials) + results_bytes);
    }
};

/// What a thread of a row kernel gathers for the epilogue while it works through rows.
template <class P, int V, class B, bool Any = (P::epilogue::size > 0)>
class EpilogueAccumulator {
public:
    using phase = typename P::epilogue;
    using product = Product<phase>;
    using accumulator = typename product::accumulator;

    /// W elements of a row from s on, `left` of them inside, V at the most.
    template <int W, class Items>
    FUSE_HD void take_items(const RowContext<P, W, Items>& context, index_t row, index_t size, index_t s,
                            index_t left) {
        if constexpr (P::epilogue_items != 0) {
            for_items<(W < V ? W : V)>(left, [&](int v) FUSE_INLINE_LAMBDA {
                accumulate<true>(items_.item[v], context, v, row * size + s + v);
            });
            if (++taken_ == longest_run) {
                push_items();
            }
        }
    }
    FUSE_HD void take_row(const RowContext<P, V>& context, index_t row) {
        if constexpr (P::epilogue_items != every) {
            accumulator part = product{}.init();
            accumulate<false>(part, context, 0, row);
            fold_.push(part);
        }
    }
    /// The same in a launch with stretched operands; s is 0 for what folds rows.
    template <bool Items>
    FUSE_HD void take_own(const Params<P>& p, const RowContext<P, 1>& context, index_t row, index_t s) {
        accumulator part = product{}.init();
        static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (is_item<I> == Items) {
                fold_own<typename phase::template at<I>, first_result<P, P::phases::size> + I>(get<I>(part), p, context,
                                                                                               row, s);
            }
        });
        fold_.push(part);
    }

    /// All threads of the block must call.
    FUSE_HD void store_partial(B& block, const Params<P>& p) {
        if constexpr (P::epilogue_items != 0) {
            push_items();
        }
        const auto sum = BlockReduce(block, fold_.total(), product{}, OneThread{});
        if (linear_thread(block) == 0) {
            EpilogueMemory<P>::partials(p)[block.block_x()] = sum;
        }
    }

private:
    static constexpr std::uint64_t every =
        phase::size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << phase::size) - 1;
    template <int I>
    static constexpr bool is_item = ((P::epilogue_items >> I) & 1U) != 0;

    template <bool Items, class Context>
    static FUSE_HD void accumulate(accumulator& total, const Context& c, int v, index_t index) {
        static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (is_item<I> == Items) {
                using R = typename phase::template at<I>;
                using Op = typename R::reduction_op;
                const auto item = Evaluate<typename R::expression>::at(c, v);
                if constexpr (Op::has_index) {  // the ends of a peeled row come after its vectors
                    get<I>(total) = Op{}.combine(get<I>(total), Op{}.leaf(item, index));
                } else {
                    get<I>(total) = Op{}.reduce(get<I>(total), item, index);
                }
            }
        });
    }
    FUSE_HD void push_items() {
        fold_.push(ReduceLocal(items_.item, product{}));
        items_ = ItemFolds<product, V>{}.init();
        taken_ = 0;
    }

    LongFold<product, B> fold_;
    typename ItemFolds<product, V>::accumulator items_ = ItemFolds<product, V>{}.init();
    int taken_ = 0;
};

template <class P, int V, class B>
class EpilogueAccumulator<P, V, B, false> {
public:
    template <int W, class Items>
    FUSE_HD void take_items(const RowContext<P, W, Items>&, index_t, index_t, index_t, index_t) {}
    FUSE_HD void take_row(const RowContext<P, V>&, index_t) {}
    template <bool Items>
    FUSE_HD void take_own(const Params<P>&, const RowContext<P, 1>&, index_t, index_t) {}
};

/// The last block: all partials, then the outputs that are written once.
template <int V, class B, class P>
FUSE_HD void finish_epilogue(B& block, const Params<P>& p) {
    using product = Product<typename P::epilogue>;
    using memory = EpilogueMemory<P>;
    const auto total = fold_partials<product>(block, memory::partials(p), block.grid_x());
    results_t<P> results{};
    if constexpr (memory::keeps_results) {
        results = *memory::results(p);
    }
    constexpr int first = first_result<P, P::phases::size>;
    static_for<P::epilogue::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using R = typename P::epilogue::template at<I>::reduction_op;
        const index_t n = p.kept_size * (((P::epilogue_items >> I) & 1U) != 0 ? p.walked_size : 1);
        get<first + I>(results) = R{}.project(get<I>(total), elements_of<first + I>(p, n));
    });
    const RowState<P> state(p, typename RowState<P>::NoRow{});
    const RowItems<P, V> none{};
    write_once(p, RowContext<P, V>{p, state, none, results}, Share{0, 1, linear_thread(block), block_threads(block)});
}

FUSE_END_NAMESPACE
