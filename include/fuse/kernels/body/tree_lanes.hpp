// SPDX-License-Identifier: Apache-2.0
//
// How a host thread folds numbers side by side: a tree of vectors joins lanes that it carries from chunk to chunk of a row,
// so that no lane waits for the one before more than a few times in a chunk.
#pragma once

#include "fuse/kernels/body/product.hpp"

FUSE_BEGIN_NAMESPACE

/// Elements of a chunk.
inline constexpr int chunk_items = 1024;

namespace detail {

/// Elements that are folded before the result joins others: so many that few of them are joined, of sums so few that no
/// lane makes more than 2 * longest_run combinations one after the other.
inline constexpr index_t longest_piece = 16 * chunk_items;

/// Items of a vector.
inline constexpr int tree_lanes = 16;

/// N vectors of leaves as one, from item v on, lane by lane: leaf(v) is an accumulator.
template <class R, int N, class Leaf>
FUSE_HD typename R::accumulator tree_of(const Leaf& leaf, int v) {
    if constexpr (N == 1) {
        return leaf(v);
    } else {
        return R{}.combine(tree_of<R, N / 2>(leaf, v), tree_of<R, N / 2>(leaf, v + N / 2 * tree_lanes));
    }
}

/// Lanes of an op whose accumulators are numbers. Selects: it takes one of two, of which compilers make branches in a tree
/// that is higher.
template <class R, bool Selects>
class TreeLanes {
    static constexpr int lanes = tree_lanes;
    static constexpr int vectors = Selects ? 4 : 8;

public:
    using accumulator = typename R::accumulator;
    /// Leaves that cost a lane one combination.
    static constexpr int step = vectors * lanes;

    /// Takes in as many of `left` leaves as are whole vectors, and says how many that were.
    template <class Leaf>
    FUSE_HD int take(const Leaf& leaf, int left) {
        int v = 0;
        // Short rows are many: lanes that take nothing are not set up.
        if (left >= lanes && !any_) {
            any_ = true;
            v = start(leaf, left);
        }
        for (; v + step <= left; v += step) {
            FUSE_LANES
            for (int l = 0; l < lanes; ++l) {
                item_[l] = R{}.combine(item_[l], tree_of<R, vectors>(leaf, v + l));
            }
        }
        for (; v + lanes <= left; v += lanes) {
            FUSE_LANES
            for (int l = 0; l < lanes; ++l) {
                item_[l] = R{}.combine(item_[l], leaf(v + l));
            }
        }
        return v;
    }
    /// Whether there is a total.
    FUSE_HD bool any() const { return any_; }
    /// The lanes are used up.
    FUSE_HD accumulator total() { return fold_halves<lanes>(item_, R{}); }

private:
    /// The first leaves as lanes, and how many those were. The identity, or a copy of a vector, would be stored in pieces, for
    /// which the next load of the vector would have to wait.
    template <class Leaf>
    FUSE_HD int start(const Leaf& leaf, int left) {
        if (left >= step) {
            FUSE_LANES
            for (int l = 0; l < lanes; ++l) {
                item_[l] = tree_of<R, vectors>(leaf, l);
            }
            return step;
        }
        if (left >= 2 * lanes) {
            FUSE_LANES
            for (int l = 0; l < lanes; ++l) {
                item_[l] = tree_of<R, 2>(leaf, l);
            }
            return 2 * lanes;
        }
        FUSE_LANES
        for (int l = 0; l < lanes; ++l) {
            item_[l] = leaf(l);
        }
        return lanes;
    }

    accumulator item_[lanes];
    bool any_ = false;
};

template <class R>
struct keys_of {
    using type = void;
};
template <class R>
    requires requires {
        typename R::keys;
    }
struct keys_of<R> {
    using type = typename R::keys;
};

/// Lanes of the values of an op R that op Value folds, or of their keys.
template <class R, class Value, class Keys = typename keys_of<R>::type>
struct ValueLanes {
    static constexpr int step = TreeLanes<Keys, false>::step;

    template <class Leaf>
    FUSE_HD int take(const Leaf& leaf, int left) {
        return keys_.take([&](int v) FUSE_INLINE_LAMBDA { return Keys::key(leaf(v)); }, left);
    }
    FUSE_HD bool any() const { return keys_.any(); }
    FUSE_HD auto total() { return Keys::value(keys_.total()); }

private:
    TreeLanes<Keys, false> keys_;
};
template <class R, class Value>
struct ValueLanes<R, Value, void> : TreeLanes<Value, !R::has_identity> {};

}  // namespace detail

FUSE_END_NAMESPACE
