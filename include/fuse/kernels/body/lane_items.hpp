// SPDX-License-Identifier: Apache-2.0
//
// How a host thread folds the vectors of a sweep. Item v of every vector joins lane v, which is a chain of its own; the
// lanes of one reduction lie side by side, apart from those of others, so that the loop over the items of a vector is one
// over arrays. argmax and its kin take whole vectors in their own way.
#pragma once

#include "fuse/kernels/body/arg_vectors.hpp"
#include "fuse/kernels/body/product.hpp"

FUSE_BEGIN_NAMESPACE

/// Whether the items of a vector follow each other in one reduction, or belong to one each.
enum class VectorAlong { row, columns };

namespace detail {

template <class R, int V>
struct PlainLanes {
    typename R::accumulator item[V];

    FUSE_HD PlainLanes() {
        for (int v = 0; v < V; ++v) {
            item[v] = R{}.init();
        }
    }
    FUSE_HD void take_one(int v, typename R::value_type x, index_t index) {
        // As SweepItems does it, to the same bits.
        if constexpr (std::is_class_v<typename R::accumulator> && !passes_over_vectors<R>) {
            item[v] = R{}.combine(item[v], R{}.leaf(x, index));
        } else {
            item[v] = R{}.reduce(item[v], x, index);
        }
    }
    FUSE_HD typename R::accumulator lane(int v) const { return item[v]; }
    FUSE_HD typename R::accumulator total() {
        if constexpr (R::commutative) {
            return fold_halves<V>(item, R{});
        } else {
            return ReduceLocal(item, R{});
        }
    }
};

template <class R, int V, VectorAlong Of>
struct lanes_of {
    using type = PlainLanes<R, V>;
};
template <class R, int V>
    requires(R::finds_position)
struct lanes_of<R, V, VectorAlong::row> {
    using type = ArgRowVectors<R, V>;
};
template <class R, int V>
    requires(R::finds_position)
struct lanes_of<R, V, VectorAlong::columns> {
    using type = ArgColumnVectors<R, V>;
};

template <class L>
inline constexpr bool plain_lanes = false;
template <class R, int V>
inline constexpr bool plain_lanes<PlainLanes<R, V>> = true;

}  // namespace detail

template <class Ph, int V, VectorAlong Of>
struct LaneItems;
template <class... R, int V, VectorAlong Of>
struct LaneItems<Phase<R...>, V, Of> {
    using product = Product<Phase<R...>>;
    using accumulator = Tuple<typename detail::lanes_of<typename R::reduction_op, V, Of>::type...>;

    FUSE_HD accumulator init() const { return {}; }

    /// The first `left` items of a vector, whose first item is element number `first`.
    template <class Context>
    FUSE_HD void take_some(accumulator& a, const Context& c, index_t first, index_t left) const {
        if constexpr ((detail::plain_lanes<typename detail::lanes_of<typename R::reduction_op, V, Of>::type> || ...)) {
            for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
                each([&]<int J, class One, class Lanes>() FUSE_INLINE_LAMBDA {
                    if constexpr (detail::plain_lanes<Lanes>) {
                        get<J>(a).take_one(v, Evaluate<typename One::expression>::at(c, v),
                                           first + (Of == VectorAlong::row ? v : 0));
                    }
                });
            });
        }
        each([&]<int J, class One, class Lanes>() FUSE_INLINE_LAMBDA {
            if constexpr (!detail::plain_lanes<Lanes>) {
                typename One::reduction_op::value_type items[V];
                for_items<V>(left, [&](int v)
                                       FUSE_INLINE_LAMBDA { items[v] = Evaluate<typename One::expression>::at(c, v); });
                get<J>(a).take(items, first, left);
            }
        });
    }
    /// Of columns: each of them.
    FUSE_HD typename ItemFolds<product, V>::accumulator items(const accumulator& a) const {
        typename ItemFolds<product, V>::accumulator result;
        each([&]<int J, class, class>() FUSE_INLINE_LAMBDA {
            for (int v = 0; v < V; ++v) {
                get<J>(result.item[v]) = get<J>(a).lane(v);
            }
        });
        return result;
    }
    /// Of a row: all of it. The lanes are used up.
    FUSE_HD typename product::accumulator total(accumulator& a) const {
        typename product::accumulator result;
        each([&]<int J, class, class>() FUSE_INLINE_LAMBDA { get<J>(result) = get<J>(a).total(); });
        return result;
    }

private:
    template <class F>
    static FUSE_HD void each(F&& f) {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA {
            using One = at_t<type_list<R...>, J>;
            f.template operator()<J, One, typename detail::lanes_of<typename One::reduction_op, V, Of>::type>();
        });
    }
};

FUSE_END_NAMESPACE
