// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps (plan/steps.hpp), ready to be launched: each step is prepared like statements
// of a user, and reads what earlier ones leave for it at addresses that no machine has; place() moves those into the
// memory that a launch provides. Nothing has been written when an exception leaves this file.
#pragma once

#include "fuse/exec/step.hpp"
#include "fuse/exec/step_names.hpp"

FUSE_BEGIN_NAMESPACE

/// All steps of statements S... .
template <Target T, class... S>
struct PreparedSteps {
    using steps = detail::Steps<S...>;
    static constexpr int count = steps::order.steps;

    bool empty = false;        ///< no output has an element: nothing to launch
    bool joined = false;       ///< columns are folded in walks along rows (kernels/steps/one_pass.hpp)
    double operand_bytes = 0;  ///< of all operands and outputs of the steps; if a hook is told of launches
    Launch launch;             ///< of all steps, once it is known
    unsigned threads = 1;      ///< of a block, on a device
    detail::CarriedResults carried;

    template <class Sequence>
    struct tuple_of;
    template <int... I>
    struct tuple_of<std::integer_sequence<int, I...>> {
        using type = std::tuple<
            detail::Perhaps<typename detail::prepared_step<T, typename steps::template statements_t<I>>::type>...>;
    };
    /// Steps that nothing needs, because outputs have no elements, are not there.
    typename tuple_of<std::make_integer_sequence<int, count>>::type step;

    FUSE_COLD PreparedSteps(const std::tuple<S...>& statements, const Policy& policy, const T& target,
                            const detail::Onlooker& onlooker)
        : carried(steps::carry(statements, detail::StepNames<typename steps::graph, S...>{onlooker.values})) {
        const bit_set needed = needed_results(statements);
        empty = !has_elements(statements);
        std::apply([&onlooker](const auto&... s) { (onlooker.values.note(s.output), ...); }, statements);
        const auto take_all = [&](const Policy& of_steps) {
            detail::for_numbers<count>([&]<int I>() { take_step<I>(statements, needed, of_steps, target, onlooker); });
        };
        if constexpr (std::is_same_v<T, Device>) {
            const Policy usual = detail::with_step_threads(policy, most_step_threads);
            threads = detail::step_threads(usual);
            take_all(usual);
            join_all(usual, target);
        } else {
            take_all(policy);
        }
    }

    /// memory: carried.bytes, aligned to detail::carried_alignment.
    void place(unsigned char* memory) {
        std::apply(
            [memory](auto&... one) { ((one.has_value() ? detail::place_operands(one->params, memory) : void()), ...); },
            step);
    }

private:
    using roots = std::make_index_sequence<sizeof...(S)>;

    /// Whether a step along columns writes what another one reads that may not be done when the rows are.
    bool waits_[count] = {};

