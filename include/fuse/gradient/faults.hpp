// SPDX-License-Identifier: Apache-2.0
//
// What has no derivative, found before anything is derived, so that the sentence stands in the function that the user
// calls.
#pragma once

#include <cstddef>

#include "fuse/gradient/composites.hpp"
#include "fuse/gradient/variable.hpp"
#include "fuse/lang/turn.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

enum class DerivativeFault {
    none,
    not_scalar,
    no_number,    ///< the variable is of integers or bool
    count,        ///< what is differentiated is
    no_variable,  ///< nothing that has a name
    part,         ///< the variable is reached through a part without a place, other than the whole through unflatten
    scan,         ///< or through a scan without a rule
    reduction,    ///< or through a reduction without one
    node,         ///< or another node without one
    functor       ///< or through a functor without one
};

/// Nodes that flattening takes away.
template <class N>
inline constexpr bool is_flattened = false;
template <class F, class Body>
inline constexpr bool is_flattened<Let<F, Body>> = true;
template <class F, int I, class E>
inline constexpr bool is_flattened<Bound<F, I, E>> = true;
template <class E, int Cuts>
inline constexpr bool is_flattened<Part<E, Cuts>> = true;
template <class Id, class E>
inline constexpr bool is_flattened<PartOperand<Id, E>> = true;
template <class Tag, class Id, class E>
inline constexpr bool is_flattened<Pinned<Tag, Id, E>> = true;

/// N alone.
template <class N, class Name>
inline constexpr DerivativeFault own_fault =
    is_flattened<N> || GraphNode<void, N>::operands::size > 0 ? DerivativeFault::none : DerivativeFault::node;
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc, class Name>
inline constexpr DerivativeFault own_fault<Reduce<Op, E, Mask, Keep, Acc>, Name> =
    HasFoldDerivative<Op> || HasAdjoint<Op, value_t<Reduce<Op, E, Mask, Keep, Acc>>> ? DerivativeFault::none
                                                                                     : DerivativeFault::reduction;
template <class Op, class E, int Axis, bool Exclusive, bool Reverse, class Acc, class Name>
    requires(!is_sort_op<Op>)
inline constexpr DerivativeFault own_fault<Scan<Op, E, Axis, Exclusive, Reverse, Acc>, Name> =
    HasScanDerivative<Op> ? DerivativeFault::none : DerivativeFault::scan;
template <class X, class I, class Name>
inline constexpr DerivativeFault own_fault<Map<WithIndex, X, I>, Name> = DerivativeFault::none;
template <class F, class... Args, class Name>
    requires IsUserFunctor<F>
inline constexpr DerivativeFault own_fault<Map<F, Args...>, Name> = [] {
    if constexpr (IsComposite<Map<F, Args...>>) {
        return Composite<Map<F, Args...>>::has_rule ? DerivativeFault::none : DerivativeFault::reduction;
    } else {
        return has_user_slopes<F, Args...>(std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>{})
                   ? DerivativeFault::none
                   : DerivativeFault::functor;
    }
}();

template <class Name, class N, class... E>
constexpr DerivativeFault fault_among(operand_types<E...>);
/// In N or below, where the variable of this name is reached.
template <class N, class Name>
inline constexpr DerivativeFault derivative_fault = fault_among<Name, N>(typename N::operands{});
template <class N, class Name>
    requires IsComposite<N>
inline constexpr DerivativeFault derivative_fault<N, Name> = fault_among<Name, N>(typename Composite<N>::operands{});

template <class Name, class N, class... E>
constexpr DerivativeFault fault_among(operand_types<E...>) {
    if constexpr (!is_active<N, Name> || is_variable<N, Name> || is_placed_leaf<N, Name>) {
        return DerivativeFault::none;
    } else {
        DerivativeFault found = own_fault<N, Name>;
        ((found = found != DerivativeFault::none ? found : derivative_fault<E, Name>), ...);
        return found;
    }
}

