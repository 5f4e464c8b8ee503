// SPDX-License-Identifier: Apache-2.0
//
// constant<2>, constant<1, 3>: a number that is part of the kernel's code. It takes the type of the expression that it
// meets.
#pragma once

#include "fuse/lang/print.hpp"
#include "fuse/ops/functors/functor.hpp"

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

/// The type of a fraction beside expressions of type V: theirs, beside integers what functions of these compute with.
template <class V>
struct FractionBeside {
    using type = std::conditional_t<std::is_floating_point_v<V>, V, float>;
};
template <std::integral V>
struct FractionBeside<V> {
    using type = floating_t<V>;
};

/// What Num / Den becomes there. Beside no floating point a whole number is an int, or a long where it is beyond that.
template <class V, long Num, long Den>
using constant_beside =
    Constant<std::conditional_t<std::is_floating_point_v<V> || Num % Den != 0, typename FractionBeside<V>::type,
                                std::conditional_t<Num / Den == static_cast<int>(Num / Den), int, long>>,
             Num, Den>;

}  // namespace detail

template <class T>
inline constexpr bool is_constant_tag = false;
template <long Num, long Den>
inline constexpr bool is_constant_tag<constant_t<Num, Den>> = true;

FUSE_END_NAMESPACE
