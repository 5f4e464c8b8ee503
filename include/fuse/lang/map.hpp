// SPDX-License-Identifier: Apache-2.0
//
// map(f, x, y, ...): a functor applied elementwise to operands that broadcast as in numpy (axes aligned at the end,
// extent 1 stretches). broadcast(a, b) packs operands for map: map(Square<>{}, broadcast(a, b)).
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "fuse/lang/extents.hpp"
#include "fuse/lang/scalar.hpp"
#include "fuse/numeric.hpp"
#include "fuse/ops/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// nvcc wraps a capturing __host__ __device__ lambda in a class that owns a copy for the host: never trivially
/// copyable, although its captures come first, as the device expects them. Copying its bytes is right while the
/// statement that owns it lives.
template <class F>
constexpr bool is_host_device_lambda() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    return __nv_is_extended_host_device_lambda_closure_type(F);
#else
    return false;
#endif
}

}  // namespace detail

/// Elementwise application of F to Args. The functor sees single values, never an index.
template <class F, class... Args>
struct Map : node_base {
    static_assert(std::is_trivially_copyable_v<F> || detail::is_host_device_lambda<F>(),
                  "fuse: a map functor is copied to the device: it must be trivially copyable (capture by value)");
    static_assert(std::is_invocable_v<const F&, value_t<Args>...>,
                  "fuse: a map functor must be callable with the element types of its operands");
    using functor_type = F;
    using value_type = compute_t<std::remove_cvref_t<std::invoke_result_t<const F&, value_t<Args>...>>>;
    static constexpr int rank = detail::largest(0, rank_v<Args>...);
    // A functor with state has an identity of its own at each occurrence, like an unnamed leaf.
    static constexpr int anonymous = (std::is_empty_v<F> ? 0 : 1) + (0 + ... + Args::anonymous);
    static constexpr bool counts = (false || ... || Args::counts);

    constexpr Map(const F& f, const Args&... a) : functor(f), args(a...) {}

    F functor;
    std::tuple<Args...> args;
};

/// Operands that will meet in one map.
template <class... Args>
struct Broadcast {
    std::tuple<Args...> args;
};

namespace detail {

/// The type a plain number takes beside an expression of type V: float * 2.0 stays float, as in numpy and PyTorch.
template <class V, class S>
using weak_t = std::conditional_t<std::is_floating_point_v<V>, V, S>;

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
    using Fraction = std::conditional_t<Num % Den == 0, int, float>;
    return Constant<weak_t<V, Fraction>, Num, Den>{};
}

/// The element type that plain numbers adapt to: the common type of the expressions among the operands.
template <class T>
struct weak_to {
    using type = bool;
};
template <Expression E>
struct weak_to<E> {
    using type = value_t<E>;
};

template <class... A>
struct common {
    using type = void;
};
template <class... A>
    requires(sizeof...(A) > 0 && (std::is_arithmetic_v<A> && ...))
struct common<A...> : std::common_type<A...> {};

template <class... A>
using weak_common_t = typename common<typename weak_to<std::remove_cvref_t<A>>::type...>::type;

}  // namespace detail

/// What may stand as an operand: an expression, a number, constant<...>.
template <class T>
concept OperandLike = Expression<T> || Number<T> || is_constant_tag<std::remove_cvref_t<T>>;

/// At least one operand is an expression: the others adapt to it.
template <class... A>
concept Operands = (OperandLike<A> && ...) && (Expression<A> || ...);

/// Applies `f` to the operands: numbers among them take the type of the expressions beside them.
template <class F, class... A>
    requires Operands<A...>
constexpr auto apply(const F& f, const A&... a) {
    using V = detail::weak_common_t<A...>;
    return Map<F, decltype(detail::as_node<V>(a))...>(f, detail::as_node<V>(a)...);
}

/// map(f, x, y, ...): any callable, for example a __host__ __device__ lambda. Numbers keep their own type here.
template <class F, class... A>
    requires(Operands<A...> && !OperandLike<F>)
constexpr auto map(const F& f, const A&... a) {
    return Map<F, decltype(detail::as_node<void>(a))...>(f, detail::as_node<void>(a)...);
}

template <class... A>
    requires Operands<A...>
constexpr auto broadcast(const A&... a) {
    return Broadcast<decltype(detail::as_node<void>(a))...>{{detail::as_node<void>(a)...}};
}

template <class F, class... Args>
constexpr auto map(const F& f, const Broadcast<Args...>& pack) {
    return std::apply([&f](const auto&... a) { return Map<F, std::remove_cvref_t<decltype(a)>...>(f, a...); },
                      pack.args);
}

/// named<"h">(e): an identity for a sub-expression. Two occurrences with one name are one value, also when they hold
/// unnamed leaves.
template <class Name, class E>
struct Named : node_base {
    using name_type = Name;
    using value_type = value_t<E>;
    static constexpr int rank = E::rank;
    static constexpr int anonymous = 0;
    static constexpr bool counts = E::counts;
    constexpr explicit Named(const E& e) : expression(e) {}
    E expression;
};
template <fixed_name N, Expression E>
constexpr auto named(const E& e) {
    return Named<name_t<N>, E>(e);
}

/// expand_dims<Axis>(e): a new axis of extent 1 at position Axis of the result (numpy.expand_dims).
template <int Axis, class E>
struct ExpandDims : node_base {
    using value_type = value_t<E>;
    static constexpr int axis = Axis;
    static constexpr int rank = E::rank + 1;
    static constexpr int anonymous = E::anonymous;
    static constexpr bool counts = E::counts;
    static_assert(Axis >= 0 && Axis < rank, "fuse: expand_dims: the axis is outside the result's rank");
    constexpr explicit ExpandDims(const E& e) : expression(e) {}
    E expression;
};
template <int Axis, Expression E>
constexpr auto expand_dims(const E& e) {
    return ExpandDims<(Axis < 0 ? Axis + E::rank + 1 : Axis), E>(e);
}

FUSE_END_NAMESPACE
