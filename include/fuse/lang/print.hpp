// SPDX-License-Identifier: Apache-2.0
//
// Expressions as text, for error messages and explain(): sum(square(x - t), axes<1>). Each node prints itself with
// this.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "fuse/lang/node.hpp"
#include "fuse/text.hpp"

FUSE_BEGIN_NAMESPACE

FUSE_RARE inline Text& operator<<(Text& out, const Shape& shape) {
    out << "(";
    for (int axis = 0; axis < shape.rank; ++axis) {
        out << (axis > 0 ? ", " : "") << shape[axis];
    }
    return out << ")";
}

namespace detail {

/// An expression without its type: it can only be printed. All that prints is written once, for nodes of any type.
struct ErasedNode {
    const node_base* node = nullptr;
    void (*print_as)(Text& out, const node_base* node) = nullptr;

    /// The node itself, whatever the text has in its place.
    FUSE_RARE void print(Text& out) const { print_as(out, node); }
};
template <class E>
void print_as(Text& out, const node_base* node) {
    static_cast<const E*>(node)->print(out);
}
template <class E>
ErasedNode erase(const E& e) {
    return {&e, print_as<E>};
}

/// A node, or what the text has in its place. An address tells nodes apart: all have a base of one type, and no two
/// objects of one type, one inside the other, share an address.
FUSE_RARE inline Text& print_node(Text& out, ErasedNode node) {
    const char* const shorter = out.abbreviation(node.node);
    if (shorter != nullptr) {
        out << shorter;
    } else {
        node.print(out);
    }
    return out;
}

/// As an argument in parentheses of its own: exp(x - a), not exp((x - a)).
FUSE_RARE inline void print_argument(Text& out, ErasedNode node) {
    const std::size_t since = out.size();
    print_node(out, node);
    out.unwrap(since);
}

}  // namespace detail

namespace shift_operators {
template <Expression E>
Text& operator<<(Text& out, const E& node) {
    return detail::print_node(out, detail::erase(node));
}
}  // namespace shift_operators

namespace detail {

/// The operator of a functor with this many operands, or null when it is written as a function.
template <class F, int Operands>
constexpr const char* operator_of() {
    if constexpr (Operands == 2 && requires { F::infix; }) {
        return F::infix;
    } else if constexpr (Operands == 1 && requires { F::prefix; }) {
        return F::prefix;
    } else {
        return nullptr;
    }
}
/// Name of a functor or reduction op; `otherwise` for one that has none.
template <class F>
constexpr const char* name_or(const char* otherwise) {
    if constexpr (requires { F::name; }) {
        return F::name;
    } else {
        return otherwise;
    }
}

/// What users call a reduction op.
template <class R>
constexpr const char* reduction_name() {
    if constexpr (requires { R::ignoring_nan; }) {
        return R::ignoring_nan;
    } else {
        return name_or<R>("reduce");
    }
}

/// name(a, b, c), or (a sign b), (sign a), where there is an operator.
FUSE_RARE inline void print_call(Text& out, const char* name, const char* sign, const ErasedNode* operand, int count) {
    if (sign == nullptr) {
        out << name << "(";
        for (int i = 0; i < count; ++i) {
            out << (i > 0 ? ", " : "");
            print_argument(out, operand[i]);
        }
    } else {
        out << "(" << (count == 1 ? sign : "");
        print_node(out, operand[0]);
        if (count == 2) {
            print_node(out << " " << sign << " ", operand[1]);
        }
    }
    out << ")";
}
/// As a functor says that it is written: @1 is operand 1.
FUSE_RARE inline void print_written(Text& out, const char* written, const ErasedNode* operand) {
    for (const char* at; (at = std::strchr(written, '@')) != nullptr; written = at + 2) {
        out << Text(written, static_cast<std::size_t>(at - written));
        print_argument(out, operand[at[1] - '0']);
    }
    out << written;
}
FUSE_RARE inline void print_number(Text& out, double value) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.6g", value);
    out << digits;
}
FUSE_RARE inline void print_axes(Text& out, std::uint32_t mask, int rank) {
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

FUSE_END_NAMESPACE
