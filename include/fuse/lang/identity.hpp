// SPDX-License-Identifier: Apache-2.0
//
// What identifies that which has no name: its position. Unnamed views, run-time numbers and functors with state are
// numbered in the order in which they stand, from the beginning of the statements or from where a node says.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Number N, counted from Scope.
template <class Scope, int N>
struct position_id {};
/// A functor without state is identified by its type.
struct stateless_id {};

/// A scope is what positions count from, `identity`, and the scope around it, `outer`. This is the outermost one.
struct root_scope {
    using identity = root_scope;
};

/// Where a node stands: Number positions have been taken in Scope before it.
template <class Scope, int Number>
struct position {
    using scope = Scope;
    static constexpr int number = Number;
    using id = position_id<typename Scope::identity, Number>;
    /// The position after N more.
    template <int N>
    using after = position<Scope, Number + N>;
};

/// How many positions the first N of these nodes take.
template <int N, class... E>
inline constexpr int positions_before = [] {
    constexpr int count[] = {E::positions..., 0};
    int before = 0;
    for (int i = 0; i < N; ++i) {
        before += count[i];
    }
    return before;
}();

FUSE_END_NAMESPACE
