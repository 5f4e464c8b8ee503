// SPDX-License-Identifier: Apache-2.0
//
// Leaves without memory: run-time scalars, compile-time constants, and index<Axis>(), the coordinate along an axis.
#pragma once

#include "fuse/lang/name.hpp"
#include "fuse/lang/node.hpp"

FUSE_BEGIN_NAMESPACE

/// A run-time number, passed to the kernel by value. Rank 0.
template <class T, class Name>
struct Scalar : node_base {
    using value_type = T;
    using name_type = Name;
    static constexpr int rank = 0;
    static constexpr int anonymous = is_named<Name> ? 0 : 1;

    constexpr explicit Scalar(T v) : value(v) {}
    T value;
};

/// scalar(0.5f), scalar<"eps">(1e-5f)
template <Number T>
auto scalar(T value) {
    return Scalar<T, unnamed>(value);
}
template <fixed_name N, Number T>
auto scalar(T value) {
    return Scalar<T, name_t<N>>(value);
}

/// The rational constant Num / Den of type T: part of the kernel's code.
template <class T, long Num, long Den>
struct Constant : node_base {
    using value_type = T;
    static constexpr int rank = 0;
    static constexpr int anonymous = 0;
    static_assert(Den != 0, "fuse: a constant with denominator 0");
};

/// constant<2>, constant<1, 3>: takes the type of the expression that it meets.
template <long Num, long Den = 1>
struct constant_t {};
template <long Num, long Den = 1>
inline constexpr constant_t<Num, Den> constant{};

template <class T>
inline constexpr bool is_constant_tag = false;
template <long Num, long Den>
inline constexpr bool is_constant_tag<constant_t<Num, Den>> = true;

/// The coordinate (0, 1, ...) along axis Axis of the expression in which it stands: that of the enclosing reduction's
/// operand, or of the statement. Negative axes count from the end. Rank 0, so that it broadcasts with anything.
template <int Axis>
struct Index : node_base {
    using value_type = index_t;
    static constexpr int rank = 0;
    static constexpr int anonymous = 0;
    static constexpr bool counts = true;
};
template <int Axis>
constexpr auto index() {
    return Index<Axis>{};
}

FUSE_END_NAMESPACE
