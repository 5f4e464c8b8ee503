// SPDX-License-Identifier: Apache-2.0
//
// Expressions as text, for error messages and explain(): sum(square(x - t), axes<1>).
#pragma once

#include <cstdio>
#include <cstring>

#include "fuse/lang/let.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/reduce.hpp"
#include "fuse/lang/scan.hpp"
#include "fuse/lang/view.hpp"
#include "fuse/text.hpp"

FUSE_BEGIN_NAMESPACE

FUSE_COLD inline Text& operator<<(Text& out, const Shape& shape) {
    out << "(";
    for (int axis = 0; axis < shape.rank; ++axis) {
        out << (axis > 0 ? ", " : "") << shape[axis];
    }
    return out << ")";
}

namespace detail {

/// The operator of a functor, or null when it is written as a function.
template <class F>
constexpr const char* infix_of() {
    if constexpr (requires { F::infix; }) {
        return F::infix;
    } else {
        return nullptr;
    }
}
/// Name of a functor or reduction; `otherwise` for one that has none.
template <class F>
constexpr const char* name_or(const char* otherwise) {
    if constexpr (requires { F::name; }) {
        return F::name;
    } else {
        return otherwise;
    }
}

FUSE_COLD inline void print_number(Text& out, double value) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.6g", value);
    out << digits;
}
FUSE_COLD inline void print_axes(Text& out, std::uint32_t mask, int rank) {
    const char* separator = ", axes<";
    for (int axis = 0; axis < rank; ++axis) {
        if (((mask >> axis) & 1U) != 0) {
            out << separator << axis;
            separator = ", ";
        }
    }
    out << ">";
}

}  // namespace detail

template <class T, class Name, index_t... E>
Text& operator<<(Text& out, const View<T, Name, E...>&) {
    return out << Name::text;
}
template <class T, class Name>
Text& operator<<(Text& out, const Scalar<T, Name>& s) {
    if constexpr (is_named<Name>) {
        out << Name::text;
    } else {
        detail::print_number(out, static_cast<double>(s.value));
    }
    return out;
}
template <class T, long Num, long Den>
Text& operator<<(Text& out, const Constant<T, Num, Den>&) {
    out << static_cast<index_t>(Num);
    return Den == 1 ? out : out << "/" << static_cast<index_t>(Den);
}
template <int Axis>
Text& operator<<(Text& out, const Index<Axis>&) {
    return out << "index<" << Axis << ">()";
}
template <class F, class... Args>
Text& operator<<(Text& out, const Map<F, Args...>& n);
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
Text& operator<<(Text& out, const Reduce<Op, E, Mask, Keep, Acc>& n);
template <class Op, class E, int Axis, bool Exclusive, class Acc>
Text& operator<<(Text& out, const Scan<Op, E, Axis, Exclusive, Acc>& n);
template <int Axis, class E>
Text& operator<<(Text& out, const ExpandDims<Axis, E>& n);

template <class F, int I, class E>
Text& operator<<(Text& out, const Bound<F, I, E>& n);
template <class F, class Body, class... E>
Text& operator<<(Text& out, const Let<F, Body, E...>& n);

template <class Name, class E>
Text& operator<<(Text& out, const Named<Name, E>&) {
    return out << Name::text;
}
template <class F, int I, class E>
Text& operator<<(Text& out, const Bound<F, I, E>& n) {
    return out << n.expression;
}
template <class F, class Body, class... E>
Text& operator<<(Text& out, const Let<F, Body, E...>& n) {
    return out << n.expression;
}
template <int Axis, class E>
Text& operator<<(Text& out, const ExpandDims<Axis, E>& n) {
    return out << "expand_dims<" << Axis << ">(" << n.expression << ")";
}
namespace detail {

template <class... Args, std::size_t... I>
void print_operands(Text& out, const std::tuple<Args...>& args, const char* separator, std::index_sequence<I...>) {
    ((out << (I == 0 ? "" : separator) << std::get<I>(args)), ...);
}

}  // namespace detail

template <class F, class... Args>
Text& operator<<(Text& out, const Map<F, Args...>& n) {
    constexpr const char* infix = sizeof...(Args) == 2 ? detail::infix_of<F>() : nullptr;
    const Text separator = infix == nullptr ? Text() << ", " : Text() << " " << infix << " ";
    out << (infix == nullptr ? detail::name_or<F>("map") : "") << "(";
    detail::print_operands(out, n.args, separator.c_str(), std::make_index_sequence<sizeof...(Args)>{});
    return out << ")";
}
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
Text& operator<<(Text& out, const Reduce<Op, E, Mask, Keep, Acc>& n) {
    out << detail::name_or<typename Reduce<Op, E, Mask, Keep, Acc>::reduction>("reduce") << "(" << n.expression;
    if (Mask != (1U << E::rank) - 1U) {
        detail::print_axes(out, Mask, E::rank);
    }
    return out << (Keep ? ", keepdims)" : ")");
}

template <class Op, class E, int Axis, bool Exclusive, class Acc>
Text& operator<<(Text& out, const Scan<Op, E, Axis, Exclusive, Acc>& n) {
    const char* name = detail::name_or<typename Scan<Op, E, Axis, Exclusive, Acc>::reduction>("op");
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("sum") || is("prod") || is("max") || is("min")) {
        out << "cum" << name << "(";
    } else if (is("sort") || is("argsort")) {
        out << name << "(";
    } else {
        out << "scan(" << name << ", ";
    }
    out << n.expression;
    if (E::rank > 1) {
        detail::print_axes(out, 1U << Axis, E::rank);
    }
    return out << (Exclusive ? ", exclusive)" : ")");
}

FUSE_END_NAMESPACE
