// SPDX-License-Identifier: Apache-2.0
//
// What cannot be one kernel: rules over the array of nodes, and over the statements as a whole.
#pragma once

#include "fuse/lang/shape.hpp"
#include "fuse/plan/kernel_form.hpp"
#include "fuse/plan/lower_statements.hpp"
#include "fuse/plan/refusal.hpp"
#include "fuse/plan/rows_apart.hpp"
#include "fuse/plan/steps.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What the nodes of a program are, all together.
struct Census {
    int sorts = 0;
    int scans = 0;
    int reverse = 0;    ///< of these
    bit_set plain = 0;  ///< reductions that are neither

    constexpr explicit Census(const Nodes& n) {
        for (int i = 0; i < n.reductions; ++i) {
            const NodeKind kind = n.reduction_node(i).kind;
            sorts += kind == NodeKind::sort ? 1 : 0;
            scans += kind == NodeKind::scan ? 1 : 0;
            reverse += n.reduction_node(i).reverse ? 1 : 0;
            plain |= kind == NodeKind::reduction ? set_of(i) : 0;
        }
    }
    constexpr bool runs() const { return sorts + scans > 0; }
    /// A program goes along its axis in one direction, and only scans may go backwards.
    constexpr bool runs_both_ways() const { return reverse > 0 && (reverse < scans || plain != 0); }
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

/// Whether what stands in the way of an arrangement is the order in which one program does things.
constexpr bool needs_steps(const Nodes& n, const Arrangement& a, const Census& census) {
    return a.fit == Fit::no || census.runs_both_ways() || folds_in_order(n, a) || broadcasts(n, a.domain, a.epilogue) ||
           (census.runs() && (a.phases != 1 || a.epilogue != 0 || broadcasts(n, a.walked, census.plain)));
}

/// More than sets of leaves have room for.
constexpr bool too_many_leaves(const Nodes& n) {
    return n.leaves + n.roots > 64;
}

/// The first reason that applies to an arrangement of nodes.
constexpr Refusal refusal_of(const Nodes& n, const Arrangement& a) {
    const Census census(n);
    const bool apart = needs_steps(n, a, census);
    const bool sorts_apart = census.sorts > 0 && (census.sorts < n.reductions || apart);
    const bool sorts_elsewhere =
        census.sorts > 0 && !innermost_reduced(static_cast<int>(std::bit_width(a.domain)), a.reduced);
    return too_many_leaves(n)  ? Refusal::leaves
           : n.reductions > 64 ? Refusal::reductions
           : sorts_apart       ? Refusal::sort_and_reduction
           : sorts_elsewhere   ? Refusal::sort_axis
           : apart             ? Refusal::several_programs
                               : Refusal::none;
}

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

template <class... S>
struct Verdict;

/// Whether each step can be one program.
template <class... S, int... I>
constexpr bool steps_fit(std::integer_sequence<int, I...>) {
    constexpr auto fits = []<class... T>(std::type_identity<std::tuple<T...>>) {
        return Verdict<T...>::of_one_program == Refusal::none;
    };
    return (fits(std::type_identity<typename Steps<S...>::template statements_t<I>>{}) && ...);
}

/// The same for statements that one program cannot do. No branch of a function, which nvcc's front end would look into.
template <bool Needed, class... S>
inline constexpr bool fit_in_steps = false;
template <class... S>
inline constexpr bool
    fit_in_steps<true, S...> = steps_fit<S...>(std::make_integer_sequence<int, Steps<S...>::order.steps>{});

/// Whether statements in which something may be folded apart, with parts and without, may turn out to have several
/// iteration spaces. A step has one.
template <bool Folded, class Graph, class... S>
inline constexpr bool stand_apart = false;
template <class Graph, class... S>
inline constexpr bool stand_apart<true, Graph, S...> = [] {
    if constexpr ((is_of_step<S> && ...) || !(has_names<typename S::expression_type>() && ...)) {
        return false;
    } else if constexpr ((has_parts<typename S::expression_type>() || ...)) {
        return Spaces<Graph::nodes.reductions + Graph::nodes.roots>(Graph::nodes, part_keys<true, Graph, S...>)
            .folds_apart();
    } else {
        return true;
    }
}();

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
    static constexpr Refusal place = lowered::refusal != Refusal::crowded ? lowered::refusal
                                     : lowered::with_room                 ? Refusal::none
                                                                          : Refusal::other_place;
    /// Whether they can be one program.
    static constexpr Refusal of_one_program = first_of(
        {misfit.first != misfit.second ? Refusal::static_extents : Refusal::none, place,
         refusal_of(nodes, graph::arrangement), ranks.output != ranks.expression ? Refusal::output_rank : Refusal::none,
         lowered::with_room || fold_rows_apart<may_fold_apart(nodes, lowered::domain_rank), graph, S...> ||
                 stand_apart<folds_apart<(nodes.leaves > 1 && !too_many_leaves(nodes) && nodes.reductions > 0), graph>,
                             graph, S...>
             ? Refusal::several_programs
             : Refusal::none});
    /// Whether they are done in several steps (steps.hpp).
    static constexpr bool in_steps = fit_in_steps<of_one_program == Refusal::several_programs, S...>;
    /// Steps write outputs of their own: that one has the wrong rank is not to be looked for in what is refused of a step.
    static constexpr Refusal refusal = in_steps ? Refusal::none
                                       : of_one_program == Refusal::several_programs && ranks.output != ranks.expression
                                           ? Refusal::output_rank
                                           : of_one_program;
};

}  // namespace detail

FUSE_END_NAMESPACE
