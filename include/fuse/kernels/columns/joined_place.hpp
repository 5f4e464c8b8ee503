// SPDX-License-Identifier: Apache-2.0
//
// What a thread has of columns whose rows are joined (plan/joined_rows.hpp): a vector of each of its lines, and a part of one
// where the last line is cut off.
#pragma once

#include "fuse/kernels/columns/column_sweep.hpp"
#include "fuse/kernels/columns/column_writes.hpp"

#if FUSE_HAS_DEVICE_BODIES

FUSE_BEGIN_NAMESPACE

template <class P, int V>
class JoinedPlace {
public:
    /// Vector thread_x of the lines of member number `member` of so many, at index `kept` along the other kept axes.
    template <class B>
    FUSE_HD JoinedPlace(B& block, const Params<P>& p, index_t kept, index_t member, index_t members)
        : state_(p, kept, 0, 1, 1, true) {
        const auto columns = static_cast<unsigned>(p.x_size);
        const unsigned x = block.thread_x() * V;
        const index_t rows = block.dim_x() * V / columns;  // of a line
        state_.x = x;
        state_.left = V;
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using L = at_t<typename P::leaves, I>;
            if constexpr (L::walked) {
                get<I>(state_.leaf) += x;
            } else if constexpr (L::kept) {
                take_columns<I, L>(p, x, columns);
            }
        });
        static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (at_t<typename P::outputs, I>::extent != kir::Extent::once) {
                get<I>(state_.output) += x * get<I>(p.outputs).x;
            }
        });
        span_ = {member * rows, members * rows, p.walked_size - (x + V - 1) / columns};
        cut_ = span_.first;
        if (span_.first < span_.end) {
            cut_ += (span_.end - 1 - span_.first) / span_.step * span_.step + span_.step;
        }
        const index_t left = (p.walked_size - cut_) * p.x_size - x;
        left_ = left > 0 ? static_cast<int>(left) : 0;
    }

    /// The fold of a sweep over them. Writes: and writes the outputs of their elements.
    template <class Sweep, int N, FoldLength L, bool Writes, class B>
    FUSE_HD auto fold(const Params<P>& p, const ColumnResults<P, V>& results) const {
        using Ph = typename Sweep::phase;
        constexpr leaf_set read = Sweep::leaves | (Writes ? leaf_sets<P>::items : leaf_set{0});
        auto total =
            detail::fold_whole_column<Ph, read, N, L, ColumnLoads::lines, Writes, P, V, B>(p, state_, results, span_);
        if (left_ > 0) {
            const Product<Ph> product;
            ColumnItems<P, V> items;
            const ColumnState<P, V> state = of_cut_line();
            load_column<read, ColumnLoads::items, P, V>(items, p, state, cut_);
            const ColumnContext<P, V> context{p, state, items, results};
            for_items<V>(left_, [&](int v) FUSE_INLINE_LAMBDA {
                const index_t row = cut_ + (state.x + v) / p.x_size;
                total.item[v] = product.combine(total.item[v], product.leaf(context, v, row));
            });
            if constexpr (Writes) {
                write_column<kir::Extent::item, V>(p, context, cut_);
            }
        }
        return total;
    }

    /// Writes the outputs of their elements, the last ones first (shared_columns.hpp).
    template <int N>
    FUSE_HD void write(const Params<P>& p, const ColumnResults<P, V>& results) const {
        if (left_ > 0) {
            ColumnItems<P, V> items;
            const ColumnState<P, V> state = of_cut_line();
            load_column<leaf_sets<P>::items, ColumnLoads::items, P, V>(items, p, state, cut_);
            write_column<kir::Extent::item, V>(p, ColumnContext<P, V>{p, state, items, results}, cut_);
        }
        detail::write_backwards<N, ColumnLoads::lines>(p, state_, results, span_);
    }

    /// The state in which columns are finished: each once, in the first row of a line.
    FUSE_HD ColumnState<P, V> of_first_row(const Params<P>& p) const {
        ColumnState<P, V> state = state_;
        const index_t left = p.x_size - state.x;
        state.left = left >= V ? V : left > 0 ? static_cast<int>(left) : 0;
        return state;
    }

private:
    /// What differs from column to column alone, in the columns of the thread's lanes.
    template <int I, class L>
    FUSE_HD void take_columns(const Params<P>& p, unsigned x, unsigned columns) {
        const auto& operand = get<I>(p.leaves);
        auto& items = get<I>(state_.leaf).item;
        const auto first = items[0];
        FUSE_UNROLL
        for (unsigned v = 0; v < V; ++v) {
            const index_t along = (x + v) % columns * operand.x;
            if constexpr (kir::is_index<L>) {
                items[v] = first + along;
            } else {
                items[v] = operand.data[offset_by_size(p.kept, operand.kept, state_.kept, operand.kept_linear) + along];
            }
        }
    }
    FUSE_HD ColumnState<P, V> of_cut_line() const {
        ColumnState<P, V> state = state_;
        state.left = left_;
        return state;
    }

    ColumnState<P, V> state_;
    Span span_;
    index_t cut_;  ///< the row at which the line begins of which the thread has a part
    int left_;     ///< items of that part
};

FUSE_END_NAMESPACE

#endif
