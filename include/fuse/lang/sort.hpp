// SPDX-License-Identifier: Apache-2.0
//
// sort(x, axes<-1>) and argsort(x, axes<-1>): the elements of each row in order, or their positions. A block sorts a
// row on chip (primitives/block/sort.hpp). To the planner a sort is a scan: its result has the shape of its operand and
// may be used in further elementwise operations of the same kernel.
#pragma once

#include "fuse/lang/scan.hpp"
#include "fuse/ops/reductions/sorted_row.hpp"

FUSE_BEGIN_NAMESPACE

/// The largest element first. NaN stays behind all others.
struct descending_t {};
inline constexpr descending_t descending{};

namespace detail {

template <class O>
concept SortOption = AxesOption<O> || std::same_as<O, descending_t>;
template <class X, class... O>
concept sorts_rows = X::rank >
0 && pick<1, axes_t<-1>, O...>::type::template mask<X::rank>() == 1U << ((X::rank > 0 ? X::rank : 1) - 1);

/// Whether a row of them has an order.
template <class T>
concept Ordered = requires(const T& a) {
    { a < a } -> std::convertible_to<bool>;
};

template <bool Positions, class X, class... O>
constexpr auto sort_rows(const X& x, O...) {
    constexpr bool largest = (std::is_same_v<O, descending_t> || ...);
    return Scan<SortOp<largest, Positions>, X, (X::rank > 0 ? X::rank : 1) - 1, false, false, void>(x);
}

}  // namespace detail

/// The sentences about X sorted with options O. A macro, because static_assert takes no text but a literal, and these have
/// to stand in the function that the user has called.
#define FUSE_CHECK_SORT(X, O)                                                                                          \
    static_assert((detail::SortOption<O> && ...),                                                                      \
                  "fuse: the options of a sort are axes<-1> and descending, not a number: sort(x, axes<-1>)");         \
    static_assert((0 + ... + (AxesOption<O> ? 1 : 0)) <= 1 &&                                                          \
                      (0 + ... + (std::same_as<O, descending_t> ? 1 : 0)) <= 1,                                        \
                  "fuse: an option is given twice");                                                                   \
    static_assert(detail::sorts_rows<X, O...>,                                                                         \
                  "fuse: a sort runs along the last axis: sort a transposed view for another one");                    \
    static_assert(detail::Ordered<value_t<X>>,                                                                         \
                  "fuse: a sort compares elements with <, which complex numbers and most structs have not: sort a "    \
                  "number of each, argsort(map([](auto v) { return v.real(); }, z))")

/// The elements of each row in ascending order, NaN last, as numpy. Options: axes<-1> (the only axis), descending. A
/// row has to fit the shared memory of a block on a GPU, 29,000 floats on an H200; a longer one is a shape_error.
template <Expression X, class... O>
constexpr auto sort(const X& x, O... options) {
    FUSE_CHECK_SORT(X, O);
    return detail::sort_rows<false>(x, options...);
}
/// The positions (index_t) that sort each row; stable. Half as long rows as sort.
template <Expression X, class... O>
constexpr auto argsort(const X& x, O... options) {
    FUSE_CHECK_SORT(X, O);
    return detail::sort_rows<true>(x, options...);
}
#undef FUSE_CHECK_SORT

FUSE_END_NAMESPACE
