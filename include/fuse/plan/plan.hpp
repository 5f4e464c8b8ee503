// SPDX-License-Identifier: Apache-2.0
//
// plan<Statements...>: what a set of statements lowers to, as constants. The user asserts on
//   plan<decltype(y = softmax(x))>::kernels, ::family, ::phases, ::temporaries, ::passes<"x">
// and the executors take ::program.
#pragma once

#include <array>
#include <bit>

#include "fuse/plan/leaf_sets.hpp"
#include "fuse/plan/rules.hpp"
#include "fuse/plan/stretching.hpp"

// The sentence, which two compilers take in two ways.
#define FUSE_NO_LEAF "fuse: passes<...>: no leaf of this name"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Axes of an output in the domain: the expression's own when the ranks agree; those along which the expression
/// varies when the view leaves out its kept (extent 1) axes; none for a scalar, whatever it fills.
template <class Statement, class Root, std::uint32_t Varies, int D>
constexpr AxisMap output_axes() {
    constexpr int view_rank = Statement::view_type::rank;
    if constexpr (view_rank == rank_v<typename Statement::expression_type>) {
        return Root::template root_map<Statement>();
    } else if constexpr (rank_v<typename Statement::expression_type> == 0) {
        return AxisMap{};
    } else {
        AxisMap m;
        for (int axis = 0; axis < D; ++axis) {
            if (((Varies >> axis) & 1U) != 0) {
                m.axis[m.rank++] = axis;
            }
        }
        return m;
    }
}

template <class... S>
struct Planner {
    using verdict = Verdict<S...>;
    using lowered = typename verdict::lowered;
    static constexpr int rank = lowered::domain_rank;
    using expressions = typename lowered::expressions;
    using graph = typename verdict::graph;
    static constexpr Nodes nodes = graph::nodes;
    static constexpr Arrangement arrangement = graph::arrangement;

    /// The rank less the axes behind all others that are none (rank_in_use).
    static constexpr int in_use = std::bit_width(arrangement.domain);
    static constexpr std::uint32_t reduced = arrangement.reduced;
    static constexpr std::uint32_t walked = arrangement.walked;
    static constexpr Family family = Census(nodes).runs() ? Family::scan : family_of(in_use, reduced);
    static constexpr int phases = arrangement.phases;
    static constexpr bool has_epilogue = arrangement.epilogue != 0;

    using leaves = leaf_types<graph, std::make_integer_sequence<int, graph::array.leaves>>;
    using ir_leaves = typename leaves::ir;
    using ir_reductions =
        typename reduction_types<graph, std::make_integer_sequence<int, graph::array.reductions>>::type;
    using functors = typename functor_types<graph, std::make_integer_sequence<int, graph::array.states>>::type;

    template <class Statement, int I>
    struct output {
        static constexpr NodeRecord root = nodes.root_node(I);
        static constexpr std::uint32_t varying = root.varies;
        static constexpr AxisMap axes_map = output_axes<Statement, lowered, varying, rank>();
        static constexpr unsigned along = arrangement.along(varying);
        static constexpr int filled = rank_v<typename Statement::expression_type> == 0 ? Statement::view_type::rank : 0;
        using type = kir::Output<typename Statement::view_type::storage_type,
                                 typename kernel_form<graph, at_t<expressions, I>>::type, along,
                                 Reads<root.leaves, stages_of(nodes, arrangement, root.results)>, filled>;
        /// Domain axes along which the kernel writes it.
        static constexpr std::uint32_t covers = arrangement.covers(root);
    };
    template <class Sequence>
    struct outputs_of;
    template <int... I>
    struct outputs_of<std::integer_sequence<int, I...>> {
        using type = type_list<typename output<S, I>::type...>;
        static constexpr AxisMap axes[sizeof...(I)] = {output<S, I>::axes_map...};
        /// Bit i of needs[o]: output o needs reduction i of the program.
        static constexpr std::array<std::uint64_t, sizeof...(I)> needs = {
            in_program_order(nodes, arrangement, nodes.root_node(I).needs)...};
    };
    using outputs = outputs_of<std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>>;

    using program = Program<typename leaves::kernel, functors,
                            typename kernel_stages<graph, std::make_integer_sequence<int, arrangement.stages()>>::type,
                            typename outputs::type, in_use - std::popcount(walked), std::popcount(walked),
                            stretches(nodes, arrangement)>;
};

template <class Id, class... L>
constexpr bool any_has_identity(type_list<L...>) {
    return (has_identity<Id, L> || ...);
}
template <class P, bool Resident, class Id, class... L>
constexpr int count_passes(type_list<L...>) {
    constexpr bool named[] = {has_identity<Id, L>..., false};
    static_assert((has_identity<Id, L> || ...), FUSE_NO_LEAF);
    int passes = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(L)); ++i) {
        passes += named[i] ? leaf_sets<P>::sweeps(i, Resident) : 0;
    }
    return passes;
}

