// SPDX-License-Identifier: Apache-2.0
//
// constant<2>, constant<1, 3>: a number that is part of the kernel's code. It takes the type of the expression that it
// meets.
#pragma once

#include "fuse/lang/print.hpp"

// The sentence, which two compilers take in two ways.
#define FUSE_NO_DENOMINATOR "fuse: a constant with denominator 0"

FUSE_BEGIN_NAMESPACE

/// The rational constant Num / Den of type T.
template <class T, long Num, long Den>
struct Constant : node_base {
    using value_type = T;
    static constexpr int rank = 0;
    static constexpr int positions = 0;

    constexpr auto with() const { return *this; }
    FUSE_RARE void print(Text& out) const {
        out << static_cast<index_t>(Num);
        if (Den != 1) {
            out << "/" << static_cast<index_t>(Den);
        }
    }
};

template <long Num, long Den = 1>
struct constant_t {
    static_assert(Den != 0, FUSE_NO_DENOMINATOR);
};
template <long Num, long Den = 1>
inline constexpr constant_t<Num, Den> constant{};
#if defined(FUSE_UNAVAILABLE)
template <long Num>
FUSE_UNAVAILABLE(FUSE_NO_DENOMINATOR)
inline constexpr constant_t<Num> constant<Num, 0>{};
#endif

namespace detail {

/// The type of Num / Den beside no floating point: int, or long where it is beyond that.
template <long Num, long Den>
using fraction_t =
    std::conditional_t<Num % Den != 0, float, std::conditional_t<Num / Den == static_cast<int>(Num / Den), int, long>>;

/// What it becomes beside expressions of type V.
template <class V, long Num, long Den>
using constant_beside = Constant<std::conditional_t<std::is_floating_point_v<V>, V, fraction_t<Num, Den>>, Num, Den>;

}  // namespace detail

template <class T>
inline constexpr bool is_constant_tag = false;
template <long Num, long Den>
inline constexpr bool is_constant_tag<constant_t<Num, Den>> = true;

FUSE_END_NAMESPACE
