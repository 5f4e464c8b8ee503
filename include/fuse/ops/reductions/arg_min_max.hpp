// SPDX-License-Identifier: Apache-2.0
//
// The index of the largest or smallest element. The order of two candidates is total (NaN before every
// number, equal values by index), so the winner is the same whatever the order of merging. The identity loses
// every tie. Elements that come in the order of their indices need no look at these: the first of equals stays.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/min_max.hpp"
#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"
#include "fuse/ops/types/float_keys.hpp"

#include <cstdint>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

/// A value and where it was found. The index is kept as two words: between a float and 64 bits there would be a gap,
/// which shuffles and messages would carry along.
template <class T>
struct ValueIndex {
    T value;
    std::uint32_t low;
    std::uint32_t high;

    FUSE_HD static constexpr ValueIndex at(T v, index_t i) {
        const auto bits = static_cast<std::uint64_t>(i);
        return {v, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
    }
    FUSE_HD constexpr std::uint64_t index() const { return std::uint64_t{high} << 32 | low; }
};

namespace detail {

/// Of the identity: behind all others where indices are compared as unsigned numbers.
inline constexpr index_t no_index = -1;
/// Its upper word, which no other index has.
inline constexpr std::uint32_t identity_high = 0xffffffffU;

template <class Derived, class T, bool largest, bool ignore_nan>
struct ArgExtremumReduction : BasicReduction<Derived, T, ValueIndex<T>, index_t> {
    using A = ValueIndex<T>;
    static constexpr bool has_index = true;
    static constexpr bool has_identity = false;
    /// It is one of these.
    static constexpr bool finds_position = true;
    static constexpr bool ignores_nan = ignore_nan;
    /// That of the values alone.
    using of_values =
        std::conditional_t<largest, std::conditional_t<ignore_nan, MaxIgnoreNanReduction<T>, MaxReduction<T>>,
                           std::conditional_t<ignore_nan, MinIgnoreNanReduction<T>, MinReduction<T>>>;
    /// Of the values; what is ignored has become the identity.
    using keys = extremum_keys_t<T, largest>;

    FUSE_HD constexpr A init() const { return A::at(largest ? limits<T>::least : limits<T>::greatest, no_index); }

    FUSE_HD constexpr A leaf(T v, index_t i) const {
        if constexpr (ignore_nan) {
            const bool none = is_nan(v);
            return A::at(none ? init().value : v, none ? no_index : i);
        } else {
            return A::at(v, i);
        }
    }

    /// Selects, not branches, here and below: those would diverge on a device and be mispredicted elsewhere.
    FUSE_HD constexpr A combine(A a, A b) const {
        const bool wins = beats(b.value, a.value);
        const bool loses = beats(a.value, b.value);
        const bool earlier = b.index() < a.index();
        return choose(static_cast<bool>(wins | (!loses & earlier)), a, b);
    }
    FUSE_HD constexpr A append(A a, A b) const {
        const bool wins = beats(b.value, a.value);
        const bool first = a.high == identity_high;
        return choose(static_cast<bool>(wins | first), a, b);
    }
    FUSE_HD constexpr A reduce(A a, T v, index_t i) const { return append(a, leaf(v, i)); }
    /// Appends N elements, of which the one at a place is element number index_of(place). The best value is found first, which
    /// takes an instruction per element, and then its place, another two: in a long fold few hold what beats all before.
    template <int N, class IndexOf>
    FUSE_HD constexpr A append_items(A a, const T (&items)[N], const IndexOf& index_of) const {
        const T best = best_of(items);
        if (a.high != identity_high && !beats(best, a.value)) {
            return a;
        }
        const int place = place_of(best, items);
        return place == N ? a : append(a, A::at(best, index_of(place)));
    }

    /// -1 when every element is an ignored NaN.
    FUSE_HD constexpr index_t project(A a, index_t) const { return static_cast<index_t>(a.index()); }