/// What is planned for S: a statement, or that which writes an expression to an output of its shape.
template <class S>
struct planned {
    using type = S;
};
template <Expression E>
struct planned<E> {
    using expression = std::remove_cvref_t<E>;
    template <class Sequence>
    struct output;
    template <int... I>
    struct output<std::integer_sequence<int, I...>> {
        using type = View<value_t<E>, name<'r', 'e', 's', 'u', 'l', 't'>, (static_cast<void>(I), dynamic)...>;
    };
    using view = typename output<std::make_integer_sequence<int, rank_v<E>>>::type;
    using type = Statement<view, expression>;
};

}  // namespace detail

/// What can be planned and explained.
template <class S>
concept Plannable = StatementLike<S> || Expression<S>;

namespace detail {

// Concepts, because only of those a compiler sees that one is more than another.
template <class... S>
concept AllPlannable = (Plannable<S> && ...);
template <class... S>
concept InSteps = AllPlannable<S...> && Verdict<typename planned<S>::type...>::in_steps;

}  // namespace detail

/// The plan of a set of statements (of types such as decltype(y = softmax(x))), or of expressions without outputs.
template <class... S>
    requires detail::AllPlannable<S...>
struct plan {
    using verdict = detail::Verdict<typename detail::planned<S>::type...>;
    FUSE_REFUSE(verdict);
    using planner = detail::Planner<typename detail::planned<S>::type...>;
    using program = typename planner::program;

    /// Kernels launched by one eval. What would need more does not compile.
    static constexpr int kernels = 1;
    /// What is done one after the other, and how often all blocks wait for each other between.
    static constexpr int steps = 1;
    static constexpr int barriers = 0;
    /// Intermediate arrays in memory.
    static constexpr int temporaries = 0;
    static constexpr Family family = planner::family;
    /// Reducing sweeps, before the one that writes the outputs.
    static constexpr int phases = planner::phases;
    static constexpr bool epilogue = planner::has_epilogue;
    /// Rank of the iteration space and its reduced axes (bit i = axis i).
    static constexpr int rank = planner::rank;
    static constexpr std::uint32_t reduced_axes = planner::reduced;
    static constexpr bool resident = family != Family::full && family != Family::map;

    /// Sweeps in which the leaf is loaded. Rows and columns that fit on chip are loaded once for all phases.
    template <fixed_name N>
    static constexpr int passes = detail::count_passes<program, resident, name_t<N>>(typename planner::ir_leaves{});
};

namespace detail {

template <class Statements>
struct plan_of_step;
template <class... S>
struct plan_of_step<std::tuple<S...>> {
    using type = plan<S...>;
};
template <class Pl, class Name>
inline constexpr int passes_of_step = 0;
template <class Pl, class Name>
    requires(any_has_identity<Name>(typename Pl::planner::ir_leaves{}))
inline constexpr int passes_of_step<Pl, Name> =
    count_passes<typename Pl::program, Pl::resident, Name>(typename Pl::planner::ir_leaves{});

template <class Steps, int I>
struct walk_of_step;  // one_pass.hpp

/// The same where columns read what the rows beside them have loaded.
template <class Steps, int I, class Name>
constexpr int passes_in_step() {
    constexpr int rows = walk_of_step<Steps, I>::value;
    if constexpr (rows >= 0) {
        using beside = typename plan_of_step<typename Steps::template statements_t<rows>>::type;
        if constexpr (any_has_identity<Name>(typename beside::planner::ir_leaves{})) {
            return 0;
        }
    }
    return passes_of_step<typename plan_of_step<typename Steps::template statements_t<I>>::type, Name>;
}

}  // namespace detail

/// The same of what is done in several steps of one kernel.
template <class... S>
    requires detail::InSteps<S...>
struct plan<S...> {
    using in_steps = detail::Steps<typename detail::planned<S>::type...>;

    static constexpr int kernels = 1;
    static constexpr int steps = in_steps::order.steps;
    /// Places where all blocks wait for each other, because a step reads what others have left. Where blocks share rows or
    /// columns they do so once more in between.
    static constexpr int barriers = in_steps::order.levels - 1;
    /// Results that are carried from step to step through memory of the kernel's own.
    static constexpr int temporaries = in_steps::order.carried_count();

    /// The plan of step I.
    template <int I>
    using step = typename detail::plan_of_step<typename in_steps::template statements_t<I>>::type;

    /// Sweeps of all steps in which the leaf is loaded. Rows that fit on chip are loaded once for the columns, too.
    template <fixed_name N>
    static constexpr int passes = []<int... I>(std::integer_sequence<int, I...>) {
        return (0 + ... + detail::passes_in_step<in_steps, I, name_t<N>>());
    }
    (std::make_integer_sequence<int, steps>{});
};
#if defined(FUSE_UNAVAILABLE)
template <class... S>
    requires detail::AllPlannable<S...>
template <fixed_name N>
    requires(!detail::any_has_identity<name_t<N>>(typename plan<S...>::planner::ir_leaves{}))
FUSE_UNAVAILABLE(FUSE_NO_LEAF)
constexpr int plan<S...>::passes<N> = 0;
#endif

FUSE_END_NAMESPACE
