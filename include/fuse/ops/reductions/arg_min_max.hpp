// SPDX-License-Identifier: Apache-2.0
//
// The index of the largest or smallest element. The order of two candidates is total (NaN before every
// number, equal values by index), so the winner is the same whatever the order of merging. The identity loses
// every tie because its index is larger than any other.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"

#include <type_traits>

FUSE_BEGIN_NAMESPACE

/// A value and where it was found.
template <class T>
struct ValueIndex {
    T value;
    index_t index;
};

namespace detail {

inline constexpr index_t no_index = limits<index_t>::max;

template <class Derived, class T, bool largest, bool ignore_nan>
struct ArgExtremumReduction : BasicReduction<Derived, T, ValueIndex<T>, index_t> {
    static_assert(Arithmetic<T>, "fuse: argmax and argmin are defined for numbers");
    using A = ValueIndex<T>;
    static constexpr bool has_index = true;
    static constexpr bool has_identity = false;

    FUSE_HD constexpr A init() const { return {largest ? limits<T>::least : limits<T>::greatest, no_index}; }

    FUSE_HD constexpr A leaf(T v, index_t i) const {
        if constexpr (ignore_nan) {
            const A none = init();
            return {is_nan(v) ? none.value : v, is_nan(v) ? none.index : i};
        } else {
            return {v, i};
        }
    }

    FUSE_HD constexpr A combine(A a, A b) const {
        const bool a_nan = is_nan(a.value);
        const bool b_nan = is_nan(b.value);
        const bool beyond = largest ? b.value > a.value : b.value < a.value;
        // Without short-circuits: these are selects on both sides, where branches would diverge or
        // mispredict.
        const bool wins = static_cast<bool>(beyond | (b_nan & !a_nan));
        const bool ties = static_cast<bool>((b.value == a.value) | (a_nan & b_nan));
        const bool take_b = static_cast<bool>(wins | (ties & (b.index < a.index)));
        return {take_b ? b.value : a.value, take_b ? b.index : a.index};
    }

    /// -1 when every element is an ignored NaN.
    FUSE_HD constexpr index_t project(A a, index_t) const { return a.index == no_index ? index_t{-1} : a.index; }
};

}  // namespace detail

template <class T, class Acc = void>
struct ArgMaxReduction : detail::ArgExtremumReduction<ArgMaxReduction<T, Acc>, T, true, false> {
    static constexpr const char* name = "argmax";
};
template <class T, class Acc = void>
struct ArgMinReduction : detail::ArgExtremumReduction<ArgMinReduction<T, Acc>, T, false, false> {
    static constexpr const char* name = "argmin";
};
template <class T, class Acc = void>
struct ArgMaxIgnoreNanReduction : detail::ArgExtremumReduction<ArgMaxIgnoreNanReduction<T, Acc>, T, true, true> {
    static constexpr const char* name = "nanargmax";
};
template <class T, class Acc = void>
struct ArgMinIgnoreNanReduction : detail::ArgExtremumReduction<ArgMinIgnoreNanReduction<T, Acc>, T, false, true> {
    static constexpr const char* name = "nanargmin";
};

/// Index of the largest element: the first NaN if there is one, else the lowest index of the maximum.
struct ArgMax {
    static constexpr const char* name = "argmax";
    template <class T, class Acc = void>
    using reduction_op = ArgMaxReduction<T, Acc>;
};

/// Index of the smallest element: the first NaN if there is one, else the lowest index of the minimum.
struct ArgMin {
    static constexpr const char* name = "argmin";
    template <class T, class Acc = void>
    using reduction_op = ArgMinReduction<T, Acc>;
};

/// Index of the largest element that is not NaN, -1 if there is none.
struct ArgMaxIgnoreNan {
    static constexpr const char* name = "nanargmax";
    template <class T, class Acc = void>
    using reduction_op = ArgMaxIgnoreNanReduction<T, Acc>;
};

/// Index of the smallest element that is not NaN, -1 if there is none.
struct ArgMinIgnoreNan {
    static constexpr const char* name = "nanargmin";
    template <class T, class Acc = void>
    using reduction_op = ArgMinIgnoreNanReduction<T, Acc>;
};

FUSE_END_NAMESPACE
