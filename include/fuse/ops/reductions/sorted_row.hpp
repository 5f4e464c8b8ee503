// SPDX-License-Identifier: Apache-2.0
//
// A sort as a reduction op: to the planner a sort is a scan, whose kernel it names.
#pragma once

#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// What a sort leaves of each row of elements of type T: the keys, or their positions. Elements are never merged, so of
/// a reduction it has only the types.
template <class T, bool Largest, bool Positions>
struct SortedRow {
    using value_type = T;
    using accumulator = T;
    using result = std::conditional_t<Positions, index_t, T>;
    static constexpr const char* name = Positions ? "argsort" : "sort";
    static constexpr bool commutative = true;
    static constexpr bool has_index = false;
    static constexpr bool has_identity = true;
    static constexpr bool largest_first = Largest;
    static constexpr bool positions = Positions;
};

template <bool Largest, bool Positions>
struct SortOp {
    template <class T, class = void>
    using reduction_op = SortedRow<T, Largest, Positions>;
};

FUSE_END_NAMESPACE
