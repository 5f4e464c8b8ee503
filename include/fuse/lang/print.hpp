// SPDX-License-Identifier: Apache-2.0
//
// Expressions as text, for error messages and explain(): sum(square(x - t), axes<1>). Each node prints itself with
// this.
#pragma once

#include <cstdint>
#include <cstdio>

#include "fuse/lang/node.hpp"
#include "fuse/text.hpp"

FUSE_BEGIN_NAMESPACE

FUSE_COLD inline Text& operator<<(Text& out, const Shape& shape) {
    out << "(";
    for (int axis = 0; axis < shape.rank; ++axis) {
        out << (axis > 0 ? ", " : "") << shape[axis];
    }
    return out << ")";
}

/// A node, or what the text has in its place. An address tells nodes apart: all have a base of one type, and no two
/// objects of one type, one inside the other, share an address.
namespace shift_operators {
template <Expression E>
Text& operator<<(Text& out, const E& node) {
    const char* const shorter = out.abbreviation(static_cast<const node_base*>(&node));
    if (shorter != nullptr) {
        out << shorter;
    } else {
        node.print(out);
    }
    return out;
}
}  // namespace shift_operators

namespace detail {

/// As an argument in parentheses of its own: exp(x - a), not exp((x - a)).
template <Expression E>
void print_argument(Text& out, const E& node) {
    const std::size_t since = out.size();
    out << node;
    out.unwrap(since);
}

/// The operator of a functor, or null when it is written as a function.
template <class F>
constexpr const char* infix_of() {
    if constexpr (requires { F::infix; }) {
        return F::infix;
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

/// What stands before operand number i.
FUSE_COLD inline void print_separator(Text& out, const char* infix, std::size_t i) {
    if (i > 0) {
        const char* const space = infix == nullptr ? "" : " ";
        out << space << (infix == nullptr ? "," : infix) << " ";
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

FUSE_END_NAMESPACE
