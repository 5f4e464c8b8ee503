// SPDX-License-Identifier: Apache-2.0
//
// Rows and columns in one pass. Blocks step through the rows, as they do where rows are held in registers; beside a row a
// thread keeps accumulators of the columns on which it lies. At the end, and before it has added too many, a block leaves
// what it has of each column in memory. When all have met, they fold that column by column in the order of the blocks.
#pragma once

#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/columns/column_end.hpp"
#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/rows/held_rows.hpp"
#include "fuse/kernels/steps/columns_beside.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

/// P: the rows, which are step A. C: the columns, each a ColumnsBeside.
template <int A, class P, int V, int N, class... C>
struct OnePassKernel : HeldRowsKernel<P, V, N, RowEnds::none, RowLeaves<(C::reads | ...), 0>> {
    using Rows = HeldRowsKernel<P, V, N, RowEnds::none, RowLeaves<(C::reads | ...), 0>>;
    using Held = HeldRow<V, RowEnds::none>;
    using sets = leaf_sets<P>;
    /// Whether step I is done here.
    template <int I>
    static constexpr bool folds = I == A || ((I == C::step) || ...);
    /// Blocks leave partial results.
    static constexpr Link link = Link::last_block;
    static constexpr Link lone_link = link;
    static constexpr leaf_set varying = Rows::cached & sets::kept;
    static constexpr leaf_set common = Rows::cached & ~sets::kept;
    /// Whether there are registers for the loads of the next row, so that they are under way during this one, and for what
    /// is the same in all rows, which is then loaded once.
    static constexpr int words = (0 + ... + static_cast<int>((sizeof(typename C::accumulator) + 3) / 4));
    static constexpr bool ahead = N * (V * words + RowRegisters<P>::template stored<V>(common) +
                                       2 * RowRegisters<P>::template stored<V>(varying)) <=
                                  80;
    static constexpr leaf_set early = ahead ? varying : 0;
    static constexpr leaf_set fixed = ahead ? common : 0;

    /// So many columns of a thread meet at a time that shared memory has room for them.
    template <class One>
    static constexpr int folded =
        std::bit_floor(static_cast<unsigned>(detail::limited(64 / sizeof(typename One::accumulator), 1, N* V)));
    template <class One>
    using Folds = ItemFolds<typename One::product, folded<One>>;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest(
            Rows::scratch_bytes(l),
            y_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(typename Folds<C>::accumulator), planned_block)...);
    }

    /// Blocks and turns that leave partial results, at the most, of a launch of so many blocks.
    static constexpr index_t most_members(index_t rows, index_t blocks, unsigned dim_y) {
        return rows / (longest_share * dim_y) + blocks + blocks / longest_share + 2;
    }
    /// Places for the columns of a step in what a block leaves, x of the rows' threads first.
    static FUSE_HD constexpr index_t slots(unsigned dim_x) { return static_cast<index_t>(N) * V * dim_x; }

#if FUSE_HAS_DEVICE_BODIES
    using Cache = typename Rows::Cache;

    /// steps: what the launch says of each.
    template <class B, class Steps>
    static FUSE_HD void walk(B& block, const Params<P>& p, const Steps& steps) {
        const index_t step = static_cast<index_t>(block.grid_x()) * block.dim_y();
        const index_t first = static_cast<index_t>(block.block_x()) * block.dim_y();
        index_t row = first + block.thread_y();
        EpilogueAccumulator<P, V, B> none;
        Cache all;
        Cache next{};
        const auto held_row = [&]() FUSE_INLINE_LAMBDA {
            return Held(p, row, block.thread_x(), block.dim_x(), row < p.kept_size);
        };
        const auto state_of_row = [&]() FUSE_INLINE_LAMBDA { return Rows::row_state(p, row < p.kept_size ? row : 0); };
        RowState<P> coming = state_of_row();
        Rows::template load<fixed>(all, p, coming, held_row());
        Rows::template load<early>(next, p, coming, held_row());
        const index_t turns = turns_of(p.kept_size, step);
        const index_t own_turns = turns_of(p.kept_size - first, step);
        const RepeatedCount size{p.walked_size};
        for (index_t turn = 0; turn < turns; turn += longest_share) {
            Tuple<Sums<C>...> sums{{Sums<C>()}...};
            const auto share = static_cast<int>(own_turns - turn < longest_share ? own_turns - turn : longest_share);
            const index_t member = turn / longest_share * block.grid_x() + block.block_x();
            for (int i = 0; i < share; ++i) {
                const RowState<P> state = coming;
                const index_t now = row;
                const Held held = held_row();
                Cache cache = next;
                Rows::template load<Rows::cached & ~early & ~fixed>(cache, p, state, held);
                row += step;
                coming = state_of_row();
                Rows::template load<early>(next, p, coming, held_row());
                Rows::template announce<varying & ~early>(p, coming, held_row());
                take_fixed(cache, all);
                const results_t<P> results =
                    Rows::one_row(block, p, NeverStretched{}, size, state, now, held, cache, none);
                static_for<sizeof...(C)>([&]<int I>() FUSE_INLINE_LAMBDA {
                    using One = at_t<type_list<C...>, I>;
                    add_row<One>(get<I>(sums), p, get<One::step>(steps).params, state, now, held, cache, results);
                });
            }
            static_for<sizeof...(C)>([&]<int I>() FUSE_INLINE_LAMBDA {
                using One = at_t<type_list<C...>, I>;
                leave<One>(block, get<I>(sums), get<One::step>(steps).params, vectors_of_lane(p, block.dim_x()),
                           member);
            });
        }
    }

    /// When all blocks have met. own: the block in a shape for each step. lanes: dim_x of the walk.
    template <class B, class Steps>
    static FUSE_HD void finish(B& block, const Params<P>& p, unsigned lanes, const Steps& steps) {
        const index_t step = static_cast<index_t>(block.grid_x()) * (block_threads(block) / lanes);
        const index_t members = (turns_of(p.kept_size, step) + longest_share - 1) / longest_share * block.grid_x();
        static_for<sizeof...(C)>([&]<int I>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<C...>, I>;
            const auto& s = get<One::step>(steps);
            block.shape(s.dim_x, s.dim_y);
            finish_columns<One>(block, s.params, lanes, vectors_of_lane(p, lanes), members);
        });
    }

