// SPDX-License-Identifier: Apache-2.0
//
// plan<Statements...>: what a set of statements lowers to, as compile-time facts. The user asserts on
//   plan<decltype(y = softmax(x))>::kernels, ::family, ::phases, ::temporaries, ::passes<"x">
// and the executors take ::program.
#pragma once

#include "fuse/plan/leaf_sets.hpp"
#include "fuse/plan/refusal.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The choice of the reduced axes S: those of the phases. Everything else is an epilogue, or refused. An exact fit goes
/// before one in which an operand is stretched, which costs time.
template <int D, class Reds>
struct choose_axes {
    static constexpr std::uint32_t all = (1U << D) - 1U;
    static constexpr Masks m = masks(Reds{});

    template <std::uint32_t S>
    static constexpr Fit fits = fit_all<S, all, family_of(D, S) == Family::rows>(Reds{});
    static constexpr Fit best = [] {
        if constexpr (m.first == m.other) {
            return fits<m.first>;
        } else {
            return largest(fits<m.first>, fits<m.other>, fits<m.together>);
        }
    }();
    static constexpr std::uint32_t value = fits<m.first> == best   ? m.first
                                           : fits<m.other> == best ? m.other
                                                                   : m.together;
    /// Without it, the refusal that follows is the one that counts: others must not be added to it.
    static constexpr bool known = best != Fit::no;

    template <class List>
    struct verify {};
    template <class First, class... Rest>
    struct verify<type_list<First, Rest...>>
        : these_two_reductions_cannot_be_one_kernel<named_reduction<at_t<type_list<First, Rest...>, m.first_index>>,
                                                    named_reduction<at_t<type_list<First, Rest...>, m.other_index>>,
                                                    known> {};
    static constexpr verify<Reds> verified{};
};

