// SPDX-License-Identifier: Apache-2.0
//
// Folding of long sequences by one thread. Added one after the other, n floats lose up to n units in the last place;
// here a run of plain combinations ends after longest_run of them. On a device, where thousands of threads share the
// work, the runs of a thread are combined one after the other: longest_run + n / longest_run roundings for its n
// elements. One host thread folds what all of those share: there the runs are combined pairwise, partial number i with
// its neighbours like the carries of a binary counter, so rounding errors grow with log2 of the length (N. J. Higham,
// "The accuracy of floating point summation", SIAM J. Sci. Comput. 14, 1993). The order of the elements is kept.
#pragma once

#include <type_traits>

#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/span.hpp"

FUSE_BEGIN_NAMESPACE

/// Combinations that are made one after the other before the result is handed to the next level.
inline constexpr index_t longest_run = 64;

template <class R>
class PlainFold {
public:
    FUSE_HD void push(const typename R::accumulator& part) { total_ = R{}.combine(total_, part); }
    FUSE_HD typename R::accumulator total() const { return total_; }

private:
    typename R::accumulator total_ = R{}.init();
};

template <class R>
class PairwiseFold {
public:
    FUSE_HD void push(typename R::accumulator part) {
        int level = 0;
        for (std::uint64_t i = count_; level < top && (i & 1U) != 0; i >>= 1, ++level) {
            part = R{}.combine(level_[level], part);
        }
        level_[level] = level == top && (count_ >> top) != 0 ? R{}.combine(level_[top], part) : part;
        ++count_;
    }
    FUSE_HD bool any() const { return count_ != 0; }
    FUSE_HD typename R::accumulator total() const {
        typename R::accumulator sum = R{}.init();
        for (int level = 0; level <= top && (count_ >> level) != 0; ++level) {
            if (level == top || ((count_ >> level) & 1U) != 0) {
                sum = R{}.combine(level_[level], sum);
            }
        }
        return sum;
    }

private:
    /// 2^20 partials are combined pairwise, and more of such groups one after the other: these live on the stack of a
    /// host thread, in columns 64 accumulators each.
    static constexpr int top = 20;
    static constexpr int levels = top + 1;
    std::uint64_t count_ = 0;
    typename R::accumulator level_[levels];
};

/// What a thread of block model B combines runs with.
template <class R, class B>
using FoldOfRuns = std::conditional_t<lone_thread<B>, PairwiseFold<R>, PlainFold<R>>;

/// What it folds a sequence of accumulators with that come one by one: in runs.
template <class R, class B>
class LongFold {
public:
    FUSE_HD void push(const typename R::accumulator& part) {
        run_ = R{}.combine(run_, part);
        if (++count_ == longest_run) {
            runs_.push(run_);
            run_ = R{}.init();
            count_ = 0;
        }
    }
    FUSE_HD typename R::accumulator total() const { return R{}.combine(runs_.total(), run_); }

private:
    FoldOfRuns<R, B> runs_;
    typename R::accumulator run_ = R{}.init();
    int count_ = 0;
};

/// The fold of a sequence after each of its elements, in runs and runs of runs.
template <class R>
class RunningFold {
public:
    FUSE_HD typename R::accumulator through() const { return R{}.combine(R{}.combine(before_, runs_), run_); }
    FUSE_HD void push(const typename R::accumulator& part) {
        run_ = R{}.combine(run_, part);
        if (++count_ % longest_run == 0) {
            runs_ = R{}.combine(runs_, run_);
            run_ = R{}.init();
        }
        if (count_ % (longest_run * longest_run) == 0) {
            before_ = R{}.combine(before_, runs_);
            runs_ = R{}.init();
        }
    }

private:
    typename R::accumulator before_ = R{}.init();
    typename R::accumulator runs_ = R{}.init();
    typename R::accumulator run_ = R{}.init();
    index_t count_ = 0;
};

/// How much one thread folds. bounded: little, which the choice of a launch sees to (longest_share); any: perhaps a
/// whole row.
enum class FoldLength { bounded, any };
/// Turns of N steps that make a run; 0: all of them.
template <FoldLength L, int N>
inline constexpr int turns_of_run = L == FoldLength::bounded ? 0 : static_cast<int>(longest_run) / N;

/// fold(span) for the pieces of a span of a host thread, `steps` long, combined pairwise.
template <class R, class Fold>
FUSE_HD typename R::accumulator fold_in_pieces(const Span& span, index_t steps, Fold&& fold) {
    const index_t piece = steps * span.step;
    if (span.first + piece >= span.end) {
        return fold(span);
    }
    PairwiseFold<R> pieces;
    for (index_t first = span.first; first < span.end; first += piece) {
        pieces.push(fold(Span{first, span.step, first + piece < span.end ? first + piece : span.end}));
    }
    return pieces.total();
}

/// The accumulators of a sweep, one for each item, and what was folded of them: end_turn() after each step of the sweep
/// hands them over when a run is long enough. Steps: how many make a run, 0: all. Fold: from items to one such fold.
template <class Folds, class Runs, int Steps>
class SweepFold {
public:
    typename Folds::accumulator items = Folds{}.init();

    template <class Fold>
    FUSE_HD void end_turn(Fold&& fold) {
        if (++turns_ == Steps) {
            runs_.push(fold(items));
            items = Folds{}.init();
            turns_ = 0;
        }
    }
    /// Pushes what is left.
    template <class Fold>
    FUSE_HD auto total(Fold&& fold) {
        runs_.push(fold(items));
        return runs_.total();
    }

private:
    Runs runs_;
    int turns_ = 0;
};

/// A sweep that ends before its one run is too long.
template <class Folds, class Runs>
class SweepFold<Folds, Runs, 0> {
public:
    typename Folds::accumulator items = Folds{}.init();

    template <class Fold>
    FUSE_HD void end_turn(Fold&&) {}
    template <class Fold>
    FUSE_HD auto total(Fold&& fold) {
        return fold(items);
    }
};

FUSE_END_NAMESPACE