private:
    template <class One>
    struct Sums {
        typename ItemFolds<typename One::product, V>::accumulator vector[N];
        FUSE_HD Sums() {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                vector[j] = ItemFolds<typename One::product, V>{}.init();
            }
        }
    };
    /// Loads in flight of a thread that folds what blocks have left.
    template <class One>
    static constexpr int batch = detail::limited(64 / sizeof(typename One::accumulator), 1, 8);

    /// The context of the rows, which knows what they write.
    struct Context : RowContext<P, V> {
        template <int O>
        using written = typename at_t<typename P::outputs, O>::expression;
    };

    /// Of the N vectors of a lane those that some lane has.
    static FUSE_HD int vectors_of_lane(const Params<P>& p, unsigned lanes) {
        return static_cast<int>((p.walked_size + lanes * V - 1) / (lanes * V));
    }
    static FUSE_HD index_t turns_of(index_t rows, index_t step) {
        return (rows + step - 1) / step;
    }

    static FUSE_HD void take_fixed(Cache& cache, const Cache& all) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (((fixed >> I) & 1U) != 0) {
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    get<I>(cache.items[j]) = get<I>(all.items[j]);
                    kept_packed(get<I>(cache.items[j]));
                }
            }
        });
    }

    template <class One>
    static FUSE_HD void add_row(Sums<One>& sums, const Params<P>& p, const Params<typename One::program>& columns,
                                const RowState<P>& state, index_t row, const Held& held, const Cache& cache,
                                const results_t<P>& results) {
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (held.inside(j)) {
                const auto own = detail::load_own<One, V>(columns, row, held.position(j));
                const Context rows{{p, state, cache.items[j], results}};
                const detail::BesideContext<One, Context, decltype(own)> context{rows, columns, own};
                FUSE_UNROLL
                for (int v = 0; v < V; ++v) {
                    typename One::product{}.accumulate(sums.vector[j].item[v], context, v, row);
                }
            }
        }
    }

    /// Neighbouring threads write to neighbouring places.
    template <class One, class B>
    static FUSE_HD void leave(B& block, const Sums<One>& sums, const Params<typename One::program>& columns,
                              int vectors, index_t member) {
        constexpr int W = folded<One>;
        auto* const to = static_cast<typename One::accumulator*>(columns.partials) + member * slots(block.dim_x()) +
                         block.thread_x();
        static_for<N * V / W>([&]<int I>() FUSE_INLINE_LAMBDA {
            if (I * W / V >= vectors) {
                return;
            }
            typename Folds<One>::accumulator part;
            FUSE_UNROLL
            for (int w = 0; w < W; ++w) {
                part.item[w] = sums.vector[(I * W + w) / V].item[(I * W + w) % V];
            }
            part = BlockYReduce(block, part, Folds<One>{}, OneThread{});
            if (block.thread_y() == 0) {
                FUSE_UNROLL
                for (int w = 0; w < W; ++w) {
                    to[static_cast<index_t>(I * W + w) * block.dim_x()] = part.item[w];
                }
            }
        });
    }

    template <class One, class B>
    static FUSE_HD void finish_columns(B& block, const Params<typename One::program>& columns, unsigned lanes,
                                       int vectors, index_t members) {
        using Q = typename One::program;
        using accumulator = typename One::accumulator;
        constexpr int loads = batch<One>;
        const typename One::product product;
        const index_t places = slots(lanes);
        const index_t used = static_cast<index_t>(vectors) * V * lanes;
        const Span span = thread_span<1, true>(0, members, block.thread_y(), block.dim_y());
        for (index_t first = static_cast<index_t>(block.block_x()) * block.dim_x(); first < used;
             first += static_cast<index_t>(block.grid_x()) * block.dim_x()) {
            const index_t place = first + block.thread_x() < used ? first + block.thread_x() : 0;
            const auto* const from = static_cast<const accumulator*>(columns.partials) + place;
            LongFold<typename One::product, B> fold;
            for (index_t m = span.first; m < span.end; m += loads) {
                accumulator part[loads];
                FUSE_UNROLL
                for (int i = 0; i < loads; ++i) {
                    part[i] = from[(m + i < span.end ? m + i : m) * places];
                }
                FUSE_UNROLL
                for (int i = 1; i < loads; ++i) {
                    const accumulator joined = product.combine(part[0], part[i]);
                    part[0] = m + i < span.end ? joined : part[0];
                }
                fold.push(part[0]);
            }
            accumulator total = fold.total();
            total = BlockYReduce(block, total, product, OneThread{});
            const index_t item = place / lanes;  // which of a thread's
            const index_t x = (item / V * lanes + place % lanes) * V + item % V;
            if (block.thread_y() == 0 && first + block.thread_x() < used && x < columns.x_size) {
                ColumnResults<Q, 1> results{};
                detail::project_columns<0, typename One::phase, Q, 1>({{total}}, columns, results);
                const ColumnState<Q, 1> state(columns, 0, x, 1, 1, true);
                const ColumnItems<Q, 1> none{};
                write_column<kir::Extent::kept, 1>(columns, ColumnContext<Q, 1>{columns, state, none, results}, 0);
            }
        }
    }
#endif
};

FUSE_END_NAMESPACE
