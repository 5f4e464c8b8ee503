// SPDX-License-Identifier: Apache-2.0
//
// How a thread folds the vectors of a sweep: into an accumulator for each item of a vector, so that V independent chains
// are on their way; in an online phase into a single one, which takes several vectors as one group.
#pragma once

#include "fuse/kernels/body/online_product.hpp"

FUSE_BEGIN_NAMESPACE

template <class Ph, int V>
struct SweepItems {
    using product = Product<Ph>;
    using accumulator = typename ItemFolds<product, V>::accumulator;

    FUSE_HD accumulator init() const { return ItemFolds<product, V>{}.init(); }
    /// Takes in N vectors of V items, before any that has fewer: with(j, take) calls take(context, first) for vector j,
    /// whose first item is element number `first`.
    template <int N, class With>
    FUSE_HD void take(accumulator& a, const With& with) const {
        if constexpr (product::joins_runs) {
            FUSE_UNROLL
            for (int v = 0; v < V; ++v) {
                const auto shifted = [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                    with(j, [&](const auto& c, index_t first) FUSE_INLINE_LAMBDA { take(c, first + v); });
                };
                a.item[v] = product{}.combine(a.item[v], product{}.template of_run<N>(shifted, v));
            }
            product{}.count_alike(a.item);
        } else {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                with(j, [&](const auto& c, index_t first)
                            FUSE_INLINE_LAMBDA { product{}.accumulate_all(a.item, c, first); });
            }
        }
    }
    /// The first `left` items of a vector.
    template <class Context>
    FUSE_HD void take_some(accumulator& a, const Context& c, index_t first, index_t left) const {
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA { product{}.accumulate(a.item[v], c, v, first + v); });
    }
    FUSE_HD auto total(const accumulator& a) const { return ReduceLocal(a.item, product{}); }
};

/// Where the best of some vectors is looked for, one accumulator: the indices of others are not kept.
template <class Ph, int V>
    requires(V > 1 && detail::finds_positions<type_list<Ph>>)
struct SweepItems<Ph, V> {
    using product = Product<Ph>;
    using accumulator = typename product::accumulator;

    FUSE_HD accumulator init() const { return product{}.init(); }
    template <int N, class With>
    FUSE_HD void take(accumulator& a, const With& with) const {
        // So many that the best of them is mostly looked for once, and few enough that this is not most of the work.
        constexpr int together = V < 16 ? 16 / V : 1;
        static_for<(N + together - 1) / together>([&]<int I>() FUSE_INLINE_LAMBDA {
            constexpr int first = I * together;
            product{}.template append_vectors<(N - first < together ? N - first : together), V>(
                a, [&](int j, auto&& take) FUSE_INLINE_LAMBDA { with(first + j, take); });
        });
    }
    template <class Context>
    FUSE_HD void take_some(accumulator& a, const Context& c, index_t first, index_t left) const {
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA { product{}.accumulate(a, c, v, first + v); });
    }
    FUSE_HD auto total(const accumulator& a) const { return a; }
};

/// Whether a vector that is taken twice changes nothing.
template <class Items>
inline constexpr bool takes_again = false;
template <class Ph, int V>
    requires(V > 1 && detail::finds_positions<type_list<Ph>>)
inline constexpr bool takes_again<SweepItems<Ph, V>> = true;

/// Whether the vectors that are taken together wait for each other.
template <class Items>
inline constexpr bool takes_groups = false;

template <class Maxima, class Sums, int First, int V>
struct SweepItems<OnlinePhase<Maxima, Sums, First>, V> {
    using product = Product<OnlinePhase<Maxima, Sums, First>>;
    using accumulator = typename product::accumulator;

    FUSE_HD accumulator init() const { return product{}.init(); }
    template <int N, class With>
    FUSE_HD void take(accumulator& a, const With& with) const {
        const auto inside = [](int) FUSE_INLINE_LAMBDA { return true; };
        a = product{}.combine(a, product{}.template of_group<N, V>(with, inside));
    }
    template <class Context>
    FUSE_HD void take_some(accumulator& a, const Context& c, index_t first, index_t left) const {
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA { product{}.accumulate(a, c, v, first + v); });
    }
    FUSE_HD auto total(const accumulator& a) const { return a; }
};
template <class Maxima, class Sums, int First, int V>
inline constexpr bool takes_groups<SweepItems<OnlinePhase<Maxima, Sums, First>, V>> = true;

FUSE_END_NAMESPACE
