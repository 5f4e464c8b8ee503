// SPDX-License-Identifier: Apache-2.0
//
// The order in which Sort puts keys. Floating point is not totally ordered, and a comparison that is false both ways
// makes a sort scatter the keys around a NaN; as in NumPy, NaN comes last here, whatever the direction.
#pragma once

#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Direction of a Comparator.
struct Ascending {};
struct Descending {};

template <class T>
FUSE_HD constexpr void Swap(T& a, T& b) {
    const T before = a;
    a = b;
    b = before;
}

namespace detail {

// The 16-bit floating-point types compare as floats. Other classes have no NaN and need operator< alone.
template <class T>
inline constexpr bool may_be_nan = std::is_floating_point_v<T> ||
                                   (std::is_class_v<T> && std::is_convertible_v<T, float>);

template <class T>
FUSE_HD constexpr bool is_nan_key(const T& key) {
    if constexpr (may_be_nan<T>) {
        return key != key;
    } else {
        return false;
    }
}

}  // namespace detail

/// Whether key a stands strictly before key b: the smaller first (Descending: the larger), NaN after all others in
/// either direction. NaNs are equal to each other, and so are -0 and +0. T needs operator<.
template <class Direction = Ascending>
struct Comparator {
    template <class T>
    FUSE_HD constexpr bool operator()(const T& a, const T& b) const {
        constexpr bool ascending = std::is_same_v<Direction, Ascending>;
        static_assert(ascending || std::is_same_v<Direction, Descending>);
        const bool before = ascending ? a < b : b < a;  // false when either is NaN
        return before || (detail::is_nan_key(b) && !detail::is_nan_key(a));
    }
};

/// The same for (key, index) pairs: equal keys stand in the order of their indices, which makes any sort stable.
/// `Before` is a Comparator or any other strict weak order.
template <class Before = Comparator<>>
struct ComparatorWithIndex {
    Before before{};

    template <class T, class Index>
    FUSE_HD constexpr bool operator()(const T& a, Index index_a, const T& b, Index index_b) const {
        return before(a, b) || (!before(b, a) && index_a < index_b);
    }
};

FUSE_END_NAMESPACE