    static bool has_elements(const std::tuple<S...>& statements) {
        return std::apply([](const auto&... s) { return ((s.output.size() > 0) || ...); }, statements);
    }
    /// Bit i: reduction i is needed by an output that has elements.
    static bit_set needed_results(const std::tuple<S...>& statements) {
        bit_set needed = 0;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((needed |=
              std::get<I>(statements).output.size() > 0 ? steps::nodes.root_node(static_cast<int>(I)).needs : 0),
             ...);
        }
        (roots{});
        return needed;
    }
    template <int I>
    static bool is_needed(const std::tuple<S...>& statements, bit_set needed) {
        bool any = false;
        for (int r = 0; r < steps::reductions; ++r) {
            any = any || (steps::order.of_reduction[r] == I && detail::in_set(needed, r));
        }
        [&]<std::size_t... R>(std::index_sequence<R...>) {
            ((any = any || (steps::order.of_root[R] == I && std::get<R>(statements).output.size() > 0)), ...);
        }
        (roots{});
        return any;
    }
    /// Outputs of step I, carried results first, that are not in `needed`.
    template <int I>
    static std::uint64_t unread_results(bit_set needed) {
        std::uint64_t unread = 0;
        int output = 0;
        for (int r = 0; r < steps::reductions; ++r) {
            if (steps::order.carried[r] && steps::order.of_reduction[r] == I) {
                unread |= detail::in_set(needed, r) ? 0 : std::uint64_t{1} << output;
                ++output;
            }
        }
        return unread;
    }
    template <int I>
    void take_step(const std::tuple<S...>& statements, bit_set needed, const Policy& policy, const T& target,
                   const detail::Onlooker& onlooker) {
        const auto own = steps::template statements<I>(statements, carried);
        check_step<I>(statements, own, roots{});
        if (is_needed<I>(statements, needed)) {
            auto& one = std::get<I>(step);
            // Steps are made of copies: their values have been seen.
            one.emplace(own, policy, target, detail::Onlooker{onlooker.operand, {}, unread_results<I>(needed)});
            operand_bytes += one->operand_bytes;
        }
    }

    /// Rows and columns in one pass, where all that have such kernels can be; of longer rows by larger blocks.
    FUSE_COLD void join_all(const Policy& policy, const T& device) {
        const Policy wide = detail::with_step_threads(policy, most_walk_threads, 2);
        Launch launches[count];
        joined = may_join_all(launches, policy, device);
        if (!joined && may_join_all(launches, wide, device)) {
            joined = true;
            threads = detail::step_threads(wide);
            std::apply(
                [&](auto&... one) {
                    ((one.has_value() && !one->empty ? one->choose_again(wide, device) : void()), ...);
                },
                step);
        }
        if (joined) {
            detail::for_numbers<count>([&]<int I>() {
                constexpr int rows = detail::walk_of_step<steps, I>::value;
                if constexpr (rows >= 0 || detail::one_pass_kernel<steps, I>::type::size > 0) {
                    std::get<I>(step)->rows = rows;
                    std::get<I>(step)->launch = launches[I];
                }
            });
        }
    }
    FUSE_COLD bool may_join_all(Launch* launches, const Policy& policy, const T& device) {
        bool any = false;
        bool all = true;
        detail::for_numbers<count>([&]<int I>() {
            using kernel = typename detail::one_pass_kernel<steps, I>::type;
            any = any || kernel::size > 0;
            all = all && may_join<I>(launches, policy, device, kernel{});
        });
        return any && all;
    }
    template <int I>
    static bool may_join(Launch*, const Policy&, const T&, type_list<>) {
        return true;
    }
    template <int I, class P, int V, int N, class... C>
    FUSE_COLD bool may_join(Launch* launches, const Policy& policy, const T& device,
                            type_list<OnePassKernel<I, P, V, N, C...>>) {
        const auto& rows = std::get<I>(step);
        constexpr ProgramFacts facts = program_facts<detail::plan_of_step_t<steps, I>, Device>::value;
        return rows.has_value() && !rows->empty &&
               detail::choose_walk(launches[I], facts, rows->layout, policy, device, N) &&
               (is_beside<I, C>(launches[C::step], launches[I], device) && ...);
    }
    template <int I, class C>
    bool is_beside(Launch& l, const Launch& walk, const T& device) const {
        const auto& rows = *std::get<I>(step);
        const auto& own = std::get<C::step>(step);
        if (!own.has_value() || own->empty || waits_[C::step]) {
            return false;
        }
        constexpr ProgramFacts facts = program_facts<detail::plan_of_step_t<steps, C::step>, Device>::value;
        bool same = rows.params.walked.count == 1 && rows.params.kept.count == own->params.walked.count;
        detail::for_numbers<C::program::leaves::size>([&]<int L>() {
            if constexpr (C::from[L] >= 0) {
                same = same && detail::is_same_operand(get<C::from[L]>(rows.params.leaves), get<L>(own->params.leaves),
                                                       rows.params.kept.count);
            }
        });
        return same && detail::choose_beside(l, facts, own->layout, walk, rows.layout, device);
    }

    template <class Leaf>
    static bool overlaps_memory(const Shape& shape, const OperandLayout& written, const Leaf& leaf) {
        OperandLayout read = detail::layout_of(leaf);
        if constexpr (requires { leaf.source(); }) {
            read.stride = leaf.source().view.stride;
            return Leaf::in_memory && partially_overlap(shape, written, leaf.source().view.shape, read, true);
        } else {
            return partially_overlap(shape, written, leaf.shape(), read, true);
        }
    }
    /// What other steps write must not be read by a step beside or behind them, nor written by any. own: what step I does.
    template <int I, class Own, std::size_t... R>
    void check_step(const std::tuple<S...>& statements, const Own& own, std::index_sequence<R...>) {
        (check_output<I, steps::order.of_root[R]>(std::get<R>(statements).output, own), ...);
    }
    template <int I, int Writer, class Output, class Own>
    void check_output(const Output& output, const Own& own) {
        constexpr int rows = steps::order.rows_of[Writer];
        constexpr int level = steps::order.step[I].level;
        if constexpr (Writer != I) {
            const OperandLayout written = detail::layout_of(output);
            const auto refuse = [&]<class Leaf>(const Leaf& leaf) {
                if constexpr (Leaf::reads) {
                    if (overlaps_memory(output.shape(), written, leaf)) {
                        detail::throw_steps_overlap(Output::name_type::text, Leaf::name_type::text);
                    }
                }
            };
            const auto note = [&]<class Leaf>(const Leaf& leaf) {
                if constexpr (Leaf::reads) {
                    waits_[Writer] = waits_[Writer] || overlaps_memory(output.shape(), written, leaf);
                }
            };
            std::apply(
                [&](const auto&... s) {
                    (refuse(s.output), ...);
                    if constexpr (level >= steps::order.step[Writer].level) {
                        (detail::for_each_leaf(s.expression, refuse), ...);
                    } else if constexpr (rows >= 0 && rows != I &&
                                         level >= steps::order.step[rows < 0 ? 0 : rows].level) {
                        (detail::for_each_leaf(s.expression, note), ...);
                    }
                },
                own);
        }
    }
};

namespace detail {

template <bool InSteps, Target T, class... S>
struct preparation {
    using type = Prepared<T, S...>;
};
template <Target T, class... S>
struct preparation<true, T, S...> {
    using type = PreparedSteps<T, S...>;
};

}  // namespace detail

/// What is launched for statements: one program, or the steps that it takes.
template <Target T, class... S>
using Preparation = typename detail::preparation<detail::Verdict<S...>::in_steps, T, S...>::type;

FUSE_END_NAMESPACE
