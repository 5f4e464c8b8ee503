// SPDX-License-Identifier: Apache-2.0
//
// Sorts along the innermost axis: a block evaluates the keys of a row into memory that it shares, sorts them there, and
// writes what the outputs make of them. On the host that memory is a share of the partial results.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/primitives/block/sort.hpp"

FUSE_BEGIN_NAMESPACE

template <class P>
struct SortRowsKernel : Kernel<P, 1, 1> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 1;
    using phase = at_t<typename P::phases, 0>;
    template <int I>
    using sorted = typename phase::template at<I>::reduction_op;
    template <int I>
    using key = typename sorted<I>::value_type;

    /// Bytes that the sorts of a row of n elements keep.
    static FUSE_HD constexpr std::size_t row_bytes(index_t n) { return offset(phase::size, n); }

    static constexpr std::size_t scratch_bytes(const Launch& l) { return row_bytes(l.row); }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return l.threads() == 1 ? row_bytes(l.row) * static_cast<std::size_t>(l.grid) : 0;
    }

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const auto n = static_cast<unsigned>(p.walked_size);
        for (index_t row = block.block_x(); row < p.kept_size; row += block.grid_x()) {
            const RowState<P> state(p, row);
            unsigned char* memory = row_memory(block, p);
            for (unsigned s = linear_thread(block); s < n; s += block_threads(block)) {
                evaluate_keys(p, state, memory, s);
            }
            static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                using R = sorted<I>;
                using Order = Comparator<std::conditional_t<R::largest_first, Descending, Ascending>>;
                if constexpr (R::positions) {
                    Sort(block, keys<I>(memory, n), positions<I>(memory, n), n, Order{});
                } else {
                    Sort(block, keys<I>(memory, n), n, Order{});
                }
            });
            for (unsigned s = linear_thread(block); s < n; s += block_threads(block)) {
                write(p, state, row, memory, s);
            }
            if (linear_thread(block) == 0) {
                const RowItems<P, 1> none{};
                const results_t<P> no_results{};
                const RowContext<P, 1> context{p, state, none, no_results};
                write_kept(p, context, row);
                write_once(p, context, share_of_row(row, p.kept_size, 0, 1));
            }
        }
    }

private:
    /// Where the keys of sort `count` begin: after those before it, and their positions.
    static FUSE_HD constexpr std::size_t offset(int count, index_t n) {
        std::size_t bytes = 0;
        static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            const std::size_t own = sizeof(key<I>) * static_cast<std::size_t>(n);
            const std::size_t position = sorted<I>::positions ? sizeof(unsigned) * static_cast<std::size_t>(n) : 0;
            bytes += I < count ? scratch_round_up(own) + scratch_round_up(position) : 0;
        });
        return bytes;
    }
    template <int I>
    static FUSE_HD key<I>* keys(unsigned char* memory, index_t n) {
        return reinterpret_cast<key<I>*>(memory + offset(I, n));
    }
    template <int I>
    static FUSE_HD unsigned* positions(unsigned char* memory, index_t n) {
        const std::size_t own = sizeof(key<I>) * static_cast<std::size_t>(n);
        return reinterpret_cast<unsigned*>(memory + offset(I, n) + scratch_round_up(own));
    }

    template <class B>
    static FUSE_HD unsigned char* row_memory(B& block, const Params<P>& p) {
        const std::size_t bytes = row_bytes(p.walked_size);
        if constexpr (lone_thread<B>) {
            return static_cast<unsigned char*>(p.partials) + block.block_x() * bytes;
        } else {
            return reinterpret_cast<unsigned char*>(
                block.template scratch<SharedUnit>(static_cast<unsigned>(bytes / sizeof(SharedUnit))));
        }
    }
    struct alignas(16) SharedUnit {
        unsigned char byte[16];
    };

    static FUSE_HD void evaluate_keys(const Params<P>& p, const RowState<P>& state, unsigned char* memory, unsigned s) {
        RowItems<P, 1> items;
        load_own<leaf_sets<P>::template phase<0>>(items, p, state, s);
        const results_t<P> none{};
        const RowContext<P, 1> context{p, state, items, none};
        static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            // What has no elements is not evaluated.
            keys<I>(memory, p.walked_size)[s] =
                elements_of<I>(p, p.walked_size) > 0
                    ? Evaluate<typename phase::template at<I>::expression>::at(context, 0)
                    : key<I>{};
            if constexpr (sorted<I>::positions) {
                positions<I>(memory, p.walked_size)[s] = s;
            }
        });
    }

    static FUSE_HD void write(const Params<P>& p, const RowState<P>& state, index_t row, unsigned char* memory,
                              unsigned s) {
        RowItems<P, 1> items;
        load_own<leaf_sets<P>::items>(items, p, state, s);
        results_t<P> results{};
        static_for<phase::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (sorted<I>::positions) {
                // The one element of a stretched row has position 0.
                const bool one = stretched(p) && elements_of<I>(p, p.walked_size) <= 1;
                get<I>(results) = one ? 0 : static_cast<index_t>(positions<I>(memory, p.walked_size)[s]);
            } else {
                get<I>(results) = keys<I>(memory, p.walked_size)[s];
            }
        });
        const RowContext<P, 1> context{p, state, items, results};
        if constexpr (P::stretches) {
            write_own(p, context, row, s);
        } else {
            write_items<false, P, 1>(p, context, row, s, 1);
        }
    }
};

FUSE_END_NAMESPACE
