// SPDX-License-Identifier: Apache-2.0
//
// The options of a reduction: axes<...>, keepdims, accumulate<T>, nan::ignore; and of a scan: axes<k>, exclusive,
// accumulate<T>. They may come in any order.
#pragma once

#include <cstdint>
#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// The axes to reduce. Negative axes count from the end, as in numpy; none means all.
template <int... A>
struct axes_t {
    static constexpr std::size_t count = sizeof...(A);

    /// Bit i is set when axis i of an operand of this rank is reduced.
    template <int Rank>
    static consteval std::uint32_t mask() {
        static_assert(((A >= -Rank && A < Rank) && ...), "fuse: an axis of axes<...> is outside the operand's rank");
        std::uint32_t bits = 0;
        if constexpr (count == 0) {
            bits = (1U << Rank) - 1U;
        } else {
            ((bits |= 1U << (A < 0 ? A + Rank : A)), ...);
            int distinct = 0;
            for (int i = 0; i < Rank; ++i) {
                distinct += static_cast<int>((bits >> i) & 1U);
            }
            if (distinct != static_cast<int>(count)) {
                throw "fuse: an axis is named twice in axes<...>";
            }
        }
        return bits;
    }
};
template <int... A>
inline constexpr axes_t<A...> axes{};

/// Reduced axes stay, with extent 1.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

/// The type in which a sum, product or mean accumulates, instead of the default (float for float and the 16-bit
/// floats, double for double, 64-bit integers for integers).
template <class T>
struct accumulate_t {
    static_assert(std::is_arithmetic_v<T>, "fuse: accumulate<T> takes an arithmetic type");
};
template <class T>
inline constexpr accumulate_t<T> accumulate{};

namespace nan {
/// min, max, argmin and argmax skip NaN instead of returning it.
struct ignore_t {};
inline constexpr ignore_t ignore{};
}  // namespace nan

/// A scan whose element i is the fold of the elements before i, the identity for the first.
struct exclusive_t {};
inline constexpr exclusive_t exclusive{};

namespace detail {

template <class T>
struct option {
    static constexpr int kind = 0;
};
template <int... A>
struct option<axes_t<A...>> {
    static constexpr int kind = 1;
};
template <>
struct option<keepdims_t> {
    static constexpr int kind = 2;
};
template <class T>
struct option<accumulate_t<T>> {
    static constexpr int kind = 3;
    using type = T;
};
template <>
struct option<nan::ignore_t> {
    static constexpr int kind = 4;
};
template <>
struct option<exclusive_t> {
    static constexpr int kind = 5;
};

template <int Kind, class Default, class... Options>
struct pick {
    using type = Default;
};
template <int Kind, class Default, class First, class... Rest>
struct pick<Kind, Default, First, Rest...>
    : std::conditional_t<option<First>::kind == Kind, std::type_identity<First>, pick<Kind, Default, Rest...>> {};

template <class T>
struct accumulator_of {
    using type = void;
};
template <class T>
struct accumulator_of<accumulate_t<T>> {
    using type = T;
};

}  // namespace detail

template <class T>
concept ReduceOption =
    detail::option<std::remove_cvref_t<T>>::kind >= 1 && detail::option<std::remove_cvref_t<T>>::kind <= 4;
/// axes<k>, accumulate<T>, exclusive
template <class T>
concept ScanOption =
    detail::option<std::remove_cvref_t<T>>::kind == 1 || detail::option<std::remove_cvref_t<T>>::kind == 3 ||
    detail::option<std::remove_cvref_t<T>>::kind == 5;
/// axes<...>
template <class T>
concept AxesOption = detail::option<std::remove_cvref_t<T>>::kind == 1;

/// A set of reduction options, sorted out.
template <class... Options>
struct reduce_options {
    template <int Kind>
    static constexpr int given = (0 + ... + (detail::option<Options>::kind == Kind ? 1 : 0));
    static_assert(given<1> <= 1 && given<2> <= 1 && given<3> <= 1 && given<4> <= 1,
                  "fuse: a reduction option is given twice");
    using axes = typename detail::pick<1, axes_t<>, Options...>::type;
    using accumulator = typename detail::accumulator_of<typename detail::pick<3, void, Options...>::type>::type;
    static constexpr bool keep = given<2> == 1;
    static constexpr bool ignore_nan = given<4> == 1;
};

/// A set of scan options, sorted out.
template <class... Options>
struct scan_options {
    template <int Kind>
    static constexpr int given = (0 + ... + (detail::option<Options>::kind == Kind ? 1 : 0));
    static_assert(given<1> <= 1 && given<3> <= 1 && given<5> <= 1, "fuse: a scan option is given twice");
    using axes = typename detail::pick<1, axes_t<>, Options...>::type;
    using accumulator = typename detail::accumulator_of<typename detail::pick<3, void, Options...>::type>::type;
    static constexpr bool exclusive = given<5> == 1;
};

FUSE_END_NAMESPACE
