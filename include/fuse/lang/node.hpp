// SPDX-License-Identifier: Apache-2.0
//
// What a node says about itself. A node is a small host object, captured by value; each kind is one file of this
// folder. The walks over expressions (shape, text, axes, lowering) know no kind, only this:
//
//   using value_type;                  type of one element, as functors see it (fp16 and bf16 are already float)
//   static constexpr int rank;         number of axes (0 for a scalar)
//   static constexpr int positions;    how many positions it and the nodes below it take (lang/identity.hpp)
//   using operands;                    operand_types<...>: none for a leaf
//   auto on_operands(f) const;         f(operands...)
//   auto with(operands...) const;      the same node of other operands
//   void print(Text&) const;           as the user would write it
//
// and, where the defaults below do not fit, the rest of node_base. In the intermediate form a node of one operand is
// what that is, or a reduction if it has a `reduction_op`; leaves and Map have rules of their own in plan/lower.hpp.
#pragma once

#include <concepts>
#include <type_traits>

#include "fuse/lang/axis_map.hpp"
#include "fuse/lang/extents.hpp"
#include "fuse/lang/name.hpp"
#include "fuse/ops/types/compute_type.hpp"

// The sentences of the two conversions below, which two compilers take in two ways.
#define FUSE_NO_NUMBER                                                                                                 \
    "fuse: an expression is not a number: its value is value(fuse::host, sum(x)); a choice for each element is "       \
    "where(x > 0, a, b), not if or ?:; a function is sin(x), not std::sin(x); an element of a view is x(i, j), not "   \
    "x[i][j]"
#define FUSE_NO_CONTAINER                                                                                              \
    "fuse: an expression is not a container: write into a view of it, eval(fuse::host, view<\"y\">(v) = x * 2)"

FUSE_BEGIN_NAMESPACE

template <class... E>
struct operand_types {};

struct node_base;

namespace detail {

/// Something with a size() and a data() that is a plain pointer: a container or a span.
template <class R>
concept Contiguous = requires(R& r) {
    requires std::is_pointer_v<decltype(r.data())>;
    {static_cast<index_t>(r.size())};
};

/// A container, whose elements a view may be of; no expression.
template <class R>
concept Container = Contiguous<R> && !std::derived_from<R, node_base>;

/// Something that says itself what its view is, whatever its name: an array of the library.
template <class R>
concept HasView = requires(R& r) {
    r.template as_view<unnamed>();
};

/// What may be meant as an operand, and is one only as a view.
template <class A>
concept NoOperand = HasView<A> || Container<A> || std::is_pointer_v<A> || std::is_array_v<A>;

#if !defined(FUSE_UNAVAILABLE)
/// A member of a template is compiled where it is called. To double alone, so that std::sin(x) finds one overload.
template <class V = void>
struct no_number {
    operator double() const {
        static_assert(!std::is_void_v<V>, FUSE_NO_NUMBER);
        return {};
    }
};
#endif

}  // namespace detail

/// operator<< and >> of expressions, which the compiler finds here through their base class. Elsewhere in fuse they would be
/// candidates for each piece of text in an error message, a hundredth of what a short file costs to compile.
namespace shift_operators {
struct found_here {};
}  // namespace shift_operators

/// Base of all nodes, with what most of them say: here a leaf; a node of one operand leaves shape and axes as they are,
/// and several operands broadcast (the walks see to that).
struct node_base : shift_operators::found_here
#if !defined(FUSE_UNAVAILABLE)
    ,
                   detail::no_number<>
#endif
{
    using operands = operand_types<>;
    template <class F>
    constexpr decltype(auto) on_operands(F&& f) const {
        return f();
    }

#if defined(FUSE_UNAVAILABLE)
    /// For if (x > 0), float s = sum(x), std::sin(x): no expression has a value before it runs.
    FUSE_UNAVAILABLE(FUSE_NO_NUMBER) operator double() const;
    template <detail::Container T>
    FUSE_UNAVAILABLE(FUSE_NO_CONTAINER)
    operator T() const;
#else
    template <detail::Container T>
    operator T() const {
        static_assert(!detail::Container<T>, FUSE_NO_CONTAINER);
        return {};
    }
#endif

    /// It reads memory.
    static constexpr bool reads = false;
    /// An index<> stands in it, not in an operand with coordinates of its own inside.
    static constexpr bool counts = false;
    /// index<> in its operand counts in the axes of that operand.
    static constexpr bool own_coordinates = false;
    /// Whether it may stand there.
    template <class Position>
    static constexpr bool belongs = true;
    /// Where positions in its operand are counted from.
    template <class Position>
    using inside = Position;

    /// Its shape, from that of its only operand. Extents may be `dynamic`.
    static constexpr Shape result_shape(const Shape& operand) {
        return operand;
    }
    /// Its axes, from those of its only operand; what is not known is open.
    static constexpr AxisMap result_axes(const AxisMap& operand) {
        return operand;
    }
    /// The axes of an operand, from its own, from what the operand knows by itself, and from what is likely else.
    template <class Likely>
    static constexpr AxisMap operand_axes(const AxisMap& own, const AxisMap& known) {
        return own.last(known.rank);
    }
};

template <class T>
concept Expression = std::derived_from<std::remove_cvref_t<T>, node_base>;

template <Expression E>
inline constexpr int rank_v = std::remove_cvref_t<E>::rank;

template <Expression E>
using value_t = typename std::remove_cvref_t<E>::value_type;

/// A node of one operand. What it says is what the operand says.
template <class E>
struct unary_node : node_base {
    using value_type = value_t<E>;
    using operands = operand_types<E>;
    static constexpr int rank = E::rank;
    static constexpr int positions = E::positions;
    static constexpr bool counts = E::counts;

    constexpr explicit unary_node(const E& e) : expression(e) {}
    template <class F>
    constexpr decltype(auto) on_operands(F&& f) const {
        return f(expression);
    }

    E expression;
};

namespace detail {

/// Calls f(leaf) for each leaf of an expression.
template <class E, class F>
void for_each_leaf(const E& e, const F& f) {
    if constexpr (std::is_same_v<typename E::operands, operand_types<>>) {
        f(e);
    } else {
        e.on_operands([&f](const auto&... operand) { (for_each_leaf(operand, f), ...); });
    }
}

}  // namespace detail

/// A plain number or bool in an expression: becomes a run-time scalar leaf. One of 16 bits is the float that it is.
template <class T>
concept Number = std::is_arithmetic_v<compute_t<std::remove_cvref_t<T>>>;

FUSE_END_NAMESPACE
