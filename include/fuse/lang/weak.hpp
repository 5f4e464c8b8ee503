// SPDX-License-Identifier: Apache-2.0
//
// Numbers beside expressions: float * 2.0 stays float, as in numpy and PyTorch. A plain number takes the type of the
// expressions that it meets, where that is a floating one.
#pragma once

#include <utility>

#include "fuse/lang/constant.hpp"
#include "fuse/lang/scalar.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A container, pointer or function among operands: refused by the map that takes it.
template <class V, OperandFault Fault>
using WrongOperand = Scalar<std::conditional_t<std::is_void_v<V>, bool, V>, refused_name<Fault>>;
template <class E>
inline constexpr OperandFault operand_fault = OperandFault::none;
template <class V, OperandFault Fault>
inline constexpr OperandFault operand_fault<Scalar<V, refused_name<Fault>>> = Fault;

/// The type a plain number of type S takes beside an expression of type V.
template <class V, class S>
using weak_t = std::conditional_t<std::is_floating_point_v<V>, V, compute_t<S>>;

template <class V, Expression E>
constexpr auto as_node(const E& e) {
    return e;
}
template <class V, Number S>
constexpr auto as_node(S s) {
    using T = weak_t<V, S>;
    return Scalar<T, unnamed>(static_cast<T>(s));
}
template <class V, long Num, long Den>
constexpr auto as_node(constant_t<Num, Den>) {
    return constant_beside<V, Num, Den>{};
}

template <class V, class C>
    requires NoOperand<C> || std::is_function_v<C>
constexpr auto as_node(const C&) {
    return WrongOperand < V, std::is_function_v<C> ? OperandFault::function : OperandFault::container > ({});
}
/// What an operand of type A becomes beside expressions of type V.
template <class V, class A>
using node_t = decltype(as_node<V>(std::declval<const A&>()));

/// The element type that plain numbers adapt to: the common type of the expressions among the operands.
template <class T>
struct weak_to {
    using type = bool;
};
template <Expression E>
struct weak_to<E> {
    using type = value_t<E>;
};

/// The numbers that elements of type T are or, as complex ones, are made of; void: others.
template <class T>
struct NumbersOf {
    using type = std::conditional_t<std::is_arithmetic_v<T>, T, void>;
};
template <class T>
    requires std::is_floating_point_v<typename T::value_type> && std::is_constructible_v<T, typename T::value_type>
struct NumbersOf<T> {
    using type = typename T::value_type;
};
/// Of two types of numbers; bool, which plain numbers stand for, widens none, also no narrow integer.
template <class A, class B>
using wider_t = typename std::conditional_t<
    std::is_same_v<B, bool>, std::type_identity<A>,
    std::conditional_t<std::is_same_v<A, bool>, std::type_identity<B>, std::common_type<A, B>>>::type;

template <class... A>
struct common {
    using type = void;
};
template <class A>
struct common<A> {
    using type = A;
};
template <class A, class B, class... C>
    requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
struct common<A, B, C...> : common<wider_t<A, B>, C...> {
};

template <class... A>
using weak_common_t =
    typename common<typename NumbersOf<typename weak_to<std::remove_cvref_t<A>>::type>::type...>::type;

}  // namespace detail

/// What may stand as an operand: an expression, a number, constant<...>; and a container or pointer, for the sentence that
/// a view of it may, and a function, for that of index<1> without its parentheses.
template <class T>
concept OperandLike = Expression<T> || Number<T> || is_constant_tag<std::remove_cvref_t<T>> ||
    detail::NoOperand<std::remove_cvref_t<T>> || std::is_function_v<std::remove_cvref_t<T>>;

/// At least one operand is an expression: the others adapt to it. Or an array of the library, for the same sentence.
template <class... A>
concept Operands = (OperandLike<A> && ...) && ((Expression<A> || ...) || (detail::HasView<A> || ...));

FUSE_END_NAMESPACE
