// SPDX-License-Identifier: Apache-2.0
//
// How a host thread folds a row chunk by chunk into one accumulator. Numbers are folded as trees (tree_lanes.hpp).
// argmax and its kin have a way of their own (chunk_position.hpp).
// Accumulators of a class are lanes of their own, and what does not commute is folded one by one.
#pragma once

#include "fuse/kernels/body/chunk_position.hpp"
#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/row_views.hpp"
#include "fuse/kernels/body/tree_lanes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Folds a chunk after the other: take(c, first, left) the first `left` items of a context, of which the first is element
/// number `first`.
template <class One>
class ChunkTree {
    using R = typename One::reduction_op;
    using Lanes = ValueLanes<R, R>;

public:
    static constexpr index_t longest = 2 * longest_run * Lanes::step;

    template <class Context>
    FUSE_HD void take(const Context& c, index_t first, int left) {
        const auto leaf = [&](int v) FUSE_INLINE_LAMBDA {
            return R{}.leaf(Evaluate<typename One::expression>::at(c, v), first + v);
        };
        int v = lanes_.take(leaf, left);
        if (v + few_items <= left) {
            typename R::accumulator few[few_items];
            FUSE_LANES
            for (int k = 0; k < few_items; ++k) {
                few[k] = leaf(v + k);
            }
            rest_ = R{}.combine(rest_, fold_halves<few_items>(few, R{}));
            v += few_items;
        }
        for (; v < left; ++v) {
            rest_ = R{}.combine(rest_, leaf(v));
        }
    }
    FUSE_HD typename R::accumulator total() { return lanes_.any() ? R{}.combine(lanes_.total(), rest_) : rest_; }

private:
    Lanes lanes_;
    typename R::accumulator rest_ = R{}.init();
};

/// One accumulator, of what does not commute or is in one place of a row. Pieces that change nothing are passed over.
template <class One>
class ChunkPick {
    using R = typename One::reduction_op;

public:
    static constexpr index_t longest = R::commutative ? longest_piece : 2 * longest_run;

    template <class Context>
    FUSE_HD void take(const Context& c, index_t first, int left) {
        for (int v = 0; v < left; v += piece) {
            const int end = left - v < piece ? left : v + piece;
            if constexpr (passes_over_vectors<R>) {
                if (R{}.passes_over(Evaluate<typename One::expression>::at(c, v), first + v, end - v)) {
                    continue;
                }
            }
            for (int k = v; k < end; ++k) {
                total_ = R{}.reduce(total_, Evaluate<typename One::expression>::at(c, k), first + k);
            }
        }
    }
    FUSE_HD typename R::accumulator total() const { return total_; }

private:
    static constexpr int piece = 16;

    typename R::accumulator total_ = R{}.init();
};

/// Lanes of accumulators of a class: of whole vectors, and fewer for what is left.
template <class One>
class ChunkLanes {
    using R = typename One::reduction_op;
    static constexpr int lanes = 32;

public:
    static constexpr index_t longest = 2 * longest_run * lanes;

    FUSE_HD ChunkLanes() {
        for (int l = 0; l < few_items; ++l) {
            few_[l] = R{}.init();
        }
    }
    template <class Context>
    FUSE_HD void take(const Context& c, index_t first, int left) {
        int v = 0;
        for (; v + lanes <= left; v += lanes) {
            if (!any_) {
                for (int l = 0; l < lanes; ++l) {
                    item_[l] = R{}.init();
                }
                any_ = true;
            }
            for (int l = 0; l < lanes; ++l) {
                join(item_[l], c, v + l, first);
            }
        }
        for (; v + few_items <= left; v += few_items) {
            for (int l = 0; l < few_items; ++l) {
                join(few_[l], c, v + l, first);
            }
        }
        for (int l = 0; v < left; ++l, ++v) {
            join(few_[l], c, v, first);
        }
    }
    FUSE_HD typename R::accumulator total() {
        const auto rest = fold_halves<few_items>(few_, R{});
        return any_ ? R{}.combine(fold_halves<lanes>(item_, R{}), rest) : rest;
    }

private:
    template <class Context>
    static FUSE_HD void join(typename R::accumulator& a, const Context& c, int v, index_t first) {
        a = R{}.combine(a, R{}.leaf(Evaluate<typename One::expression>::at(c, v), first + v));
    }

    typename R::accumulator item_[lanes];
    typename R::accumulator few_[few_items];
    bool any_ = false;
};

/// Deviations: of a chunk, which lies in the cache, in two sweeps, the second from its mean.
template <class One>
class ChunkDeviations {
    using R = typename One::reduction_op;
    using A = typename R::value_type;

public:
    static constexpr index_t longest = longest_piece;

    template <class Context>
    FUSE_HD void take(const Context& c, index_t, int left) {
        A items[chunk_items];
        for_items<chunk_items>(
            left, [&](int v) FUSE_INLINE_LAMBDA { items[v] = Evaluate<typename One::expression>::at(c, v); });
        const A origin = items[0];
        const A count = static_cast<A>(left);
        const A mean = sum(left, [&](int v) FUSE_INLINE_LAMBDA { return items[v] - origin; }) / count;
        const A squares = sum(left, [&](int v) FUSE_INLINE_LAMBDA {
            const A deviation = (items[v] - origin) - mean;
            return deviation * deviation;
        });
        total_ = R{}.combine(total_, {count, origin, mean, squares});
    }
    FUSE_HD typename R::accumulator total() const { return total_; }

private:
    template <class Leaf>
    static FUSE_HD A sum(int left, const Leaf& leaf) {
        TreeLanes<SumReduction<A>, false> lanes;
        int v = lanes.take(leaf, left);
        A rest = 0;
        for (; v < left; ++v) {
            rest += leaf(v);
        }
        return lanes.any() ? lanes.total() + rest : rest;
    }

    typename R::accumulator total_ = R{}.init();
};

template <class One>
struct chunk_fold {
    using R = typename One::reduction_op;
    using type = std::conditional_t<
        !R::commutative || passes_over_vectors<R>, ChunkPick<One>,
        std::conditional_t<std::is_class_v<typename R::accumulator>, ChunkLanes<One>, ChunkTree<One>>>;
};
template <class One>
    requires finds_position<One>
struct chunk_fold<One> {
    using type = ChunkPosition<One>;
};
template <class One>
    requires(folds_runs<typename One::reduction_op>)
struct chunk_fold<One> {
    using type = ChunkDeviations<One>;
};

}  // namespace detail

/// Folds the reductions of a phase.
template <class Ph>
class ChunkFolds;
template <class... R>
class ChunkFolds<Phase<R...>> {
public:
    /// Elements that are folded before the result joins others.
    static constexpr index_t longest = [] {
        index_t least = detail::longest_piece;
        ((least = detail::chunk_fold<R>::type::longest < least ? detail::chunk_fold<R>::type::longest : least), ...);
        return least;
    }();

    template <class Context>
    FUSE_HD void take(const Context& c, index_t first, int left) {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA { get<J>(folds_).take(c, first, left); });
    }
    FUSE_HD typename Product<Phase<R...>>::accumulator total() {
        typename Product<Phase<R...>>::accumulator result;
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA { get<J>(result) = get<J>(folds_).total(); });
        return result;
    }

private:
    Tuple<typename detail::chunk_fold<R>::type...> folds_;
};

FUSE_END_NAMESPACE