template <class List, std::uint32_t S>
inline constexpr int deepest = 0;
template <class... Red, std::uint32_t S>
inline constexpr int
    deepest<type_list<Red...>, S> = largest(0, (in_phase(red_traits<Red>::mask, S) ? depth<Red, S> : 0)...);

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
        static_assert(
            view_rank == std::popcount(Varies),
            "fuse: the rank of an output is neither that of its expression nor that without its keepdims axes");
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
    using lowered = LowerStatements<S...>;
    static constexpr int rank = lowered::domain_rank;
    static constexpr std::uint32_t every_axis = (1U << rank) - 1U;
    using expressions = typename lowered::expressions;

    template <class List>
    struct collect;
    template <class... E>
    struct collect<type_list<E...>> {
        using leaves = unite_t<typename facts<E>::reads...>;
        using functors = unite_t<typename facts<E>::functors...>;
        using reds = unite_t<typename facts<E>::reds...>;
    };
    using collected = collect<expressions>;
    using ir_leaves = typename collected::leaves;
    using ir_functors = typename collected::functors;
    using ir_reds = typename collected::reds;

    using axes = choose_axes<rank, ir_reds>;
    static constexpr std::uint32_t reduced = axes::value;
    static constexpr bool scan = any_running(ir_reds{});
    static constexpr Family family = scan ? Family::scan : family_of(rank, reduced);
    static constexpr int phases = deepest<ir_reds, reduced>;
    /// In the map family all axes are walked like reduced ones.
    static constexpr std::uint32_t walked = family == Family::map ? every_axis : reduced;

    template <class Sequence>
    struct ordered;
    template <int... P>
    struct ordered<std::integer_sequence<int, P...>> {
        using phase_lists = type_list<select_t<ir_reds, at_depth<reduced, P + 1>>...>;
        using epilogue_list = select_t<ir_reds, not_in_phase<reduced>>;
        using all = concat_t<type_list<>, select_t<ir_reds, at_depth<reduced, P + 1>>..., epilogue_list>;
    };
    using order = ordered<std::make_integer_sequence<int, phases>>;
    using numbered_reds = typename order::all;
    static constexpr bool has_epilogue = order::epilogue_list::size > 0;

    // One mistake, one sentence: each refusal holds its tongue where one before it has spoken.
    static constexpr bool one_sort = !sorts_and_scans(ir_reds{}) || !scan;
    static_assert(
        !axes::known || one_sort,
        "fuse: a sort cannot be one kernel with a scan or a reduction: evaluate one of the two into a view first");
    static constexpr bool one_scan = axes::known && one_sort && (!scan || phases == 1);
    static_assert(!axes::known || !one_sort || one_scan,
                  "fuse: a scan cannot be one kernel with a scan or reduction of its result, nor of a reduction: "
                  "evaluate the inner one into a view first");
    static constexpr bool alone = one_scan && (!has_epilogue || !scan);
    static_assert(
        !one_scan || alone,
        "fuse: a scan cannot be one kernel with a reduction over other axes than its own: evaluate one of the two "
        "into a view first");

    template <class E>
    using kernel_expression = typename number<E, ir_leaves, ir_functors, numbered_reds>::type;

    template <class List>
    struct to_phase;
    template <class... Red>
    struct to_phase<type_list<Red...>> {
        using type = Phase<kir::Reduction<typename red_traits<Red>::reduction,
                                          kernel_expression<typename red_traits<Red>::operand>>...>;
        /// Bit i: reduction i of an epilogue folds every element, not one value per row.
        static constexpr std::uint64_t items = [] {
            constexpr bool item[] = {(varies<typename red_traits<Red>::operand> & reduced) != 0 ..., false};
            std::uint64_t bits = 0;
            for (int i = 0; i < static_cast<int>(sizeof...(Red)); ++i) {
                bits |= item[i] ? std::uint64_t{1} << i : 0;
            }
            return bits;
        }();
        static constexpr bool orders_items =
            ((!red_traits<Red>::reduction::commutative && (varies<typename red_traits<Red>::operand> & reduced) != 0) ||
             ...);
    };
    template <class List>
    struct to_phases;
    template <class... L>
    struct to_phases<type_list<L...>> {
        using type = type_list<typename to_phase<L>::type...>;
    };
    using epilogue = to_phase<typename order::epilogue_list>;
    static constexpr bool commutes = alone && (!has_epilogue || !epilogue::orders_items);
    static_assert(!alone || commutes,
                  "fuse: an op that does not commute cannot fold all elements after another reduction: evaluate its "
                  "operand into a view first");

    template <class Statement, int I>
    struct output {
        using E = at_t<expressions, I>;
        static constexpr std::uint32_t varying = varies<E>;
        static constexpr AxisMap axes_map = output_axes<Statement, lowered, varying, rank>();
        static constexpr bool after_scan = scan && (varying & walked) != 0 && has_plain<E>;
        static constexpr bool after_epilogue = varying != 0 && reads_epilogue<E, reduced>;
        static constexpr kir::Extent extent = (varying & walked) != 0 ? kir::Extent::item
                                              : varying != 0          ? kir::Extent::outer
                                                                      : kir::Extent::once;
        static constexpr int filled = rank_v<typename Statement::expression_type> == 0 ? Statement::view_type::rank : 0;
        using type = kir::Output<typename Statement::view_type::storage_type, kernel_expression<E>, extent, filled>;
        /// Domain axes along which the kernel writes it.
        static constexpr std::uint32_t spans = extent == kir::Extent::item    ? every_axis
                                               : extent == kir::Extent::outer ? every_axis & ~walked
                                                                              : 0U;
        /// Whether it may have elements where the domain has none, which a kernel does not see: an empty epilogue does.
        static constexpr bool outlives_rows =
            extent == kir::Extent::once && (every_axis & ~walked) != 0 && (!has_epilogue || reads_phase<E, reduced>);
        static constexpr bool stretches =
            outlives_rows || may_be_stretched<E, ir_leaves, spans>(std::make_integer_sequence<int, rank>{});
    };
    template <class... Red>
    static constexpr std::uint64_t numbers(type_list<Red...>) {
        return (std::uint64_t{0} | ... | (std::uint64_t{1} << (index_of<numbered_reds, Red> & 63)));
    }
    template <class Sequence>
    struct outputs_of;
    template <int... I>
    struct outputs_of<std::integer_sequence<int, I...>> {
        using type = type_list<typename output<S, I>::type...>;
        static_assert(!commutes || !(output<S, I>::after_scan || ...),
                      "fuse: the result of a reduction beside a scan is known at the end of the row: it cannot be "
                      "broadcast back in the same eval. Evaluate it into a view first");
        static_assert(!commutes || !(output<S, I>::after_epilogue || ...),
                      "fuse: a reduction over the kept axes ends the kernel: its result cannot be broadcast back in "
                      "the same eval. Evaluate it into a view first");
        static constexpr AxisMap axes[sizeof...(I)] = {output<S, I>::axes_map...};
        static constexpr bool stretches = (output<S, I>::stretches || ...);
        /// Bit i of needs[o]: output o needs reduction i.
        static constexpr std::array<std::uint64_t, sizeof...(I)> needs = {
            numbers(typename facts<at_t<expressions, I>>::reds{})...};
    };
    using outputs = outputs_of<std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>>;

    /// Domain axes that the kernel walks for a reduction.
    template <class Red>
    static constexpr std::uint32_t walked_for = in_phase(red_traits<Red>::mask, reduced) ? reduced
                                                : (varies<typename red_traits<Red>::operand>& reduced) != 0
                                                    ? every_axis
                                                    : every_axis & ~reduced;
    template <class List>
    struct stretched;
    template <class... Red>
    struct stretched<type_list<Red...>> {
        static constexpr bool value = (false || ... ||
                                       may_be_stretched<typename red_traits<Red>::operand, ir_leaves, walked_for<Red>>(
                                           std::make_integer_sequence<int, rank>{}));
    };

    template <class List>
    struct kernel_leaves;
    template <class... L>
    struct kernel_leaves<type_list<L...>> {
        using type = type_list<typename kernel_leaf<L, walked>::type...>;
    };
    template <class List>
    struct functor_types;
    template <class... F>
    struct functor_types<type_list<F...>> {
        using type = type_list<typename F::functor...>;
    };

    using program = Program<typename kernel_leaves<ir_leaves>::type, typename functor_types<ir_functors>::type,
                            typename to_phases<typename order::phase_lists>::type, typename epilogue::type,
                            typename outputs::type, rank - std::popcount(walked), std::popcount(walked),
                            epilogue::items, outputs::stretches || stretched<ir_reds>::value>;
};

template <class Id, class Leaf>
inline constexpr bool has_identity = false;
template <class Id, class T, std::uint64_t Axes>
inline constexpr bool has_identity<Id, ir::Leaf<Id, T, Axes>> = true;
template <class Id, class T>
inline constexpr bool has_identity<Id, ir::Scalar<Id, T>> = true;

template <class P, bool Resident, class Id, class... L>
constexpr int count_passes(type_list<L...>) {
    constexpr bool named[] = {has_identity<Id, L>..., false};
    static_assert((has_identity<Id, L> || ...), "fuse: passes<...>: no leaf of this name");
    int passes = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(L)); ++i) {
        passes += named[i] ? leaf_sets<P>::sweeps(i, Resident) : 0;
    }
    return passes;
}

}  // namespace detail

/// The plan of a set of statements (of types such as decltype(y = softmax(x))).
template <StatementLike... S>
struct plan {
    using planner = detail::Planner<S...>;
    using program = typename planner::program;

    /// Kernels launched by one eval. What would need more does not compile.
    static constexpr int kernels = 1;
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

FUSE_END_NAMESPACE
