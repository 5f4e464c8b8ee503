// SPDX-License-Identifier: Apache-2.0
//
// Running<R, Exclusive, Reverse>: what a scan does with a reduction op.
#pragma once

#include "fuse/ops/reductions/reduction.hpp"

FUSE_BEGIN_NAMESPACE

/// A reduction op of which every intermediate result is wanted.
template <class R, bool Exclusive, bool Reverse>
struct Running : R {
    static constexpr bool exclusive = Exclusive;
    static constexpr bool reverse = Reverse;  ///< from the last element to the first
};
template <class R>
inline constexpr bool is_running = false;
template <class R, bool Exclusive, bool Reverse>
inline constexpr bool is_running<Running<R, Exclusive, Reverse>> = true;
template <class R>
inline constexpr bool runs_backwards = false;
template <class R, bool Exclusive>
inline constexpr bool runs_backwards<Running<R, Exclusive, true>> = true;

FUSE_END_NAMESPACE
