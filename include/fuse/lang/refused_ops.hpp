// SPDX-License-Identifier: Apache-2.0
//
// What keeps an op from being a reduction, in one sentence each.
#pragma once

#include "fuse/ops/reductions/reduction.hpp"

/// All that can be wrong with an op of the library, which is one for numbers.
#define FUSE_CHECK_ELEMENTS(OP, T, ACC, STATE)                                                                         \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::scattered,                   \
                  "fuse: nothing is computed of compact(): it is an output's expression; sum(where(keep, x, 0)) is "   \
                  "the sum of what it keeps");                                                                         \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::elements,                    \
                  "fuse: this reduction is defined for numbers (bit_and, bit_or, bit_xor: for integers); elements of " \
                  "another type need an op of their own, reduce(MyOp{}, x)")

/// The sentences about Op as a reduction of elements of T; STATE: whether it may have any. A macro, because static_assert
/// takes no text but a literal, and these have to stand in the function that the user has called.
#define FUSE_CHECK_OP(OP, T, ACC, STATE)                                                                               \
    FUSE_CHECK_ELEMENTS(OP, T, ACC, STATE);                                                                            \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::accumulate,                  \
                  "fuse: accumulate<> has no effect on an op that defines its accumulator");                           \
    static_assert(                                                                                                     \
        ::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::state,                                 \
        "fuse: a reduction op or functor must be trivially copyable and default constructible, a struct with its "     \
        "numbers as members (none const, no lambda that captures), that of a scan or one that names its reduction_op " \
        "empty");                                                                                                      \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::accumulator,                 \
                  "fuse: the accumulator of a reduction must be trivially copyable, and have no const members");       \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::project,                     \
                  "fuse: the project of a reduction op takes its accumulator and the number of elements, an index_t"); \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::no_accumulator,              \
                  "fuse: a reduction op names the type of its accumulator: using accumulator = float;");               \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::init,                        \
                  "fuse: a reduction op needs init(), the accumulator of no elements");                                \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::leaf,                        \
                  "fuse: a reduction op needs leaf(v, i), the accumulator of the one element v at index i, an "        \
                  "index_t");                                                                                          \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::combine,                     \
                  "fuse: a reduction op needs combine(a, b), the accumulator of all that two accumulators hold");      \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::value_type,                  \
                  "fuse: the elements do not convert to the value_type of this reduction op");                         \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::order,                       \
                  "fuse: Sub, Div, FloorDiv, Mod, Pow and other functors that are not associative cannot be a "        \
                  "reduction");                                                                                        \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::identity,                    \
                  "fuse: a reduction functor needs identity(), the value that leaves any other unchanged, such as 0 "  \
                  "for a sum: a struct with operator() and that member, no lambda; or fuse::Add<>{}, fuse::Max<>{}");  \
    static_assert(::fuse::detail::op_fault<OP, T, ACC, STATE> != ::fuse::detail::OpFault::call,                        \
                  "fuse: a reduction functor must be callable with two accumulators and return something that "        \
                  "converts to one")
