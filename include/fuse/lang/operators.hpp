// SPDX-License-Identifier: Apache-2.0
//
// The operators of the language. Each is a map of one functor; a number beside an expression takes its type.
// && and || evaluate both sides, as elementwise operators do. view += expression and its kin are statements.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/lang/view.hpp"
#include "fuse/ops/ops.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class E>
inline constexpr bool is_ordering = false;
template <class A, class B>
inline constexpr bool is_ordering<Map<Less<>, A, B>> = true;
template <class A, class B>
inline constexpr bool is_ordering<Map<LessEqual<>, A, B>> = true;
template <class A, class B>
inline constexpr bool is_ordering<Map<Greater<>, A, B>> = true;
template <class A, class B>
inline constexpr bool is_ordering<Map<GreaterEqual<>, A, B>> = true;

template <class T>
inline constexpr bool is_truth = std::is_same_v<T, bool>;
template <Expression E>
inline constexpr bool is_truth<E> = std::is_same_v<value_t<E>, bool>;

/// 0 < x < 1, which C++ reads as (0 < x) < 1: of a truth and a number.
template <class A, class B>
inline constexpr bool is_chain = (is_ordering<A> && !is_truth<B>) || (is_ordering<B> && !is_truth<A>);

}  // namespace detail

// In the operator that the user calls, so that the sentence comes early; as static_assert takes but a literal, a macro.
#define FUSE_REFUSE_CHAIN(A, B)                                                                                        \
    static_assert(!detail::is_chain<A, B>,                                                                             \
                  "fuse: this compares the truth of a comparison with a number, as 0 < x < 1 does: write 0 < x && "    \
                  "x < 1, or cast<int>(0 < x) if it is meant")

