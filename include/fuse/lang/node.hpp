// SPDX-License-Identifier: Apache-2.0
//
// What every expression node has in common. A node is a small host object captured by value; it has
//   static constexpr int rank;       number of axes (0 for a scalar)
//   using value_type;                type of one element, as functors see it (fp16 and bf16 are already float)
//   static constexpr int anonymous;  leaves and functors below it whose identity is their position (see plan/lower.hpp)
//   static constexpr bool counts;    index<> stands in it, not in the operand of a reduction inside
#pragma once

#include <concepts>
#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Base of all nodes.
struct node_base {
    static constexpr bool counts = false;
};

template <class T>
concept Expression = std::derived_from<std::remove_cvref_t<T>, node_base>;

template <Expression E>
inline constexpr int rank_v = std::remove_cvref_t<E>::rank;

template <Expression E>
using value_t = typename std::remove_cvref_t<E>::value_type;

/// A plain number or bool in an expression: becomes a run-time scalar leaf.
template <class T>
concept Number = std::is_arithmetic_v<std::remove_cvref_t<T>>;

FUSE_END_NAMESPACE
