// SPDX-License-Identifier: Apache-2.0
//
// What is refused when statements are planned, and the sentences: one for one mistake. They are printed by FUSE_REFUSE
// in the function that the user has called, because what g++ prints before a sentence grows with every template between
// the two. rules.hpp says which refusal applies.
#pragma once

#include <initializer_list>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

enum class Refusal {
    none,
    said,  ///< by the function that made the expression
    static_extents,
    other_place,  ///< an operand would lie along other axes than its own
    crowded,      ///< or in another order
    index_axis,
    index_extent,  ///< it would be 0 everywhere
    let_apart,     ///< the operand of a let stands outside
    leaves,
    reductions,
    sort_and_reduction,
    sort_axis,
    several_programs,  ///< one program cannot do all that; steps may (plan/steps.hpp)
    output_rank
};

/// The first that is one; `crowded`, which a domain with room mends, if there is no other.
constexpr Refusal first_of(std::initializer_list<Refusal> refusals) {
    Refusal found = Refusal::none;
    for (const Refusal r : refusals) {
        if (r != Refusal::none && r != Refusal::crowded) {
            return r;
        }
        found = r == Refusal::none ? found : r;
    }
    return found;
}

// A compiler shows the arguments of a concept that fails.
template <auto First, auto Second>
concept extents_broadcast = First == Second;
template <auto Output, auto Expression>
concept output_has_rank = Output == Expression;

}  // namespace detail

FUSE_END_NAMESPACE

/// The sentences about a Verdict. A macro, because static_assert takes no text but a literal, and these have to
/// stand in the function that the user has called.
#define FUSE_REFUSE(V)                                                                                                 \
    static_assert(::fuse::detail::extents_broadcast<V::misfit.first, V::misfit.second>,                                \
                  "fuse: these operands do not broadcast: two static extents on one axis differ and neither is 1");    \
    static_assert(V::refusal != ::fuse::detail::Refusal::other_place,                                                  \
                  "fuse: keepdims or expand_dims is missing: a reduced value would be broadcast along another axis "   \
                  "than its own, as in x / sum(x, axes<1>). Write sum(x, axes<1>, keepdims); or, where another axis "  \
                  "is meant, as numpy aligns axes at the end, expand_dims<0>(sum(x, axes<1>))");                       \
    static_assert(V::refusal != ::fuse::detail::Refusal::index_axis,                                                   \
                  "fuse: index<Axis>() names an axis outside the expression in which it stands");                      \
    static_assert(                                                                                                     \
        V::refusal != ::fuse::detail::Refusal::index_extent,                                                           \
        "fuse: index<Axis>() would be 0 everywhere: it counts in the statement, or in the operand of a "               \
        "reduction, norm, loss or let, in which it stands, and nothing there has an extent along that axis. "          \
        "Write arange(n) in its place, as in expand_dims<1>(label) == arange(classes)");                               \
    static_assert(V::refusal != ::fuse::detail::Refusal::let_apart,                                                    \
                  "fuse: an operand of a let has been carried out of its function");                                   \
    static_assert(V::refusal != ::fuse::detail::Refusal::leaves,                                                       \
                  "fuse: at most 64 distinct leaves and outputs in one kernel: evaluate a part into a view first");    \
    static_assert(V::refusal != ::fuse::detail::Refusal::reductions,                                                   \
                  "fuse: at most 64 distinct reductions in one kernel: evaluate some of them first");                  \
    static_assert(V::refusal != ::fuse::detail::Refusal::sort_and_reduction,                                           \
                  "fuse: a sort cannot be one kernel with a scan or a reduction, as in mean(sort(x)) or "              \
                  "take(sort(x), i, axes<1>): evaluate one of the two into a view first");                             \
    static_assert(V::refusal != ::fuse::detail::Refusal::sort_axis,                                                    \
                  "fuse: a sort runs along the last axis of the kernel: evaluate it into a view first");               \
    static_assert(V::refusal != ::fuse::detail::Refusal::several_programs,                                             \
                  "fuse: these reductions and scans cannot be the steps of one kernel: evaluate some of them into a "  \
                  "view first");                                                                                       \
    static_assert(::fuse::detail::output_has_rank<V::ranks.output, V::ranks.expression>,                               \
                  "fuse: the rank of an output is neither that of its expression nor that without its keepdims axes. " \
                  "To repeat values in a larger output, write y = broadcast_to(x, rows, cols)")
