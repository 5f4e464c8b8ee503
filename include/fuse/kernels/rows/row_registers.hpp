// SPDX-License-Identifier: Apache-2.0
//
// Registers that items of a row need, for launch bounds: 32-bit words.
#pragma once

#include "fuse/plan/leaf_sets.hpp"

FUSE_BEGIN_NAMESPACE

template <class P>
struct RowRegisters {
    using sizes = detail::leaf_sizes<typename P::leaves>;

    /// One item of each leaf in a set, as computed with.
    static constexpr int item(leaf_set set) { return sum(set, sizes::computed, 1, 0); }
    /// V items of each as they lie in memory.
    template <int V>
    static constexpr int stored(leaf_set set) {
        return sum(set, sizes::stored, V, 0);
    }
    /// The same with an address.
    template <int V>
    static constexpr int passing(leaf_set set) {
        return sum(set, sizes::stored, V, 3);
    }

private:
    static constexpr int sum(leaf_set set, const int* bytes, int items, int address) {
        int n = 0;
        for (int i = 0; i < P::leaves::size; ++i) {
            n += ((set >> i) & 1U) != 0 ? (items * bytes[i] + 3) / 4 + address : 0;
        }
        return n;
    }
};

FUSE_END_NAMESPACE
