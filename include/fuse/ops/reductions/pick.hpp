// SPDX-License-Identifier: Apache-2.0
//
// The one element of a row that an index says. A vector of elements in which it is not is passed over as a whole: a
// comparison per vector, not per element.
#pragma once

#include "fuse/ops/functors/min_max.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"

#include <cstdint>

FUSE_BEGIN_NAMESPACE

/// An element, and the position of the one that is asked for.
template <class T>
struct ElementAndIndex {
    T element;
    index_t index;
};
/// Makes one of the two.
struct WithIndex {
    static constexpr const char* written = "@0, @1";  // of take(x, target)
    template <class T, std::integral I>
    FUSE_HD constexpr ElementAndIndex<T> operator()(T element, I index) const {
        return {element, static_cast<index_t>(index)};
    }
};

/// Reduces ElementAndIndex<T>, all with the same index, to the element at that position. Missing::value<A> stands for all
/// others, and Missing::join leaves what it is joined with. Integers come in 64 bits, as from a sum.
template <class Missing, class T>
struct PickReduction : detail::BasicReduction<PickReduction<Missing, T>, ElementAndIndex<T>, accumulator_t<T>> {
    using A = accumulator_t<T>;
    static constexpr const char* name = "take";
    static constexpr bool has_index = true;

    FUSE_HD constexpr A init() const { return Missing::template value<A>; }
    FUSE_HD constexpr A leaf(ElementAndIndex<T> v, index_t i) const { return reduce(init(), v, i); }
    FUSE_HD constexpr A reduce(A a, ElementAndIndex<T> v, index_t i) const {
        return i == v.index ? static_cast<A>(v.element) : a;
    }
    FUSE_HD constexpr A combine(A a, A b) const { return Missing::join(a, b); }
    /// Whether elements i .. i + n - 1, of which v is the first, change nothing.
    FUSE_HD constexpr bool passes_over(ElementAndIndex<T> v, index_t i, index_t n) const {
        return static_cast<std::uint64_t>(v.index) - static_cast<std::uint64_t>(i) >= static_cast<std::uint64_t>(n);
    }
};

/// `reduce(PickOrZero{}, map(WithIndex{}, x, target))`: 0 where there is none.
struct PickOrZero {
    static constexpr const char* name = "take";
    template <class A>
    static constexpr A value = A(0);
    template <class A>
    static FUSE_HD constexpr A join(A a, A b) {
        return static_cast<A>(a + b);
    }
    template <class T, class Acc = void>
    using reduction_op = PickReduction<PickOrZero, decltype(T::element)>;
};
/// The same of floating point: -infinity where there is none.
struct PickOrNothing {
    static constexpr const char* name = "take";
    template <class A>
    static constexpr A value = -limits<A>::infinity;
    template <class A>
    static FUSE_HD constexpr A join(A a, A b) {
        return detail::larger(a, b);
    }
    template <class T, class Acc = void>
    using reduction_op = PickReduction<PickOrNothing, decltype(T::element)>;
};

FUSE_END_NAMESPACE
