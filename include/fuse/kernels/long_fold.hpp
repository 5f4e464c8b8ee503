// SPDX-License-Identifier: Apache-2.0
//
// Folding of long sequences by one thread. Added one after the other, n floats lose up to n units in the last place; here
// no run of plain combinations is longer than longest_run. On a device, where thousands of threads share the work, two levels
// of runs are enough (n / longest_run^2 combinations in the second, for n up to billions a few hundred). One host thread
// folds what all of those share: there the runs are combined pairwise, partial number i with its neighbours like the carries
// of a binary counter, so rounding errors grow with log2 of the length (N. J. Higham, "The accuracy of floating point
// summation", SIAM J. Sci. Comput. 14, 1993). The order of the elements is kept.
#pragma once

#include "fuse/config.hpp"

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
        for (std::uint64_t i = count_++; (i & 1U) != 0; i >>= 1, ++level) {
            part = R{}.combine(level_[level], part);
        }
        level_[level] = part;
    }
    FUSE_HD typename R::accumulator total() const {
        typename R::accumulator sum = R{}.init();
        for (int level = 0; (count_ >> level) != 0; ++level) {
            if (((count_ >> level) & 1U) != 0) {
                sum = R{}.combine(level_[level], sum);
            }
        }
        return sum;
    }

  private:
    static constexpr int levels = 52;
    std::uint64_t count_ = 0;
    typename R::accumulator level_[levels];
};

/// What a thread of block model B folds sequences of accumulators with.
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
    std::conditional_t<B::warp_size == 1, PairwiseFold<R>, PlainFold<R>> runs_;
    typename R::accumulator run_ = R{}.init();
    int count_ = 0;
};

FUSE_END_NAMESPACE