/// Of the derivative of Y with respect to X.
template <class Y, class X>
constexpr DerivativeFault fault_of() {
    using Name = typename name_of_variable<X>::type;
    if constexpr (std::is_void_v<Name>) {
        return DerivativeFault::no_variable;
    } else if constexpr (!std::is_floating_point_v<value_t<X>>) {
        return DerivativeFault::no_number;
    } else if constexpr (!std::is_floating_point_v<value_t<Y>>) {
        return DerivativeFault::count;
    } else if constexpr (std::is_void_v<name_in_t<Y, Name>>) {
        return DerivativeFault::part;
    } else {
        return derivative_fault<Y, name_in_t<Y, Name>>;
    }
}

/// Bytes of the largest derivative. To compute it takes 13 to 35 times as many on the stack (measured with g++ -O0 and -O2
/// and clang++ -O0), of which there are usually 8 MiB.
inline constexpr std::size_t largest_derivative = std::size_t{512} * 1024;
template <class E>
inline constexpr bool fits_stack = sizeof(E) <= largest_derivative;

}  // namespace detail

FUSE_END_NAMESPACE

/// The sentences; FAULT: a DerivativeFault. A macro, because they have to stand in the function that the user calls.
#define FUSE_REFUSE_DERIVATIVE(FAULT)                                                                                  \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::not_scalar,                                                \
                  "fuse: gradient takes a scalar: gradient(sum(y), x) or gradient(mean(y), x); of an array it is "     \
                  "vjp(y, x, dy)");                                                                                    \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::no_variable,                                               \
                  "fuse: the variable of a derivative has a name: view<\"x\">(...), scalar<\"s\">(2.0f), or an "       \
                  "expression that the loss is made of, named<\"h\">(...)");                                           \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::no_number,                                                 \
                  "fuse: integers and bool have no derivative: cast<float>(x) in the expression, and "                 \
                  "named<\"x\">(cast<float>(x)) as the variable");                                                     \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::count,                                                     \
                  "fuse: a loss of integers or bool, as a count is, has no derivative: cast<float>(loss), in which "   \
                  "what is an integer is a constant");                                                                 \
    static_assert(                                                                                                     \
        FAULT != ::fuse::detail::DerivativeFault::part,                                                                \
        "fuse: the expression reads the variable in another shape, reshape(x, 8, -1), or both x and "                  \
        "unflatten<1>(x, 8, -1), or a part of a named<> expression: give it a name, view<\"r\">(reshape(x, 8, -1)), "  \
        "and differentiate with respect to that");                                                                     \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::scan,                                                      \
                  "fuse: of scans those by sum, product, maximum, minimum and logsumexp have a derivative, and "       \
                  "discounted_cumsum: write a scan by another op with these. stop_gradient(...) takes it for a "       \
                  "constant");                                                                                         \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::reduction,                                                 \
                  "fuse: this reduction op has no derivative: give it a member adjoint(element, result), that of the " \
                  "result with respect to one element, or adjoint(element, result, n) of n elements");                 \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::node,                                                      \
                  "fuse: the variable is reached through something that has no derivative rule: a sort. "              \
                  "stop_gradient(...) takes it for a constant");                                                       \
    static_assert(FAULT != ::fuse::detail::DerivativeFault::functor,                                                   \
                  "fuse: this functor has no derivative: make its call operator a template (a generic lambda; nvcc "   \
                  "wants a struct), so that it takes fuse::Dual, too, or give it a member template <int I> "           \
                  "partial(x, ...)")
/// The sentence about a derivative with respect to a part; PLACED: whether it has a place in that with respect to all.
#define FUSE_REFUSE_NO_PLACE(PLACED)                                                                                   \
    static_assert(                                                                                                     \
        PLACED,                                                                                                        \
        "fuse: the expression reads a part of the variable, and the derivative with respect to that part scans or "    \
        "counts along the axis where it is cut or rolled: give the part a name, view<\"part\">(x[0]), or evaluate "    \
        "the roll into an array, and differentiate with respect to that")
/// The sentence about a derivative that is too large.
#define FUSE_REFUSE_SIZE(DERIVATIVE)                                                                                   \
    static_assert(sizeof(DERIVATIVE) <= ::fuse::detail::largest_derivative,                                            \
                  "fuse: this derivative has more bytes than a stack has room for, as all that an expression is made " \
                  "of stands in it as often as it is used: evaluate parts of the formula into arrays, and go back "    \
                  "from part to part with vjp (docs/gradients.md)")
