// SPDX-License-Identifier: Apache-2.0
//
// gradient(loss, x), vjp(y, x, dy): derivatives of expressions, which are expressions. Reverse-mode differentiation at
// compile time (Griewank, Walther, "Evaluating Derivatives", 2008, ch. 3): what comes out is evaluated, combined and
// differentiated again like anything else, in the kernel of the loss or in one of its own.
#pragma once

#include "fuse/stencil.hpp"

#if defined(FUSE_SUPPORTED)

#include "fuse/gradient/adjoints.hpp"
#include "fuse/gradient/counting.hpp"
#include "fuse/gradient/faults.hpp"
#include "fuse/gradient/one_identity.hpp"
#include "fuse/gradient/parts.hpp"
#include "fuse/gradient/variable.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The let around a derivative of Y with respect to X, where something is pinned.
template <class Y, class X, class Dy>
struct DerivativeTag {};

[[noreturn]] FUSE_RARE inline void throw_other_variable(const char* name) {
    throw argument_error(Text() << "gradient: " << name
                                << " is another view here than in the expression: pass the same view");
}
[[noreturn]] FUSE_RARE inline void throw_seed(const Shape& seed, const Shape& y) {
    throw shape_error(Text() << "vjp: dy" << seed << " does not have the shape " << y << " of y");
}

/// A view of the variable's name is the variable.
template <class X, class N>
void check_variable(const X& x, const N& n) {
    if constexpr (X::reads && N::reads) {
        if constexpr (std::is_same_v<typename X::name_type, typename N::name_type>) {
            const bool same = static_cast<const void*>(x.data()) == static_cast<const void*>(n.data()) &&
                              x.shape() == n.shape() && x.strides() == n.strides();
            if (!same) {
                throw_other_variable(X::name_type::text);
            }
        }
    }
}

/// As much as can be known of it: it begins where the variable does, and has as many elements.
template <class X, class N>
void check_unflattened(const X& x, const N& n) {
    bool same = shape_of(x).size() == shape_of(n).size();
    if constexpr (X::reads && N::reads) {
        same = same && static_cast<const void*>(x.data()) == static_cast<const void*>(n.data());
    }
    if (!same) {
        throw_other_variable(name_of_variable<X>::type::text);
    }
}

template <class X, class Nodes, class... N>
void check_variables(const X& x, const Nodes& graph, type_list<N...>) {
    (check_variable(x, graph.template node<N>()), ...);
}

template <class Name, class Tag, class Y, class X, class Seed>
auto derivative_of_flat(const Y& y, const X& x, const Seed& seed) {
    using List = typename graph_list<Name, Tag, type_list<>, Y>::type;
    if constexpr (List::size == 0) {
        return spread_over<value_t<X>, type_list<X>>(ZeroTerm{}, x);
    } else {
        Graph<List> graph;
        graph.template enter<Name, Tag>(y);
        Adjoints<Name, Tag, Seed, List> adjoints(graph, seed);
        if constexpr (is_variable<X, Name>) {
            check_variables(x, graph, List{});
            return adjoints.of_variable(x);
        } else {
            const auto& unflattened = graph.template node<at_t<List, variable_among<Name>(List{})>>();
            check_unflattened(x, unflattened);
            return adjoints.of_variable(unflattened);
        }
    }
}

/// Dy: an expression, or OneTerm.
template <class Tag, class Position, class Dy>
constexpr auto flat_seed(const Dy& dy) {
    if constexpr (is_one<Dy>) {
        return dy;
    } else {
        return Flattening<Tag, Position, Dy>::of(dy);
    }
}

/// Whether something in E is pinned.
template <class N, class... E>
constexpr bool any_pinned(operand_types<E...>);
template <class N>
inline constexpr bool has_pinned = any_pinned<N>(typename N::operands{});
template <class Tag, class Id, class E>
inline constexpr bool has_pinned<Pinned<Tag, Id, E>> = true;
template <>
inline constexpr bool has_pinned<OneTerm> = false;
template <class N, class... E>
constexpr bool any_pinned(operand_types<E...>) {
    return (false || ... || has_pinned<E>);
}

