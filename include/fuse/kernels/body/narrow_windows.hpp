// SPDX-License-Identifier: Apache-2.0
//
// Windows (lang/window.hpp) that 32 bits are enough for: where an index leads to takes a fourth of the instructions then. A
// kernel asks once for all windows of its program, and evaluates with items that say so.
#pragma once

#include "fuse/kernels/body/params.hpp"

FUSE_BEGIN_NAMESPACE

/// What a thread has of the leaves, where all windows are narrow.
template <class Items>
struct NarrowWindows : Items {
    static constexpr bool narrow_windows = true;
};

namespace detail {

template <class L>
inline constexpr bool is_window = false;
template <class T>
    requires requires {
        requires T::is_window;
    }
inline constexpr bool is_window<kir::ScalarLeaf<T>> = true;

template <class P>
inline constexpr bool has_windows =
    []<class... L>(type_list<L...>) { return (is_window<L> || ...); }(typename P::leaves{});

template <class P>
FUSE_HD bool all_windows_narrow(const Params<P>& p) {
    bool all = true;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (is_window<at_t<typename P::leaves, I>>) {
            all = all && get<I>(p.leaves).value.narrow;
        }
    });
    return all;
}

/// The functor of a call in a context: F, or what F is of narrow windows.
template <class F, class Context>
struct functor_in {
    using type = F;
};
template <class F, class Context>
    requires requires {
        typename F::narrow;
        requires Context::narrow_windows;
    }
struct functor_in<F, Context> {
    using type = typename F::narrow;
};

}  // namespace detail

FUSE_END_NAMESPACE
