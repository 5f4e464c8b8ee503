// SPDX-License-Identifier: Apache-2.0
//
// index<Axis>(): the coordinate (0, 1, ...) along axis Axis of the expression in which it stands: that of the enclosing
// reduction's operand, of a let's operand, or of the statement. Negative axes count from the end. flat_index():
// the row-major number of the element there, over all axes.
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
    FUSE_RARE void print(Text& out) const { out << "index<" << Axis << ">()"; }
};
template <int Axis>
constexpr auto index() {
    return Index<Axis>{};
}
template <std::integral A>
auto index(A) {
    static_assert(!std::integral<A>, "fuse: the axis of a coordinate is a template argument: index<1>()");
    return Index<0>{};
}

/// What all coordinates make together. Axes along which the expression has extent 1 do not count.
struct FlatIndex : node_base {
    using value_type = index_t;
    static constexpr int rank = 0;
    static constexpr int positions = 0;
    static constexpr bool counts = true;

    constexpr auto with() const { return *this; }
    FUSE_RARE void print(Text& out) const { out << "flat_index()"; }
};
constexpr auto flat_index() {
    return FlatIndex{};
}

FUSE_END_NAMESPACE
