// SPDX-License-Identifier: Apache-2.0
//
// What cannot be one kernel, and why: one rule over the array of nodes, one sentence for one mistake.
#pragma once

#include "fuse/plan/kernel_form.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

enum class Refusal {
    none,
    leaves,
    reductions,
    other_axes,  ///< reductions over axes that the stages of one kernel do not fold
    sort_and_reduction,
    scan_of_result,
    scan_and_other_axes,
    unordered_epilogue,
    beside_scan,  ///< an output needs a reduction beside a scan in every element
    after_epilogue
};

/// What the nodes of a program are, all together.
struct Census {
    int sorts = 0;
    int scans = 0;
    bit_set plain = 0;  ///< reductions that are neither

    constexpr explicit Census(const Nodes& n) {
        for (int i = 0; i < n.reductions; ++i) {
            const NodeKind kind = n.reduction_node(i).kind;
            sorts += kind == NodeKind::sort ? 1 : 0;
            scans += kind == NodeKind::scan ? 1 : 0;
            plain |= kind == NodeKind::reduction ? set_of(i) : 0;
        }
    }
    constexpr bool runs() const { return sorts + scans > 0; }
};

/// Whether a reduction of the epilogue would have to fold elements in their order, which threads share.
constexpr bool folds_in_order(const Nodes& n, const Arrangement& a) {
    for (int i = 0; i < n.reductions; ++i) {
        const NodeRecord& reduction = n.reduction_node(i);
        if (in_set(a.epilogue, i) && !reduction.commutes && (n.operand_of(reduction).varies & a.reduced) != 0) {
            return true;
        }
    }
    return false;
}

/// Whether an output that varies along some of these axes needs a reduction of a set.
constexpr bool broadcasts(const Nodes& n, std::uint32_t axes, bit_set reductions) {
    for (int i = 0; i < n.roots; ++i) {
        if ((n.root_node(i).varies & axes) != 0 && (n.root_node(i).needs & reductions) != 0) {
            return true;
        }
    }
    return false;
}

/// The first reason that applies.
constexpr Refusal refusal_of(const Nodes& n, const Arrangement& a) {
    const Census census(n);
    return n.leaves > 64                                            ? Refusal::leaves
           : n.reductions > 64                                      ? Refusal::reductions
           : a.fit == Fit::no                                       ? Refusal::other_axes
           : census.sorts > 0 && census.sorts < n.reductions        ? Refusal::sort_and_reduction
           : census.runs() && a.phases != 1                         ? Refusal::scan_of_result
           : census.runs() && a.epilogue != 0                       ? Refusal::scan_and_other_axes
           : folds_in_order(n, a)                                   ? Refusal::unordered_epilogue
           : census.runs() && broadcasts(n, a.walked, census.plain) ? Refusal::beside_scan
           : broadcasts(n, a.domain, a.epilogue)                    ? Refusal::after_epilogue
                                                                    : Refusal::none;
}

/// The first reduction over other axes than reduction 0.
constexpr int with_other_axes(const Nodes& n) {
    int i = 0;
    while (i < n.reductions && n.reduction_node(i).axes == n.reduction_node(0).axes) {
        ++i;
    }
    return i < n.reductions ? i : 0;
}

/// Printed by the compiler when two reductions exclude each other.
template <class R, class Axes>
struct reduction_over {};
template <std::uint32_t Mask, class Sequence = std::make_integer_sequence<int, max_rank>>
struct axes_of_mask;
template <std::uint32_t Mask, int... I>
struct axes_of_mask<Mask, std::integer_sequence<int, I...>> {
    template <int J>
    using one = std::conditional_t<((Mask >> J) & 1U) != 0, type_list<std::integral_constant<int, J>>, type_list<>>;
    template <class... A>
    static axes_t<A::value...> to_axes(type_list<A...>);
    using type = decltype(to_axes(concat_t<type_list<>, one<I>...>{}));
};
template <class Reduction>
struct named_reduction;
template <class R, class E, std::uint32_t Mask>
struct named_reduction<ir::Reduction<R, E, Mask>> {
    using type = reduction_over<R, typename axes_of_mask<Mask>::type>;
};
template <class First, class Second>
struct these_two_reductions_cannot_be_one_kernel {
    static_assert(std::is_void_v<First>,
                  "fuse: two reductions over different axes cannot be one kernel (unless the second folds the results "
                  "of the first to a scalar, as the mean of a per-row loss): evaluate one of them into a view first. "
                  "The two reductions and their axes are named in this template's arguments");
};

/// Compiles if R is none.
template <class G, Refusal R>
struct check_program {
    static_assert(R != Refusal::leaves, "fuse: at most 64 distinct leaves in one kernel");
    static_assert(R != Refusal::reductions, "fuse: at most 64 distinct reductions in one kernel");
    static_assert(
        R != Refusal::sort_and_reduction,
        "fuse: a sort cannot be one kernel with a scan or a reduction: evaluate one of the two into a view first");
    static_assert(R != Refusal::scan_of_result,
                  "fuse: a scan cannot be one kernel with a scan or reduction of its result, nor of a reduction: "
                  "evaluate the inner one into a view first");
    static_assert(
        R != Refusal::scan_and_other_axes,
        "fuse: a scan cannot be one kernel with a reduction over other axes than its own: evaluate one of the two "
        "into a view first");
    static_assert(R != Refusal::unordered_epilogue,
                  "fuse: an op that does not commute cannot fold all elements after another reduction: evaluate its "
                  "operand into a view first");
    static_assert(R != Refusal::beside_scan,
                  "fuse: the result of a reduction beside a scan is known at the end of the row: it cannot be "
                  "broadcast back in the same eval. Evaluate it into a view first");
    static_assert(R != Refusal::after_epilogue,
                  "fuse: a reduction over the kept axes ends the kernel: its result cannot be broadcast back in "
                  "the same eval. Evaluate it into a view first");
};
template <class G>
struct check_program<G, Refusal::other_axes> {
    template <int I>
    using named = typename named_reduction<typename G::template type_of<G::nodes.reduction[I]>::type>::type;
    static constexpr these_two_reductions_cannot_be_one_kernel<named<0>, named<with_other_axes(G::nodes)>> refused{};
};

}  // namespace detail

FUSE_END_NAMESPACE
