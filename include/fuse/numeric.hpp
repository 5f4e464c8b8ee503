// SPDX-License-Identifier: Apache-2.0
//
// The few integer helpers that the planner needs. <algorithm> would add a tenth of a second to every file that
// includes the library; compile time is one of its promises.
#pragma once

#include <utility>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class T>
constexpr T largest(T value) {
    return value;
}
template <class T, class... Rest>
constexpr T largest(T first, T second, Rest... rest) {
    return largest(first < second ? second : first, rest...);
}

template <class T>
constexpr T smallest(T first, T second) {
    return second < first ? second : first;
}

/// value limited to [low, high]; low wins when they cross.
constexpr index_t limited(index_t value, index_t low, index_t high) {
    return value < low ? low : value > high ? (high < low ? low : high) : value;
}

/// Lock for sections of a few microseconds (<mutex> costs a fifth of a second to include).
class SpinLock {
public:
    class Guard {
    public:
        explicit Guard(SpinLock& lock) : lock_(lock) {
            while (!lock_.try_lock()) {
            }
        }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;
        ~Guard() { lock_.unlock(); }

    private:
        SpinLock& lock_;
    };

    /// Takes it if nobody has it.
    bool try_lock() { return !__atomic_test_and_set(&taken_, __ATOMIC_ACQUIRE); }
    void unlock() { __atomic_clear(&taken_, __ATOMIC_RELEASE); }

private:
    bool taken_ = false;
};

}  // namespace detail

FUSE_END_NAMESPACE
