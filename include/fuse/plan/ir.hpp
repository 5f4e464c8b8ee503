// SPDX-License-Identifier: Apache-2.0
//
// The intermediate form of an expression: types only, no data. Two nodes are the same value exactly if their types
// are equal, because a leaf carries its identity (name, or position when unnamed) and its axes in the domain.
#pragma once

#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

/// Identity of an unnamed leaf or a functor with state: its position, counted from the statement set or from the
/// enclosing named<> node.
template <class Scope, int N>
struct anonymous_id {};
struct stateless_id {};
/// Scope of everything outside named<>.
struct root_scope {};

namespace ir {

/// Memory leaf of storage type T; Axes is a packed AxisMap.
template <class Id, class T, std::uint64_t Axes>
struct Leaf {};
template <class Id, class T>
struct Scalar {};
template <class T, long Num, long Den>
struct Constant {};
/// The coordinate along a domain axis.
template <int Axis>
struct Index {};
template <class F, class Id, class... Args>
struct Call {};
/// Reduction R (a reduction_t) of E over the domain axes in Mask.
template <class R, class E, std::uint32_t Mask>
struct Red {};

}  // namespace ir

FUSE_END_NAMESPACE
