// SPDX-License-Identifier: Apache-2.0
//
// The name of the named<> expression in which something without a name is identified, for messages.
#pragma once

#include "fuse/lang/let.hpp"
#include "fuse/lang/name.hpp"
#include "fuse/plan/ir.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of an identity, or of a leaf that has it; null where none is known.
template <class Id>
inline constexpr const char* name_around = nullptr;
template <char... C>
inline constexpr const char* name_around<name<C...>> = name<C...>::text;
template <class Scope, int N>
inline constexpr const char* name_around<position_id<Scope, N>> = name_around<Scope>;
template <class Id, int I>
inline constexpr const char* name_around<operand_id<Id, I>> = name_around<Id>;
template <class Id, class T, std::uint64_t Axes>
inline constexpr const char* name_around<ir::Leaf<Id, T, Axes>> = name_around<Id>;
template <class Id, class T>
inline constexpr const char* name_around<ir::Scalar<Id, T>> = name_around<Id>;

}  // namespace detail

FUSE_END_NAMESPACE
