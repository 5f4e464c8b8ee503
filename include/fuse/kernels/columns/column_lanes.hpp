// SPDX-License-Identifier: Apache-2.0
//
// How a host thread folds V columns side by side: column v of every row joins lane v. The lanes of one reduction lie
// apart from those of others, so that the loop over them is one over arrays. Of numbers several rows are joined first: a
// lane waits once for all of them.
#pragma once

#include <cstdint>

#include "fuse/kernels/body/product.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class One, int V>
class ColumnLanes {
    using R = typename One::reduction_op;
    using A = typename R::accumulator;

public:
    FUSE_HD ColumnLanes() {
        for (int v = 0; v < V; ++v) {
            item_[v] = R{}.init();
        }
    }
    /// The first `left` columns of N rows, one context each, of which the first is row number `row`.
    template <int N, class Context>
    FUSE_HD void take(const Context (&c)[N], index_t row, index_t left) {
        // Compilers make branches of a tree of selects.
        if constexpr (N > 1 && !std::is_class_v<A> && R::commutative && R::has_identity && !passes_over_vectors<R>) {
            for_items<V>(left,
                         [&](int v) FUSE_INLINE_LAMBDA { item_[v] = R{}.combine(item_[v], tree<0, N>(c, v, row)); });
        } else {
            for (int k = 0; k < N; ++k) {
                for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA { take_one(c[k], v, row + k); });
            }
        }
    }
    FUSE_HD A lane(int v) const { return item_[v]; }

private:
    template <int First, int N, class Context>
    static FUSE_HD A tree(const Context* c, int v, index_t row) {
        if constexpr (N == 1) {
            return R{}.leaf(Evaluate<typename One::expression>::at(c[First], v), row + First);
        } else {
            return R{}.combine(tree<First, N / 2>(c, v, row), tree<First + N / 2, N / 2>(c, v, row));
        }
    }
    template <class Context>
    FUSE_HD void take_one(const Context& c, int v, index_t row) {
        const auto x = Evaluate<typename One::expression>::at(c, v);
        // As SweepItems does it, to the same bits.
        if constexpr (std::is_class_v<A> && !passes_over_vectors<R>) {
            item_[v] = R{}.combine(item_[v], R{}.leaf(x, row));
        } else {
            item_[v] = R{}.reduce(item_[v], x, row);
        }
    }

    A item_[V];
};

/// argmax and its kin: values and positions lie side by side. Positions are 32-bit numbers from the first row on: of a run
/// there are few.
template <class One, int V>
    requires detail::finds_position<One>
class ColumnLanes<One, V> {
    using R = typename One::reduction_op;
    using T = typename R::value_type;

public:
    FUSE_HD ColumnLanes() {
        for (int v = 0; v < V; ++v) {
            value_[v] = R{}.init().value;
            position_[v] = none;
        }
    }
    template <int N, class Context>
    FUSE_HD void take(const Context (&c)[N], index_t row, index_t left) {
        base_ = base_ < 0 ? row : base_;
        for (int k = 0; k < N; ++k) {
            T items[V];
            for_items<V>(left,
                         [&](int v) FUSE_INLINE_LAMBDA { items[v] = Evaluate<typename One::expression>::at(c[k], v); });
            take_row(items, static_cast<std::int32_t>(row + k - base_), left);
        }
    }
    FUSE_HD typename R::accumulator lane(int v) const {
        return position_[v] == none ? R{}.init() : R::accumulator::at(value_[v], base_ + position_[v]);
    }

private:
    static constexpr std::int32_t none = -1;

    FUSE_HD void take_row(const T (&items)[V], std::int32_t position, index_t left) {
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
            const T x = items[v];
            // Of the first element a comparison with the identity may say nothing.
            const int first = static_cast<int>(position_[v] == none) & static_cast<int>(!R::ignores_nan || x == x);
            const bool wins = (static_cast<int>(R::beats(x, value_[v])) | first) != 0;
            value_[v] = wins ? x : value_[v];
            position_[v] = wins ? position : position_[v];
        });
    }

    T value_[V];
    std::int32_t position_[V];
    index_t base_ = -1;
};

/// Runs of rows are folded at once, and all lanes have as many elements, which are counted once.
template <class One, int V>
    requires(folds_runs<typename One::reduction_op>)
class ColumnLanes<One, V> {
    using R = typename One::reduction_op;
    using A = typename R::value_type;

public:
    FUSE_HD ColumnLanes() {
        for (int v = 0; v < V; ++v) {
            origin_[v] = mean_[v] = squares_[v] = 0;
        }
    }
    template <int N, class Context>
    FUSE_HD void take(const Context (&c)[N], index_t, index_t left) {
        take(c, left, std::make_integer_sequence<int, N>{});
    }
    FUSE_HD typename R::accumulator lane(int v) const { return {count_, origin_[v], mean_[v], squares_[v]}; }

private:
    template <int N, class Context, int... K>
    FUSE_HD void take(const Context (&c)[N], index_t left, std::integer_sequence<int, K...>) {
        // Copies: what an operand points to might be these lanes.
        A items[N][V];
        (for_items<V>(left,
                      [&](int v) FUSE_INLINE_LAMBDA { items[K][v] = Evaluate<typename One::expression>::at(c[K], v); }),
         ...);
        const A count = count_ + A(N);
        const A share = count_ / count;
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
            const A run[] = {items[K][v]...};
            const auto both = R::joined(lane(v), R{}.of_run(run), count, share);
            origin_[v] = both.origin;
            mean_[v] = both.mean;
            squares_[v] = both.squares;
        });
        count_ = count;
    }

    A origin_[V];
    A mean_[V];
    A squares_[V];
    A count_ = 0;
};

}  // namespace detail

/// Folds the reductions of a phase.
template <class Ph, int V>
class ColumnFolds;
template <class... R, int V>
class ColumnFolds<Phase<R...>, V> {
public:
    using accumulator = typename ItemFolds<Product<Phase<R...>>, V>::accumulator;

    template <int N, class Context>
    FUSE_HD void take(const Context (&c)[N], index_t row, index_t left) {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA { get<J>(lanes_).take(c, row, left); });
    }
    FUSE_HD accumulator total() const {
        accumulator result;
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA {
            for (int v = 0; v < V; ++v) {
                get<J>(result.item[v]) = get<J>(lanes_).lane(v);
            }
        });
        return result;
    }

private:
    Tuple<detail::ColumnLanes<R, V>...> lanes_;
};

FUSE_END_NAMESPACE
