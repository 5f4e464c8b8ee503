// SPDX-License-Identifier: Apache-2.0
//
// Sort: a bitonic network over memory that the block shares, for any number of keys. Each merge begins with a mirrored
// step (position i of a run pairs with position i from its end) instead of sorting every other run backwards. All
// exchanges then move the larger key upwards, so keys that only pad the count to a power of two would never move:
// pairs that reach beyond the end are left out, and no padding is needed.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"
#include "fuse/primitives/thread/comparator.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

// The pairs of one step, numbered 0, 1, ...: lower(pair) < upper(pair). `run` is a power of two from 2 on.

/// Positions i and run - 1 - i of every run.
struct MirroredStep {
    unsigned run;

    FUSE_HD constexpr unsigned lower(unsigned pair) const { return pair + (pair & ~(run / 2 - 1)); }
    FUSE_HD constexpr unsigned upper(unsigned pair) const { return lower(pair) ^ (run - 1); }
};

/// Positions i and i + run / 2 of every run.
struct StridedStep {
    unsigned run;

    FUSE_HD constexpr unsigned lower(unsigned pair) const { return pair + (pair & ~(run / 2 - 1)); }
    FUSE_HD constexpr unsigned upper(unsigned pair) const { return lower(pair) + run / 2; }
};

template <ThreadBlock B, class Step, class Exchange>
FUSE_HD void sort_step(B& block, Step step, unsigned num, const Exchange& exchange) {
    const unsigned threads = block_threads(block);
    for (unsigned pair = linear_thread(block); step.lower(pair) < num; pair += threads) {
        const unsigned upper = step.upper(pair);
        if (upper < num) {
            exchange(step.lower(pair), upper);
        }
    }
    block.sync();
}

/// exchange(i, j) with i < j puts two keys in order.
template <ThreadBlock B, class Exchange>
FUSE_HD void sort_network(B& block, unsigned num, const Exchange& exchange) {
    block.sync();
    for (unsigned sorted = 1; sorted < num; sorted *= 2) {
        sort_step(block, MirroredStep{2 * sorted}, num, exchange);
        for (unsigned run = sorted; run > 1; run /= 2) {
            sort_step(block, StridedStep{run}, num, exchange);
        }
    }
}

template <class T, class Before>
struct ExchangeKeys {
    T* keys;
    Before before;

    FUSE_HD void operator()(unsigned i, unsigned j) const {
        if (before(keys[j], keys[i])) {
            Swap(keys[i], keys[j]);
        }
    }
};

template <class T, class Index, class Before>
struct ExchangePairs {
    T* keys;
    Index* indices;
    ComparatorWithIndex<Before> before;

    FUSE_HD void operator()(unsigned i, unsigned j) const {
        if (before(keys[j], indices[j], keys[i], indices[i])) {
            Swap(keys[i], keys[j]);
            Swap(indices[i], indices[j]);
        }
    }
};

}  // namespace detail

/// Sorts keys[0 .. num) in place. The keys lie where the whole block sees them (scratch or global memory); num is the
/// same in all threads, any number up to 2^31, also more than the block has threads. `before` is a strict weak order,
/// Comparator<Descending>{} for instance. All threads must call; keys may be written right before the call and read
/// right after it. Equal keys end up in any order. With L = ceil(log2(num)) it takes L (L + 1) / 2 steps of num / 2
/// exchanges, with a barrier before the first step and one after each.
template <ThreadBlock B, class T, class Before = Comparator<>>
FUSE_HD void Sort(B& block, T* keys, unsigned num, Before before = {}) {
    detail::sort_network(block, num, detail::ExchangeKeys<T, Before>{keys, before});
}

/// Sorts the pairs (keys[i], indices[i]); among equal keys the smaller index comes first. With indices 0, 1, 2, ... the
/// sort is stable, and they become the permutation that sorts. The rest as above.
template <ThreadBlock B, class T, class Index, class Before = Comparator<>>
requires std::is_integral_v<Index> FUSE_HD void Sort(B& block, T* keys, Index* indices, unsigned num,
                                                     Before before = {}) {
    detail::sort_network(block, num, detail::ExchangePairs<T, Index, Before>{keys, indices, {before}});
}

FUSE_END_NAMESPACE
