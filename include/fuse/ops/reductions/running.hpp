// SPDX-License-Identifier: Apache-2.0
//
// Running<R, Exclusive>: what a scan does with a reduction op.
#pragma once

#include "fuse/ops/reductions/reduction.hpp"

FUSE_BEGIN_NAMESPACE

/// A reduction op of which every intermediate result is wanted.
template <class R, bool Exclusive>
struct Running : R {
    static constexpr bool exclusive = Exclusive;
};
template <class R>
inline constexpr bool is_running = false;
template <class R, bool Exclusive>
inline constexpr bool is_running<Running<R, Exclusive>> = true;

FUSE_END_NAMESPACE
