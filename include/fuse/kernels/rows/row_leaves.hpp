// SPDX-License-Identifier: Apache-2.0
//
// Leaves that a kernel of rows treats in a way of their own. Most have none: void, as kernels have this in their names, and
// the longer these are, the longer they take to compile.
#pragma once

#include "fuse/plan/leaf_sets.hpp"

FUSE_BEGIN_NAMESPACE

/// Held: leaves that are held for somebody else (kernels/steps/one_pass.hpp). Splat: those of which a whole vector has one
/// element.
template <leaf_set Held, leaf_set Splat>
struct RowLeaves;

namespace detail {

template <class Special>
inline constexpr leaf_set held_beside = 0;
template <leaf_set Held, leaf_set Splat>
inline constexpr leaf_set held_beside<RowLeaves<Held, Splat>> = Held;

template <class Special>
inline constexpr leaf_set splat_leaves = 0;
template <leaf_set Held, leaf_set Splat>
inline constexpr leaf_set splat_leaves<RowLeaves<Held, Splat>> = Splat;

}  // namespace detail

FUSE_END_NAMESPACE
