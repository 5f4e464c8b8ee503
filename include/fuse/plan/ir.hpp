// SPDX-License-Identifier: Apache-2.0
//
// The intermediate form of an expression: types only, no data. Two nodes are the same value exactly if their types
// are equal, because a leaf carries its identity (name, or position when unnamed) and its axes in the domain.
#pragma once

#include "fuse/lang/identity.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace ir {

/// Memory leaf of storage type T; Axes is a packed AxisMap.
template <class Id, class T, std::uint64_t Axes>
struct Leaf {};
template <class L>
inline constexpr std::uint64_t leaf_axes = 0;
template <class Id, class T, std::uint64_t Axes>
inline constexpr std::uint64_t leaf_axes<Leaf<Id, T, Axes>> = Axes;
template <class Id, class T>
struct Scalar {};
template <class T, long Num, long Den>
struct Constant {};
/// The coordinate along a domain axis, in an operand whose extent there is that of Leaves, a list of Leaf: always 0
/// where all of them have extent 1 and the domain stretches them. Without Leaves: in the domain.
template <int Axis, class Leaves>
struct Index {};
/// The coordinate along an axis of the output of statement number Statement, which a scalar expression fills.
template <int Statement, int Axis>
struct OutputIndex {};
/// The row-major position in an operand with axes Axes (a packed AxisMap), whose extent along each is that of the list of
/// Leaf of that axis.
template <std::uint64_t Axes, class... Leaves>
struct FlatIndex {};
/// The same in the output of statement number Statement.
template <int Statement>
struct OutputFlatIndex {};
/// The offset in memory that a Leaf which is a window has along the domain axes in Mask.
template <class Leaf, std::uint32_t Mask>
struct PlainOffset {};
template <class F, class Id, class... Args>
struct Call {};
/// The reduction of E by R (a reduction_op_t) over the domain axes in Mask, along each of which E varies.
template <class R, class E, std::uint32_t Mask>
struct Reduction {};

}  // namespace ir

namespace detail {

/// Whether a leaf of the intermediate form is what is called Id.
template <class Id, class Leaf>
inline constexpr bool has_identity = false;
template <class Id, class T, std::uint64_t Axes>
inline constexpr bool has_identity<Id, ir::Leaf<Id, T, Axes>> = true;
template <class Id, class T>
inline constexpr bool has_identity<Id, ir::Scalar<Id, T>> = true;

}  // namespace detail

FUSE_END_NAMESPACE
