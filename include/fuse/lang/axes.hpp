// SPDX-License-Identifier: Apache-2.0
//
// The options of a reduction: axes<...>, keepdims, accumulate<T>, nan::ignore; and of a scan: axes<k>, exclusive,
// reverse, accumulate<T>. They may come in any order. What is wrong with them is said by the function that the user has
// called (FUSE_CHECK_REDUCTION, FUSE_CHECK_SCAN): further below, g++ would print more lines before the sentence.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// The axes to reduce. Negative axes count from the end, as in numpy; none means all.
template <int... A>
struct axes_t {
    static constexpr std::size_t count = sizeof...(A);

    /// Whether an operand of this rank has this axis.
    static constexpr bool has(int axis, int rank) { return axis >= -rank && axis < rank; }

    /// Bit i is set when axis i of an operand of this rank is reduced; axis 0 stands in for one that there is not.
    template <int Rank>
    static consteval std::uint32_t mask() {
        std::uint32_t bits = count == 0 ? (1U << Rank) - 1U : 0;
        ((bits |= has(A, Rank) ? 1U << (A < 0 ? A + Rank : A) : Rank > 0 ? 1U : 0U), ...);
        return bits;
    }
    /// The first that an operand of this rank does not have; 0 if there is none.
    static consteval int outside([[maybe_unused]] int rank) {
        int first = 0;
        static_cast<void>((... || (has(A, rank) ? false : (first = A, true))));
        return first;
    }
    static consteval bool all_inside([[maybe_unused]] int rank) { return (has(A, rank) && ...); }
};
template <int... A>
inline constexpr axes_t<A...> axes{};

/// Reduced axes stay, with extent 1.
struct keepdims_t {
    template <class T>
    keepdims_t operator=(T) const {
        static_assert(sizeof(T) == 0, "fuse: keepdims is an option by itself: sum(x, axes<1>, keepdims)");
        return {};
    }
    template <class T>
    keepdims_t operator()(T) const {
        static_assert(sizeof(T) == 0, "fuse: keepdims is an option by itself: sum(x, axes<1>, keepdims)");
        return {};
    }
};
inline constexpr keepdims_t keepdims{};

/// The type in which a sum, product or mean accumulates, instead of the default (float for float and the 16-bit
/// floats, double for double, 64-bit integers for integers).
template <class T>
struct accumulate_t {};
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

/// A scan from the last element to the first.
struct reverse_t {};
inline constexpr reverse_t reverse{};

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
template <>
struct option<reverse_t> {
    static constexpr int kind = 6;
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
/// One that is refused is none: no second error follows.
template <class T>
struct accumulator_of<accumulate_t<T>> {
    using type = std::conditional_t<std::is_arithmetic_v<T>, T, void>;
};

}  // namespace detail

template <class T>
concept ReduceOption =
    detail::option<std::remove_cvref_t<T>>::kind >= 1 && detail::option<std::remove_cvref_t<T>>::kind <= 4;
/// axes<k>, accumulate<T>, exclusive, reverse
template <class T>
concept ScanOption =
    detail::option<std::remove_cvref_t<T>>::kind == 1 || detail::option<std::remove_cvref_t<T>>::kind == 3 ||
    detail::option<std::remove_cvref_t<T>>::kind >= 5;
/// axes<...>
template <class T>
concept AxesOption = detail::option<std::remove_cvref_t<T>>::kind == 1;

/// A set of options of a reduction or a scan, sorted out.
template <class... Options>
struct reduce_options {
    template <int Kind>
    static constexpr int given = (0 + ... + (detail::option<Options>::kind == Kind ? 1 : 0));
    using axes = typename detail::pick<1, axes_t<>, Options...>::type;
    using accumulator = typename detail::accumulator_of<typename detail::pick<3, void, Options...>::type>::type;
    static constexpr bool keep = given<2> >= 1;
    static constexpr bool ignore_nan = given<4> >= 1;
    static constexpr bool exclusive = given<5> >= 1;
    static constexpr bool reverse = given<6> >= 1;
};

