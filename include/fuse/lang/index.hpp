// SPDX-License-Identifier: Apache-2.0
//
// index<Axis>(): the coordinate (0, 1, ...) along axis Axis of the expression in which it stands: that of the enclosing
// reduction's operand, of a let's operand, or of the statement. Negative axes count from the end.
#pragma once

#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

/// Rank 0, so that it broadcasts with anything.
template <int Axis>
struct Index : node_base {
    using value_type = index_t;
    static constexpr int rank = 0;
    static constexpr int positions = 0;
    static constexpr bool counts = true;

    constexpr auto with() const { return *this; }
    FUSE_COLD void print(Text& out) const { out << "index<" << Axis << ">()"; }
};
template <int Axis>
constexpr auto index() {
    return Index<Axis>{};
}

FUSE_END_NAMESPACE
