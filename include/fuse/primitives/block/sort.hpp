// SPDX-License-Identifier: Apache-2.0
//
// Sort: a bitonic network over memory that the block shares, for any number of keys. Each merge begins with a mirrored
// step (position i of a run pairs with position i from its end) instead of sorting every other run backwards. All
// exchanges then move the larger key upwards, so keys that only pad the count to a power of two would never move:
// pairs that reach beyond the end are left out, and no padding is needed. A block of one thread takes the same steps, a few
// neighbouring pairs at a time, which compilers turn into vectors.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"
#include "fuse/primitives/thread/comparator.hpp"
#include "fuse/primitives/thread/pack.hpp"

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

/// The pairs of neighbours lower ... and upper ..., few_items of them; mirrored: the first of one with the last of the other.
template <bool Mirrored, class T, class Before>
FUSE_HD void exchange_few(T* lower, T* upper, const Before& before) {
    constexpr int last = few_items - 1;
    T a[few_items];
    T b[few_items];
    T first[few_items];
    T second[few_items];
    for (int k = 0; k < few_items; ++k) {
        a[k] = lower[k];
        b[k] = upper[Mirrored ? last - k : k];
    }
    for (int k = 0; k < few_items; ++k) {
        const bool swaps = before(b[k], a[k]);
        first[k] = swaps ? b[k] : a[k];
        second[k] = swaps ? a[k] : b[k];
    }
    for (int k = 0; k < few_items; ++k) {
        lower[k] = first[k];
        upper[k] = second[Mirrored ? last - k : k];
    }
}

/// One step of a block of one thread: runs of `run` keys, whose halves are compared.
template <bool Mirrored, class T, class Before>
FUSE_HD void sort_step_alone(T* keys, unsigned run, unsigned num, const Before& before) {
    const unsigned half = run / 2;
    const auto exchange = [&](unsigned i, unsigned j) FUSE_INLINE_LAMBDA {
        const T a = keys[i];
        const T b = keys[j];
        const bool swaps = before(b, a);
        keys[i] = swaps ? b : a;
        keys[j] = swaps ? a : b;
    };
    for (unsigned start = 0; start < num && half < num - start; start += run) {
        for (unsigned i = 0; i < half;) {
            const unsigned lower = start + i;
            const unsigned upper = Mirrored ? start + run - 1 - i : lower + half;
            const unsigned highest = Mirrored ? upper : upper + few_items - 1;
            if (i + few_items <= half && highest < num) {
                exchange_few<Mirrored>(keys + lower, keys + (Mirrored ? upper + 1 - few_items : upper), before);
                i += few_items;
            } else {
                if (upper < num) {
                    exchange(lower, upper);
                }
                ++i;
            }
        }
    }
}

template <class T, class Before>
FUSE_HD void sort_alone(T* keys, unsigned num, const Before& before) {
    for (unsigned sorted = 1; sorted < num; sorted *= 2) {
        sort_step_alone<true>(keys, 2 * sorted, num, before);
        for (unsigned run = sorted; run > 1; run /= 2) {
            sort_step_alone<false>(keys, run, num, before);
        }
    }
}

}  // namespace detail

/// Sorts keys[0 .. num) in place. The keys lie where the whole block sees them (scratch or global memory); num is the
/// same in all threads, any number up to 2^31, also more than the block has threads. `before` is a strict weak order,
/// Comparator<Descending>{} for instance. All threads must call; keys may be written right before the call and read
/// right after it. Equal keys end up in any order. With L = ceil(log2(num)) it takes L (L + 1) / 2 steps of num / 2
/// exchanges, with a barrier before the first step and one after each.
template <ThreadBlock B, class T, class Before = Comparator<>>
FUSE_HD void Sort(B& block, T* keys, unsigned num, Before before = {}) {
    if constexpr (B::warp_size == 1) {
        if (block_threads(block) == 1) {
            return detail::sort_alone(keys, num, before);
        }
    }
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
