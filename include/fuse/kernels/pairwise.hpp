// SPDX-License-Identifier: Apache-2.0
//
// Pairwise folding of a long sequence of partial results: partial number i is combined with its neighbours like the
// carries of a binary counter, so rounding errors grow with log2 of the length and the order is kept
// (N. J. Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14, 1993). One host thread folds
// what thousands of device threads share, so the host kernels need it and the device kernels do not.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Elements that one host thread folds plainly before it hands a partial result over.
inline constexpr index_t pairwise_items = 8192;

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

FUSE_END_NAMESPACE
