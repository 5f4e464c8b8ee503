// SPDX-License-Identifier: Apache-2.0
//
// The one element of a row that an index says. A vector of elements in which it is not is passed over as a whole: a
// comparison per vector, not per element.
#pragma once

#include "fuse/ops/reductions/reduction_base.hpp"

FUSE_BEGIN_NAMESPACE

/// An element, and the position of the one that is asked for.
template <class T>
struct ElementAndIndex {
    T element;
    index_t index;
};
/// Makes one of the two.
struct WithIndex {
    static constexpr const char* name = "with_index";
    template <class T, std::integral I>
    FUSE_HD constexpr ElementAndIndex<T> operator()(T element, I index) const {
        return {element, static_cast<index_t>(index)};
    }
};

/// Reduces ElementAndIndex<T>, all with the same index, to the element at that position; Missing::value<A> where there is
/// none. Integers come in 64 bits, as from a sum of which all other terms are 0.
template <class Missing, class T>
struct PickReduction {
    using A = accumulator_t<T>;
    struct accumulator {
        A element;
        bool found;
    };
    using value_type = ElementAndIndex<T>;
    using result = A;
    static constexpr const char* name = Missing::name;
    static constexpr bool commutative = true;
    static constexpr bool has_index = true;
    static constexpr bool has_identity = true;

    FUSE_HD constexpr accumulator init() const { return {Missing::template value<A>, false}; }
    FUSE_HD constexpr accumulator leaf(value_type v, index_t i) const { return reduce(init(), v, i); }
    FUSE_HD constexpr accumulator reduce(accumulator a, value_type v, index_t i) const {
        return {i == v.index ? static_cast<A>(v.element) : a.element, a.found || i == v.index};
    }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        return {b.found ? b.element : a.element, a.found || b.found};
    }
    FUSE_HD constexpr result project(accumulator a, index_t) const { return a.element; }
    /// Whether elements i .. i + n - 1, of which v is the first, change nothing.
    FUSE_HD constexpr bool passes_over(value_type v, index_t i, index_t n) const {
        return v.index < i || v.index >= i + n;
    }
};

/// `reduce(PickOrZero{}, map(WithIndex{}, x, target))`.
struct PickOrZero {
    static constexpr const char* name = "take";
    template <class A>
    static constexpr A value = A(0);
    template <class T, class Acc = void>
    using reduction_op = PickReduction<PickOrZero, decltype(T::element)>;
};
/// -infinity where there is none.
struct PickOrNothing {
    static constexpr const char* name = "take";
    template <class A>
    static constexpr A value = -limits<A>::infinity;
    template <class T, class Acc = void>
    using reduction_op = PickReduction<PickOrNothing, decltype(T::element)>;
};

FUSE_END_NAMESPACE
