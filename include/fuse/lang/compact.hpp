// SPDX-License-Identifier: Apache-2.0
//
// compact(x, keep): the elements of x for which keep is true, in their order, from the start of the output. Their
// places are an exclusive scan of keep, so it is one kernel and one pass.
#pragma once

#include "fuse/error.hpp"
#include "fuse/lang/let.hpp"
#include "fuse/lang/scan.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/ops/types/scattered.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

[[noreturn]] FUSE_RARE inline void throw_kept(const Shape& x, const Shape& keep) {
    throw shape_error(Text() << "compact: keep" << keep << " does not say of each element of x" << x
                             << " whether it is kept: broadcast_to(keep, n) does");
}

/// Places are counted along keep, so nothing may stretch it.
template <class X, class P>
constexpr void check_kept(const X& x, const P& keep) {
    if constexpr (X::rank == 1) {
        const Shape own = shape_of(x), kept = shape_of(keep);
        if (own[0] != kept[0] && own[0] != 1) {
            throw_kept(own, kept);
        }
    }
}

}  // namespace detail

/// keep is a bool expression with one axis, x one of the same extent, or without axes: index<0>() gives the places of what
/// is kept. The output has the extent of keep, as any number of elements may be kept; those behind the kept ones are left
/// as they are. It must not overlap an input. The number of kept elements is a reduction of the same eval, and stays on
/// the device:
///   eval(cuda, y = compact(x, x > 0), n = count_nonzero(x > 0))
///   eval(cuda, places = compact(index<0>(), x > 0))    // numpy.flatnonzero
template <Expression X, Expression P>
constexpr auto compact(const X& x, const P& keep) {
    constexpr bool vectors = X::rank <= 1 && P::rank == 1;
    static_assert(
        P::rank > 0 || X::rank > 1,
        "fuse: compact: keep says of each element whether it is kept, and has no axis here, as random numbers "
        "and index<>() have none: broadcast_to(bernoulli(0.5, seed), n) has");
    static_assert(vectors || (P::rank == 0 && X::rank <= 1),
                  "fuse: compact takes two expressions with one axis; the elements of a matrix are reshape(x, -1)");
    constexpr bool chooses = std::is_same_v<value_t<P>, bool>;
    static_assert(chooses, "fuse: compact takes a bool expression, such as x > 0");
    constexpr bool twice = is_scattered<value_t<X>>;
    static_assert(!twice,
                  "fuse: nothing is computed of compact(): it is an output's expression; compact(x, a && b) keeps "
                  "what both of two conditions keep");
    if constexpr (vectors && chooses) {
        detail::check_kept(x, keep);
    }
    return detail::let_if<(vectors && chooses && !twice)>(x, keep, [](const auto& v, const auto& kept) {
        return detail::apply(ScatterKept{}, v, kept, scan(Add<>{}, kept, axes<0>, exclusive));
    });
}

template <class A, class... P>
    requires(!Expression<A> || sizeof...(P) == 0)
auto compact(const A&, const P&...) {
    static_assert(sizeof(A) == 0,
                  "fuse: compact takes an expression and a condition: compact(x, x > 0) keeps elements, "
                  "compact(index<0>(), x > 0) their places; how many they are is count_nonzero(x > 0)");
    return detail::refused();
}

FUSE_END_NAMESPACE