    /// Strictly. One comparison finds a larger number and a NaN: the negation of its opposite.
    static FUSE_HD constexpr bool beats(T b, T a) {
        if constexpr (ignore_nan) {
            return largest ? b > a : b < a;
        } else {
            const bool beyond = !(largest ? b <= a : b >= a);
            return static_cast<bool>(beyond & (a == a));
        }
    }

    /// The value that wins, without a place; NaN if one of them is.
    static FUSE_HD constexpr T better(T a, T b) { return largest ? larger(a, b) : smaller(a, b); }

    /// The first of N items that is this value, or NaN if the value is and none is ignored; N if none is.
    template <int N>
    static FUSE_HD constexpr int place_of(T value, const T (&items)[N]) {
        int place = N;
        if (value == value) {
            FUSE_UNROLL
            for (int v = N - 1; v >= 0; --v) {
                place = items[v] == value ? v : place;
            }
        } else if constexpr (!ignore_nan) {
            FUSE_UNROLL
            for (int v = N - 1; v >= 0; --v) {
                place = items[v] != items[v] ? v : place;
            }
        }
        return place;
    }

private:
    /// The value that wins of N items: that of of_values.
    template <int N>
    static FUSE_HD constexpr T best_of(const T (&items)[N]) {
        T best[N];
        FUSE_UNROLL
        for (int v = 0; v < N; ++v) {
            best[v] = items[v];
        }
        // As a tree: in a row, each would wait for the one before.
        FUSE_UNROLL
        for (int step = 1; step < N; step *= 2) {
            FUSE_UNROLL
            for (int v = 0; v + step < N; v += 2 * step) {
                best[v] = of_values{}.combine(best[v], best[v + step]);
            }
        }
        return best[0];
    }
    static FUSE_HD constexpr A choose(bool take_b, A a, A b) {
        return {take_b ? b.value : a.value, take_b ? b.low : a.low, take_b ? b.high : a.high};
    }
};

}  // namespace detail

template <Arithmetic T, class Acc = void>
struct ArgMaxReduction : detail::ArgExtremumReduction<ArgMaxReduction<T, Acc>, T, true, false> {
    static constexpr const char* name = "argmax";
};
template <Arithmetic T, class Acc = void>
struct ArgMinReduction : detail::ArgExtremumReduction<ArgMinReduction<T, Acc>, T, false, false> {
    static constexpr const char* name = "argmin";
};
template <Arithmetic T, class Acc = void>
struct ArgMaxIgnoreNanReduction : detail::ArgExtremumReduction<ArgMaxIgnoreNanReduction<T, Acc>, T, true, true> {
    static constexpr const char* name = "nanargmax";
    static constexpr const char* ignoring_nan = "argmax";
};
template <Arithmetic T, class Acc = void>
struct ArgMinIgnoreNanReduction : detail::ArgExtremumReduction<ArgMinIgnoreNanReduction<T, Acc>, T, false, true> {
    static constexpr const char* name = "nanargmin";
    static constexpr const char* ignoring_nan = "argmin";
};

/// Index of the largest element: the first NaN if there is one, else the lowest index of the maximum.
struct ArgMax {
    static constexpr const char* name = "argmax";
    template <Arithmetic T, class Acc = void>
    using reduction_op = ArgMaxReduction<T, Acc>;
};

/// Index of the smallest element: the first NaN if there is one, else the lowest index of the minimum.
struct ArgMin {
    static constexpr const char* name = "argmin";
    template <Arithmetic T, class Acc = void>
    using reduction_op = ArgMinReduction<T, Acc>;
};

/// Index of the largest element that is not NaN, -1 if there is none.
struct ArgMaxIgnoreNan {
    static constexpr const char* name = "nanargmax";
    template <Arithmetic T, class Acc = void>
    using reduction_op = ArgMaxIgnoreNanReduction<T, Acc>;
};

/// Index of the smallest element that is not NaN, -1 if there is none.
struct ArgMinIgnoreNan {
    static constexpr const char* name = "nanargmin";
    template <Arithmetic T, class Acc = void>
    using reduction_op = ArgMinIgnoreNanReduction<T, Acc>;
};

FUSE_END_NAMESPACE