namespace detail {

// A compiler shows the arguments of a concept that fails.
template <int Axis, int Rank>
concept axis_inside_rank = Axis >= -Rank&& Axis < Rank;
template <int Rank, int... Axis>
concept axes_inside_rank = (axis_inside_rank<Axis, Rank> && ...);

/// An axis from 0 on; 0 stands in for one that there is not.
template <int Axis, int Rank>
inline constexpr int axis_of = !axis_inside_rank<Axis, Rank> ? 0
                               : Axis < 0                    ? Axis + Rank
                                                             : Axis;

/// Options for an operand of rank Rank, as FUSE_CHECK_AXES looks at them.
template <int Rank, class... O>
struct checked_options {
    using options = reduce_options<O...>;
    using axes = typename options::axes;
    using accumulator = typename options::accumulator;
    static constexpr bool once = options::template given<1> <= 1 && options::template given<2> <= 1 &&
                                 options::template given<3> <= 1 && options::template given<4> <= 1 &&
                                 options::template given<5> <= 1 && options::template given<6> <= 1;
    static constexpr bool arithmetic = options::template given<3> == 0 || !std::is_void_v<accumulator>;
    static constexpr bool inside = axes::all_inside(Rank);
    static constexpr int axis = axes::outside(Rank);
    static constexpr int rank = inside ? 1 : Rank;
    static constexpr bool distinct =
        !inside || axes::count == 0 || std::popcount(axes::template mask<Rank>()) == static_cast<int>(axes::count);
};
/// Of a reduction.
template <int Rank, class... O>
inline constexpr bool sound_options = (ReduceOption<O> && ...) && checked_options<Rank, O...>::inside;

}  // namespace detail

FUSE_END_NAMESPACE

/// The sentences about options for an operand of rank RANK. A macro, because static_assert takes no text but a
/// literal, and these have to stand in the function that the user has called.
#define FUSE_CHECK_AXES(RANK, ...)                                                                                     \
    static_assert(::fuse::detail::checked_options<RANK, __VA_ARGS__>::once, "fuse: an option is given twice");         \
    static_assert(                                                                                                     \
        ::fuse::detail::axis_inside_rank<::fuse::detail::checked_options<RANK, __VA_ARGS__>::axis,                     \
                                         ::fuse::detail::checked_options<RANK, __VA_ARGS__>::rank>,                    \
        "fuse: an axis of axes<...> is outside the operand's rank: axes are 0 to rank - 1, or from the end -1 "        \
        "to -rank");                                                                                                   \
    static_assert(::fuse::detail::checked_options<RANK, __VA_ARGS__>::distinct,                                        \
                  "fuse: an axis is named twice in axes<...>");                                                        \
    static_assert(::fuse::detail::checked_options<RANK, __VA_ARGS__>::arithmetic,                                      \
                  "fuse: accumulate<T> takes an arithmetic type")
/// The sentence about the axes of slice<1>(x, ...).
#define FUSE_CHECK_AXIS(RANK, ...)                                                                                     \
    static_assert(                                                                                                     \
        ::fuse::detail::axes_inside_rank<RANK, __VA_ARGS__>,                                                           \
        "fuse: this axis is outside the operand's rank: axes are 0 to rank - 1, or from the end -1 to -rank")
/// For max, ...
#define FUSE_CHECK_EXTREMUM(X, O)                                                                                      \
    static_assert(                                                                                                     \
        (::fuse::ReduceOption<O> && ...),                                                                              \
        "fuse: the options of a reduction are axes<1>, keepdims, accumulate<T> and nan::ignore, not a number: "        \
        "write sum(x, axes<1>); var<1>(x) divides by n - 1");                                                          \
    static_assert(X::rank > 0 || !X::counts,                                                                           \
                  "fuse: coordinates and random numbers have no shape of their own, and there is nothing to reduce: "  \
                  "sum(arange(n)), mean(broadcast_to(uniform(7), n))");                                                \
    FUSE_CHECK_AXES(X::rank, O...)
/// For sum, ...
#define FUSE_CHECK_REDUCTION(X, O)                                                                                     \
    FUSE_CHECK_EXTREMUM(X, O);                                                                                         \
    static_assert(!::fuse::reduce_options<O...>::ignore_nan,                                                           \
                  "fuse: nan::ignore is an option of min, max, argmin and argmax")
/// For cumsum, ...
#define FUSE_CHECK_SCAN(X, O)                                                                                          \
    static_assert(                                                                                                     \
        (::fuse::ScanOption<O> && ...),                                                                                \
        "fuse: the options of a scan are axes<1>, exclusive, reverse and accumulate<T>, not a number: write "          \
        "cumsum(x, axes<1>)");                                                                                         \
    static_assert(X::rank > 0, "fuse: a scan needs an axis: its operand is a scalar");                                 \
    FUSE_CHECK_AXES(X::rank, O...);                                                                                    \
    static_assert(X::rank < 2 || !(::fuse::ScanOption<O> && ...) ||                                                    \
                      ::fuse::detail::checked_options<X::rank, O...>::axes::count == 1,                                \
                  "fuse: a scan runs along one axis: say which with axes<k>")
