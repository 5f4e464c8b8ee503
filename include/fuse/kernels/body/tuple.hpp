// SPDX-License-Identifier: Apache-2.0
//
// Tuples of what kernels keep of each of their leaves, and loops over them.
#pragma once

#include <utility>

#include "fuse/plan/type_list.hpp"
#include "fuse/tuple.hpp"

FUSE_BEGIN_NAMESPACE

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
    // Most have few, and a lambda that unpacks them is one function more for each caller.
    if constexpr (N >= 1) {
        f.template operator()<0>();
    }
    if constexpr (N >= 2) {
        f.template operator()<1>();
    }
    if constexpr (N >= 3) {
        f.template operator()<2>();
    }
    if constexpr (N > 3) {
        [&]<int... I>(std::integer_sequence<int, I...>) FUSE_INLINE_LAMBDA {
            (f.template operator()<3 + I>(), ...);
        }
        (std::make_integer_sequence<int, N - 3>{});
    }
}

FUSE_END_NAMESPACE
