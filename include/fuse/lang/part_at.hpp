// SPDX-License-Identifier: Apache-2.0
//
// e[i] of an expression, which has to be a member of every kind of node; what it is, expression_parts.hpp says.
#pragma once

#include "fuse/lang/axes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Why a part of an expression is not that of its operands: something in it counts positions, or runs along the axis.
enum class PartFault { none, counts, runs };

template <int Axis, class E>
constexpr PartFault part_fault();
template <int Axis, class E>
auto part_at(const E& e, index_t i);

}  // namespace detail

FUSE_END_NAMESPACE

/// The sentences about the part of an E along an axis. A macro, because static_assert takes no text but a literal, and
/// these have to stand in the function that the user has called.
#define FUSE_CHECK_PART(AXIS, E)                                                                                       \
    FUSE_CHECK_AXIS(E::rank, AXIS);                                                                                    \
    static_assert(::fuse::detail::part_fault<AXIS, E>() != ::fuse::detail::PartFault::counts,                          \
                  "fuse: index<>() and random numbers count in the whole expression, of which this is a part: "        \
                  "evaluate it into a view first");                                                                    \
    static_assert(::fuse::detail::part_fault<AXIS, E>() != ::fuse::detail::PartFault::runs,                            \
                  "fuse: a scan or sort runs along this axis: evaluate it into a view first, and take that apart; "    \
                  "from the other end they are cumsum(x, axes<1>, reverse) and sort(x, descending)")

/// e[i] is the part of e at i along the first axis, without that axis: select<0>(e, i).
#define FUSE_PART_AT(E)                                                                                                \
    template <std::integral At>                                                                                        \
    auto operator[](At at) const {                                                                                     \
        FUSE_CHECK_PART(0, E);                                                                                         \
        return detail::part_at<0>(*this, static_cast<index_t>(at));                                                    \
    }
