// SPDX-License-Identifier: Apache-2.0
//
// How a host thread folds argmax and its kin chunk by chunk: it looks for the best value first, and for its place only where
// that beats what was found before.
#pragma once

#include "fuse/kernels/body/row_views.hpp"
#include "fuse/kernels/body/tree_lanes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The better of two values, as an op. What is ignored has become the identity.
template <class R>
struct BetterValue {
    using accumulator = typename R::value_type;

    FUSE_HD accumulator init() const { return R{}.init().value; }
    FUSE_HD accumulator combine(accumulator a, accumulator b) const { return R::better(a, b); }
};

template <class One>
class ChunkPosition {
    using R = typename One::reduction_op;
    using T = typename R::value_type;

public:
    static constexpr index_t longest = longest_piece;

    template <class Context>
    FUSE_HD void take(const Context& c, index_t first, int left) {
        T copied[chunk_items];
        const T* items = copied;
        using Place = items_in_place<typename One::expression>;
        if constexpr (requires {
                          { Place::at(c) } -> std::same_as<const T*>;
                      }) {
            items = Place::at(c);
        } else {
            for_items<chunk_items>(
                left, [&](int v) FUSE_INLINE_LAMBDA { copied[v] = Evaluate<typename One::expression>::at(c, v); });
        }
        take_items(items, first, left);
    }
    FUSE_HD typename R::accumulator total() const { return best_; }

private:
    FUSE_HD void take_items(const T* items, index_t first, int left) {
        ValueLanes<R, BetterValue<R>> lanes;
        const int whole = lanes.take([&](int v) FUSE_INLINE_LAMBDA { return R{}.leaf(items[v], 0).value; }, left);
        if (whole > 0) {
            const T best = lanes.total();
            // What the identity does not beat may be an element all the same.
            if (R::beats(best, best_.value) || best_.index() == R{}.init().index()) {
                const int place = best == best ? find(items, whole, [best](T x) { return x == best; })
                                               : find(items, whole, [](T x) { return x != x; });
                if (place < whole) {
                    best_ = R{}.append(best_, R{}.leaf(items[place], first + place));
                }
            }
        }
        for (int v = whole; v < left; ++v) {
            best_ = R{}.reduce(best_, items[v], first + v);
        }
    }
    /// The first of n items that is one, of whole vectors; n if none is.
    template <class IsOne>
    static FUSE_HD int find(const T* items, int n, const IsOne& is_one) {
        constexpr int many = 64;
        int v = 0;
        for (; v + many <= n; v += many) {
            int first = many;
            for (int k = 0; k < many; ++k) {
                const int here = is_one(items[v + k]) ? k : many;
                first = here < first ? here : first;
            }
            if (first < many) {
                return v + first;
            }
        }
        // Of the rest all: where a branch would end the search nobody can foretell.
        int lane[tree_lanes];
        for (int k = 0; k < tree_lanes; ++k) {
            lane[k] = n;
        }
        for (; v < n; v += tree_lanes) {
            FUSE_LANES
            for (int k = 0; k < tree_lanes; ++k) {
                const int here = is_one(items[v + k]) ? v + k : n;
                lane[k] = here < lane[k] ? here : lane[k];
            }
        }
        int first = n;
        FUSE_LANES
        for (int k = 0; k < tree_lanes; ++k) {
            first = lane[k] < first ? lane[k] : first;
        }
        return first;
    }

    typename R::accumulator best_ = R{}.init();
};

}  // namespace detail

FUSE_END_NAMESPACE
