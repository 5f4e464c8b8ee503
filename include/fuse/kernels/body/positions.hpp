// SPDX-License-Identifier: Apache-2.0
//
// Coordinates along the one axis of a row, which count its elements, and their comparison with something else: a causal
// mask, a one-hot target. A coordinate has 64 bits, so that each comparison would take two instructions and each sum two
// more; the distance from the first of a vector has 32 bits, and to compare it with a constant takes one.
#pragma once

#include <cstdint>

#include "fuse/plan/program.hpp"
#include "fuse/primitives/thread/init.hpp"

FUSE_BEGIN_NAMESPACE

template <class E>
struct Evaluate;

/// Consecutive positions, from `first` on.
struct Positioned {
    index_t first;  ///< >= 0
};
FUSE_HD index_t unpack(const Positioned& p, int v) {
    return p.first + v;
}
/// Of a row along one axis from item k on.
template <class Path>
FUSE_HD void InitWithDataIndex(Positioned& out, index_t first, const Path&, index_t k) {
    out.first = first + k;
}

namespace detail {

/// Whether an expression has the same value for all items of a vector.
template <class E, class Context>
inline constexpr bool same_for_all = true;  // results of reductions, constants
template <int I, class Context>
inline constexpr bool same_for_all<kir::Leaf<I>, Context> = Context::template same_leaf<I>;
template <class F, int Slot, class... Args, class Context>
inline constexpr bool same_for_all<kir::Call<F, Slot, Args...>, Context> = (same_for_all<Args, Context> && ...);

/// A comparison by value, not in a type of its own.
template <class F>
concept Compares = requires {
    requires F::compares;
};

/// A number with which v + 1 compares as position first + v does with `other`, whatever that is: one more than how far it
/// lies behind the first, or the nearest number without a sign.
FUSE_HD unsigned behind(index_t first, index_t other) {
    constexpr index_t most = INT64_MAX - 1;
    const index_t end = other < 0 ? 0 : (other < most ? other : most) + 1;  // the same for all vectors of a row
    const index_t distance = end - first;
    const auto upper = static_cast<int>(distance >> 32);
    return upper == 0 ? static_cast<unsigned>(distance) : ~static_cast<unsigned>(upper >> 31);
}

template <class T>
inline constexpr bool is_position_like = std::is_integral_v<T> && (std::is_signed_v<T> || sizeof(T) < sizeof(index_t));

/// Leaf number I is a position in a context that knows it by the first of a vector.
template <class Context, class E>
inline constexpr bool is_positioned = false;
template <class Context, int I>
    requires requires {
        Context::template positioned<I>;
    }
inline constexpr bool is_positioned<Context, kir::Leaf<I>> = Context::template positioned<I>;

/// Whether a call compares a position with a number that all items share.
template <class Context, class Call>
inline constexpr bool compares_position = false;
template <class Context, class F, int Slot, class A, class B>
    requires Compares<F>
inline constexpr bool compares_position<Context, kir::Call<F, Slot, A, B>> = [] {
    if constexpr (is_positioned<Context, A> && !is_positioned<Context, B>) {
        return same_for_all<B, Context> &&
               is_position_like<decltype(Evaluate<B>::at(std::declval<const Context&>(), 0))>;
    } else if constexpr (is_positioned<Context, B> && !is_positioned<Context, A>) {
        return same_for_all<A, Context> &&
               is_position_like<decltype(Evaluate<A>::at(std::declval<const Context&>(), 0))>;
    } else {
        return false;
    }
}();

template <class Call>
struct ComparePosition;
template <class F, int Slot, class A, class B>
struct ComparePosition<kir::Call<F, Slot, A, B>> {
    template <class Context>
    static FUSE_HD bool at(const Context& c, int v) {
        const auto item = static_cast<unsigned>(v) + 1;
        if constexpr (is_positioned<Context, A>) {
            return F{}(item, behind(first(c, A{}), static_cast<index_t>(Evaluate<B>::at(c, v))));
        } else {
            return F{}(behind(first(c, B{}), static_cast<index_t>(Evaluate<A>::at(c, v))), item);
        }
    }

private:
    template <class Context, int I>
    static FUSE_HD index_t first(const Context& c, kir::Leaf<I>) {
        return c.template position<I>();
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
