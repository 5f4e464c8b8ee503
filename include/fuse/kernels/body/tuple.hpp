// SPDX-License-Identifier: Apache-2.0
//
// A flat aggregate tuple: trivially copyable when its elements are, usable in kernel parameters and in registers
// (std::tuple is neither). get<I> is a base-class conversion: no recursion, nothing to optimise away.
#pragma once

#include <utility>

#include "fuse/plan/type_list.hpp"

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

/// What a tuple holds for an element that has nothing to keep.
struct Nothing {};

/// Tuple<Trait<T>...> for a type_list<T...>.
template <class List, template <class> class Trait>
struct map_tuple;
template <class... T, template <class> class Trait>
struct map_tuple<type_list<T...>, Trait> {
    using type = Tuple<typename Trait<T>::type...>;
};

/// Calls `f.template operator()<I>()` for I = 0 .. N-1, unrolled.
template <int N, class F>
FUSE_HD void static_for(F&& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) FUSE_INLINE_LAMBDA {
        (f.template operator()<I>(), ...);
    }
    (std::make_integer_sequence<int, N>{});
}

FUSE_END_NAMESPACE
