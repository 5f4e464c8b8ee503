// SPDX-License-Identifier: Apache-2.0
//
// What cannot be one kernel: rules over the array of nodes, and over the statements as a whole.
#pragma once

#include "fuse/lang/shape.hpp"
#include "fuse/plan/kernel_form.hpp"
#include "fuse/plan/lower.hpp"
#include "fuse/plan/refusal.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

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

/// The first reason that applies to an arrangement of nodes.
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

/// A reduction and its axes, as the compiler shows them with the sentence about two that exclude each other.
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

template <int Rank, class List>
struct arranged_nodes;
template <int Rank, class... Root>
struct arranged_nodes<Rank, type_list<Root...>> {
    using type = ArrangedNodes<Rank, Root...>;
};

/// Whether the output has the rank of its expression, or that less the axes along which it does not vary (keepdims); a
/// scalar expression fills any.
template <class Statement>
constexpr bool rank_fits(std::uint32_t varies) {
    constexpr int rank = rank_v<typename Statement::expression_type>;
    constexpr int output = Statement::view_type::rank;
    return output == rank || rank == 0 || output == std::popcount(varies);
}

/// The two ranks of an output that does not fit.
struct Ranks {
    int output = 0;
    int expression = 0;
};

/// The judgement on a set of statements: the first refusal that applies, and what its sentence shows. Nothing here
/// stops the compiler: FUSE_REFUSE does.
template <class... S>
struct Verdict {
    using lowered = LowerStatements<S...>;
    using graph = typename arranged_nodes<lowered::domain_rank, typename lowered::expressions>::type;
    static constexpr Nodes nodes = graph::nodes;
    static constexpr StaticMisfit misfit = first_misfit({static_misfit<typename S::expression_type>...});
    static constexpr Ranks ranks = [] {
        Ranks wrong;
        int root = 0;
        const auto check = [&]<class Statement>(std::type_identity<Statement>) {
            if (!rank_fits<Statement>(nodes.root_node(root++).varies)) {
                wrong = {Statement::view_type::rank, rank_v<typename Statement::expression_type>};
            }
        };
        (check(std::type_identity<S>{}), ...);
        return wrong;
    }();
    static constexpr Refusal refusal =
        first_of({misfit.first != misfit.second ? Refusal::static_extents : Refusal::none, lowered::refusal,
                  refusal_of(nodes, graph::arrangement),
                  ranks.output != ranks.expression ? Refusal::output_rank : Refusal::none});

    template <int I>
    static constexpr auto named() {
        if constexpr (refusal == Refusal::other_axes) {
            return typename named_reduction<typename graph::template type_of<nodes.reduction[I]>::type>::type{};
        }
    }
    using first = decltype(named<0>());
    using second = decltype(named<(refusal == Refusal::other_axes ? with_other_axes(nodes) : 0)>());
};

}  // namespace detail

FUSE_END_NAMESPACE
