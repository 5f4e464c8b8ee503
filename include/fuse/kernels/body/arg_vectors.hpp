// SPDX-License-Identifier: Apache-2.0
//
// How a host thread takes vectors for argmax and argmin. R: the reduction op, whose accumulators these become. The
// elements of a reduction come in the order of their indices, so the first of equals stays.
#pragma once

#include <cstdint>

#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of a row: most vectors have nothing that beats what was found before, which takes one comparison of all their items.
/// Where one does, the same is asked of each few of them.
template <class R, int V>
class ArgRowVectors {
    using T = typename R::value_type;

public:
    FUSE_HD void take(const T (&items)[V], index_t first, index_t left) {
        constexpr int few = V < 8 ? V : 8;
        if (left < V) {
            take_each(items, 0, static_cast<int>(left), first);
        } else if (any_beats<V>(items, 0)) {
            for (int v = 0; v < V; v += few) {
                if (any_beats<few>(items, v)) {
                    take_each(items, v, v + few, first);
                }
            }
        }
    }
    FUSE_HD typename R::accumulator total() const { return best_; }

private:
    template <int N>
    FUSE_HD bool any_beats(const T (&items)[V], int from) const {
        const T best = best_.value;
        // What the identity does not beat may be an element all the same.
        int count = best_.index() == R{}.init().index() ? 1 : 0;
        for (int v = 0; v < N; ++v) {
            count += R::beats(items[from + v], best) ? 1 : 0;
        }
        return count != 0;
    }
    FUSE_HD void take_each(const T (&items)[V], int from, int end, index_t first) {
        for (int v = from; v < end; ++v) {
            best_ = R{}.reduce(best_, items[v], first + v);
        }
    }

    typename R::accumulator best_ = R{}.init();
};

/// Of columns, whose values and positions lie side by side. Positions are 32-bit numbers from the first row on: of a run
/// there are few.
template <class R, int V>
class ArgColumnVectors {
    using T = typename R::value_type;

public:
    FUSE_HD ArgColumnVectors() {
        for (int v = 0; v < V; ++v) {
            value_[v] = R{}.init().value;
            position_[v] = none;
        }
    }
    FUSE_HD void take(const T (&items)[V], index_t row, index_t left) {
        base_ = base_ < 0 ? row : base_;
        const auto position = static_cast<std::int32_t>(row - base_);
        for_items<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
            const T x = items[v];
            // Of the first element a comparison with the identity may say nothing.
            const int first = static_cast<int>(position_[v] == none) & static_cast<int>(!R::ignores_nan || x == x);
            const bool wins = (static_cast<int>(R::beats(x, value_[v])) | first) != 0;
            value_[v] = wins ? x : value_[v];
            position_[v] = wins ? position : position_[v];
        });
    }
    FUSE_HD typename R::accumulator lane(int v) const {
        return position_[v] == none ? R{}.init() : R::accumulator::at(value_[v], base_ + position_[v]);
    }

private:
    static constexpr std::int32_t none = -1;

    T value_[V];
    std::int32_t position_[V];
    index_t base_ = -1;
};

}  // namespace detail

FUSE_END_NAMESPACE
