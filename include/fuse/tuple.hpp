// SPDX-License-Identifier: Apache-2.0
//
// A flat aggregate tuple: trivially copyable when its elements are, usable in kernel parameters and in registers
// (std::tuple is neither, and what it asks of its elements was a seventh of what a test of many losses costs to
// compile). get<I> is a base-class conversion: no recursion, nothing to optimise away.
#pragma once

#include <utility>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

template <int I, class T>
struct Slot {
    T value;
};

template <class Sequence, class... T>
struct SlotTuple;
template <int... I, class... T>
struct SlotTuple<std::integer_sequence<int, I...>, T...> : Slot<I, T>... {};

template <class... T>
using Tuple = SlotTuple<std::make_integer_sequence<int, static_cast<int>(sizeof...(T))>, T...>;

template <int I, class T>
FUSE_HD constexpr T& get(Slot<I, T>& slot) {
    return slot.value;
}
template <int I, class T>
FUSE_HD constexpr const T& get(const Slot<I, T>& slot) {
    return slot.value;
}

namespace detail {

/// f(elements...).
template <int... I, class... T, class F>
constexpr decltype(auto) on_elements(const SlotTuple<std::integer_sequence<int, I...>, T...>& tuple, F&& f) {
    return f(get<I>(tuple)...);
}
template <int... I, class... T, class F>
constexpr decltype(auto) on_elements(SlotTuple<std::integer_sequence<int, I...>, T...>& tuple, F&& f) {
    return f(get<I>(tuple)...);
}

}  // namespace detail

FUSE_END_NAMESPACE
