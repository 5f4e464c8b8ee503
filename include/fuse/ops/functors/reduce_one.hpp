// SPDX-License-Identifier: Apache-2.0
//
// Reductions that have nothing to sweep, as functors: of one element, and of none.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// A reduction of one element: of a scalar, or along axes of extent 1.
template <class R>
struct ReduceOne {
    static constexpr const char* name = R::name;
    FUSE_HD constexpr auto operator()(typename R::value_type v) const { return R{}.project(R{}.leaf(v, 0), 1); }
};
/// A reduction of no element: what an exclusive scan begins with.
template <class R>
struct ReduceNone {
    static constexpr const char* name = R::name;
    FUSE_HD constexpr auto operator()(typename R::value_type) const { return R{}.project(R{}.init(), 0); }
};

FUSE_END_NAMESPACE