template <class Y, class X, class Dy>
auto derivative(const Y& y, const X& x, const Dy& dy) {
    using Name = name_in_t<Y, typename name_of_variable<X>::type>;
    using Tag = DerivativeTag<Y, X, Dy>;
    using Start = position<root_scope, 0>;
    const auto flat = Flattening<Tag, Start, Y>::of(y);
    const auto flat_y = spread_counting<Name>(flat, flat);
    const auto flat_x = Flattening<Tag, Start, X>::of(x);
    const auto flat_dy = flat_seed<Tag, position<root_scope, Y::positions>>(dy);
    SeenNodes seen;
    seen.see(flat_y);
    if constexpr (!is_one<Dy>) {
        seen.see(flat_dy);
    }
    // The coordinates of a derivative are its own, also where it stands beside what has more axes.
    if constexpr (has_pinned<std::remove_const_t<decltype(flat_y)>> ||
                  has_pinned<std::remove_const_t<decltype(flat_dy)>>) {
        const auto body = derivative_of_flat<Name, Tag>(flat_y, flat_x, flat_dy);
        return framed(Let<Tag, std::remove_const_t<decltype(body)>>(body));
    } else {
        return framed(derivative_of_flat<Name, void>(flat_y, flat_x, flat_dy));
    }
}

}  // namespace detail

/// The derivative of a scalar with respect to x: an expression of the shape and type of x (float of 16-bit floats). x:
/// a named view, a named scalar or a named<> expression; where the loss is made of it, it is found by its name. 0 if
/// it is not. Where parts of a view are read, x[0], slice<0>(x, 1, 5), roll(x, 1), it is 0 for what is not, and the
/// derivative with respect to a part must not scan along the axis where that is cut. Where it is read through
/// unflatten alone, as in group_norm(x, groups), the derivative has the shape that this gives it: unflatten<1>(dx,
/// groups, -1) = vjp(...). Throws shape_error where x, or what is computed from it, has an extent of 1 that only at run
/// time turns out to be stretched, argument_error where x is another view of that name, or one name stands for two
/// things in the loss.
template <Expression Loss, Expression X>
auto gradient(const Loss& loss, const X& x) {
    using detail::DerivativeFault;
    constexpr DerivativeFault fault = Loss::rank > 0 ? DerivativeFault::not_scalar : detail::fault_of<Loss, X>();
    FUSE_REFUSE_DERIVATIVE(fault);
    if constexpr (fault == DerivativeFault::none) {
        const auto result = detail::derivative(loss, x, detail::OneTerm{});
        constexpr bool placed = !detail::has_no_place<std::remove_const_t<decltype(result)>>;
        FUSE_REFUSE_NO_PLACE(placed);
        FUSE_REFUSE_SIZE(result);
        if constexpr (placed && detail::fits_stack<std::remove_const_t<decltype(result)>>) {
            return result;
        } else {
            return x;
        }
    } else {
        return x;
    }
}

/// The vector-Jacobian product sum(dy * y) differentiated with respect to x with dy held constant: what dy, the
/// gradient with respect to y, becomes as that with respect to x. dy: the shape of y, else shape_error. Otherwise as
/// gradient.
template <Expression Y, Expression X, Expression Dy>
auto vjp(const Y& y, const X& x, const Dy& dy) {
    static_assert(Dy::rank == Y::rank, "fuse: vjp: dy has the rank of y");
    constexpr detail::DerivativeFault fault = detail::fault_of<Y, X>();
    FUSE_REFUSE_DERIVATIVE(fault);
    if constexpr (fault == detail::DerivativeFault::none && Dy::rank == Y::rank) {
        if (const Shape shape = shape_of(y), seed = shape_of(dy); !(seed == shape)) {
            detail::throw_seed(seed, shape);
        }
        const auto result = detail::derivative(y, x, dy);
        constexpr bool placed = !detail::has_no_place<std::remove_const_t<decltype(result)>>;
        FUSE_REFUSE_NO_PLACE(placed);
        FUSE_REFUSE_SIZE(result);
        if constexpr (placed && detail::fits_stack<std::remove_const_t<decltype(result)>>) {
            return result;
        } else {
            return x;
        }
    } else {
        return x;
    }
}

namespace detail {
template <class... A>
inline constexpr bool all_expressions = (Expression<A> && ...);
}  // namespace detail

template <Expression Loss, class... X>
    requires(sizeof...(X) != 1 || !detail::all_expressions<X...>)
auto gradient(const Loss&, const X&...) {
    static_assert(sizeof(Loss) == 0,
                  "fuse: gradient takes a loss and one variable, the view itself, not its name: gradient(loss, x); of "
                  "an array gradient(loss, view<\"x\">(t))");
    return detail::refused();
}
template <Expression Y, class... A>
    requires(sizeof...(A) != 2 || !detail::all_expressions<A...>)
auto vjp(const Y&, const A&...) {
    static_assert(sizeof(Y) == 0,
                  "fuse: vjp takes y, the variable and dy, an expression of the shape of y: vjp(y, x, dy); with 0.5 "
                  "throughout it is gradient(0.5 * sum(y), x)");
    return detail::refused();
}

#undef FUSE_REFUSE_DERIVATIVE
#undef FUSE_REFUSE_NO_PLACE
#undef FUSE_REFUSE_SIZE

FUSE_END_NAMESPACE

#endif