template <Expression X>
constexpr map_t<Neg<>, X> operator-(const X& x) {
    return detail::apply(Neg<>{}, x);
}
template <Expression X>
constexpr map_t<LogicalNot<>, X> operator!(const X& x) {
    return detail::apply(LogicalNot<>{}, x);
}
/// Of bool the logical not, as in numpy.
template <Expression X>
constexpr map_t<BitNot<>, X> operator~(const X& x) {
    return detail::apply(BitNot<>{}, x);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Add<>, A, B> operator+(const A& a, const B& b) {
    return detail::apply(Add<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Sub<>, A, B> operator-(const A& a, const B& b) {
    return detail::apply(Sub<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Mul<>, A, B> operator*(const A& a, const B& b) {
    return detail::apply(Mul<>{}, a, b);
}
/// True division: integer operands give a floating-point result.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Div<>, A, B> operator/(const A& a, const B& b) {
    return detail::apply(Div<>{}, a, b);
}
/// Remainder with the sign of the divisor, as in numpy.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Mod<>, A, B> operator%(const A& a, const B& b) {
    return detail::apply(Mod<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Less<>, A, B> operator<(const A& a, const B& b) {
    FUSE_REFUSE_CHAIN(A, B);
    return detail::apply(Less<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<LessEqual<>, A, B> operator<=(const A& a, const B& b) {
    FUSE_REFUSE_CHAIN(A, B);
    return detail::apply(LessEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Greater<>, A, B> operator>(const A& a, const B& b) {
    FUSE_REFUSE_CHAIN(A, B);
    return detail::apply(Greater<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<GreaterEqual<>, A, B> operator>=(const A& a, const B& b) {
    FUSE_REFUSE_CHAIN(A, B);
    return detail::apply(GreaterEqual<>{}, a, b);
}
#undef FUSE_REFUSE_CHAIN
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Equal<>, A, B> operator==(const A& a, const B& b) {
    return detail::apply(Equal<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<NotEqual<>, A, B> operator!=(const A& a, const B& b) {
    return detail::apply(NotEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<LogicalAnd<>, A, B> operator&&(const A& a, const B& b) {
    return detail::apply(LogicalAnd<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<LogicalOr<>, A, B> operator||(const A& a, const B& b) {
    return detail::apply(LogicalOr<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<BitAnd<>, A, B> operator&(const A& a, const B& b) {
    return detail::apply(BitAnd<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<BitOr<>, A, B> operator|(const A& a, const B& b) {
    return detail::apply(BitOr<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<BitXor<>, A, B> operator^(const A& a, const B& b) {
    return detail::apply(BitXor<>{}, a, b);
}

namespace detail {

/// What is shifted by a B: an A, or a plain integer that 64-bit numbers of bits make as wide, so that 1 << 40 is not 0.
template <class A, class B>
struct shifted_operand {
    using type = A;
};
template <std::integral A, Expression B>
    requires(std::is_integral_v<value_t<B>> && sizeof(value_t<B>) == 8)
struct shifted_operand<A, B> {
    using type = std::conditional_t<std::is_unsigned_v<A> && !std::is_same_v<A, bool>, std::uint64_t, std::int64_t>;
};
template <class A, class B>
using shifted_operand_t = typename shifted_operand<A, B>::type;

}  // namespace detail

namespace shift_operators {

/// In the type of a, as in C++. Shifted out of all bits: 0, or -1 of negative a >> b, as in numpy.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<ShiftLeft<>, detail::shifted_operand_t<A, B>, B> operator<<(const A& a, const B& b) {
    return detail::apply(ShiftLeft<>{}, static_cast<const detail::shifted_operand_t<A, B>&>(a), b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<ShiftRight<>, detail::shifted_operand_t<A, B>, B> operator>>(const A& a, const B& b) {
    return detail::apply(ShiftRight<>{}, static_cast<const detail::shifted_operand_t<A, B>&>(a), b);
}

}  // namespace shift_operators

namespace detail {

/// bool, integers, floating point, anything else: a value is not stored into an earlier kind in place.
template <class T>
constexpr int number_kind() {
    return std::is_same_v<T, bool> ? 0 : std::is_integral_v<T> ? 1 : std::is_floating_point_v<T> ? 2 : 3;
}
}  // namespace detail

// In the operator that the user calls, so that the sentence comes early; as static_assert takes but a literal, macros.
#define FUSE_IN_PLACE(view, x, result)                                                                                 \
    static_assert(!detail::Container<std::remove_cvref_t<decltype(x)>>,                                                \
                  "fuse: a container is not an operand: a view of it is, x + view<\"v\">(v)");                         \
    if constexpr (!detail::Container<std::remove_cvref_t<decltype(x)>>) {                                              \
        static_assert(                                                                                                 \
            detail::number_kind<value_t<decltype(result)>>() <= detail::number_kind<value_t<decltype(view)>>(),        \
            "fuse: += -= *= /= do not change the kind of number: this is a floating-point result for a view of "       \
            "integers, or a number for one of bool, which numpy refuses, too; y = y / 2 truncates it");                \
        return view = result;                                                                                          \
    }
#define FUSE_IN_PLACE_OF_CONTAINER                                                                                     \
    static_assert(sizeof(C) == 0, "fuse: a container is not an output: a view of it is, view<\"y\">(v) += x")

/// view += expression is the statement view = view + expression; so for - * /. As in numpy the expression broadcasts to
/// the shape of the view, and its values are not of a later kind (integers, floating point) than those of the view.
template <class T, class Name, index_t... N, OperandLike X>
auto operator+=(const View<T, Name, N...>& view, const X& x) {
    FUSE_IN_PLACE(view, x, view + x)
}
template <class T, class Name, index_t... N, OperandLike X>
auto operator-=(const View<T, Name, N...>& view, const X& x) {
    FUSE_IN_PLACE(view, x, view - x)
}
template <class T, class Name, index_t... N, OperandLike X>
auto operator*=(const View<T, Name, N...>& view, const X& x) {
    FUSE_IN_PLACE(view, x, view * x)
}
template <class T, class Name, index_t... N, OperandLike X>
auto operator/=(const View<T, Name, N...>& view, const X& x) {
    FUSE_IN_PLACE(view, x, view / x)
}
template <detail::Range C, Expression X>
auto operator+=(C&, const X&) {
    FUSE_IN_PLACE_OF_CONTAINER;
}
template <detail::Range C, Expression X>
auto operator-=(C&, const X&) {
    FUSE_IN_PLACE_OF_CONTAINER;
}
template <detail::Range C, Expression X>
auto operator*=(C&, const X&) {
    FUSE_IN_PLACE_OF_CONTAINER;
}
template <detail::Range C, Expression X>
auto operator/=(C&, const X&) {
    FUSE_IN_PLACE_OF_CONTAINER;
}
#undef FUSE_IN_PLACE_OF_CONTAINER
#undef FUSE_IN_PLACE

FUSE_END_NAMESPACE
