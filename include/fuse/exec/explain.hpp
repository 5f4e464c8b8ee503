// SPDX-License-Identifier: Apache-2.0
//
// explain(executor, statements...): the plan before anything runs: what is read and written, the phases, the strategy
// and why it was chosen, the bytes and the time that the memory needs for them, and hints.
#pragma once

#include <tuple>
#include <vector>

#include "fuse/exec/executor.hpp"
#include "fuse/exec/explanation_formats.hpp"
#include "fuse/exec/explanation_letters.hpp"
#include "fuse/lang/named.hpp"
#include "fuse/lang/no_element.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Nothing is read of extents alone, nor of what says whether a position is inside a window.
template <class View>
constexpr bool is_read() {
    if constexpr (requires { View::in_memory; }) {
        return View::in_memory;
    } else {
        return !std::is_same_v<typename View::element_type, NoElement>;
    }
}

template <class View>
auto describe(const View& view) {
    typename depending_t<View>::Array a;
    a.name << view;
    Shape strides = view.strides();
    a.shape = view.shape();
    if constexpr (requires { view.source(); }) {
        a.window = true;
        a.shape = view.source().view.shape;
        strides = view.source().view.stride;
    }
    index_t n = 1;
    for (int axis = 0; axis < a.shape.rank; ++axis) {
        n *= strides[axis] == 0 ? 1 : a.shape[axis];
    }
    a.bytes = static_cast<double>(n) * sizeof(typename View::storage_type);
    a.named = is_named<typename View::name_type>;
    a.address = reinterpret_cast<std::uintptr_t>(view.data());
    return a;
}

/// An expression as a person would write it: without parentheses around the whole.
FUSE_RARE inline Text unwrapped(Text expression) {
    expression.unwrap(0);
    return expression;
}

/// Collects the distinct leaves, reductions and names of a set of statements; a sink of Lower<...>::walk.
template <class Pl>
class Description {
    using graph = typename Pl::planner::graph;
    using letters_type = depending_t<Pl, Letters<>>;

public:
    explicit Description(depending_t<Pl>& e) : explanation_(e) {
        for (int& place : place_) {
            place = -1;
        }
    }

    template <class Leaf, class View>
    void leaf(const View& view) {
        using sets = leaf_sets<typename Pl::program>;
        constexpr int i = graph::template number<Leaf>;
        letters.taken(View::name_type::text);
        if (place_[i] < 0 && is_read<View>()) {
            place_[i] = static_cast<int>(explanation_.reads.size());
            auto a = describe(view);
            a.passes = sets::sweeps(i, Pl::resident);
            a.again = a.passes == 1 && ((sets::shared >> i) & 1U) != 0;  // where it does not stay on chip
            if (a.window) {
                a.passes = largest(1, sets::sweeps_of::uses(i, sets::items));  // nothing of it stays there
            }
            explanation_.reads.push_back(a);
        }
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar&) {
        letters.taken(Scalar::name_type::text);
    }
    template <class Id, class F>
    void functor(const F&) {}
    Description& nodes() { return *this; }
    template <class Node>
    void node(const Node&) {}
    template <class Name, class E>
    void node(const Named<Name, E>& named) {
        letters.taken(Name::text);
        for (const NamedNode& n : names_) {
            if (n.name == static_cast<const char*>(Name::text)) {
                return;
            }
        }
        names_.push_back({Name::text,
                          [](const letters_type& l, const void* e) {
                              Text out = l.text();
                              static_cast<const E*>(e)->print(out);
                              return out;
                          },
                          &named.expression});
    }
    template <int I, class Statement>
    void statement(const Statement& s) {
        letters.taken(Statement::view_type::name_type::text);
        explanation_.writes.push_back(describe(s.output));
    }
    template <class Reduction, std::uint64_t, class Node>
    void reduction(const Node& node) {
        constexpr auto planned = graph::template node<Reduction>;
        const int phase = graph::arrangement.in_phase(planned) ? planned.depth : 0;
        letters.occurs(planned.number, phase, erase(node));
    }

    /// After the walk.
    template <class... S>
    FUSE_COLD void finish(const S&... statements) {
        letters.give();
        explanation_.count_memory_once();
        for (std::size_t i = 0; i < letters.in_order.size(); ++i) {
            const auto& r = letters.in_order[i];
            const NodeRecord& operand = graph::nodes.operand_of(graph::nodes.reduction_node(r.number));
            Text out = letters.text();
            r.node.print(out);
            explanation_.reductions.push_back(
                {letters[i], unwrapped(out), views(operand.leaves), letters.places(operand.results), r.phase});
        }
        int root = 0;
        const auto output = [&](const auto& expression) {
            const NodeRecord& r = graph::nodes.root_node(root);
            Text out = letters.text();
            out << expression;
            explanation_.outputs.push_back({explanation_.writes[static_cast<std::size_t>(root)].name, unwrapped(out),
                                            views(r.leaves), letters.places(r.results)});
            ++root;
        };
        (output(statements.expression), ...);
        for (const NamedNode& n : names_) {
            explanation_.names.push_back({Text() << n.name, unwrapped(n.print(letters, n.expression))});
        }
    }

    letters_type letters;

private:
    struct NamedNode {
        const char* name;
        Text (*print)(const letters_type&, const void*);
        const void* expression;
    };

    /// A set of leaves, as a set of places among the views that are read.
    bit_set views(bit_set leaves) const {
        bit_set set = 0;
        for (int i = 0; i < Pl::planner::ir_leaves::size; ++i) {
            set |= in_set(leaves, i) && place_[i] >= 0 ? set_of(place_[i]) : 0;
        }
        return set;
    }

    depending_t<Pl>& explanation_;
    int place_[Pl::planner::ir_leaves::size + 1];
    std::vector<NamedNode> names_;
};

/// An expression as the statement that writes it to an output of its shape, which is nowhere, apart from what has extents
/// alone; I: of those of an eval.
template <std::size_t I, Plannable S>
auto as_statement(const S& s) {
    if constexpr (StatementLike<S>) {
        return s;
    } else {
        const Shape shape = shape_of(s);
        const typename planned<S>::view output(reinterpret_cast<value_t<S>*>(nowhere + ((I + 1) << 56U)), shape,
                                               row_major(shape));
        return typename planned<S>::type{output, s};
    }
}

/// prepared: of these statements, by this executor.
template <Executor E, class Preparation, StatementLike... S>
depending_t<E> explain_prepared(const Preparation& prepared, const std::tuple<S...>& all) {
    using Pl = plan<S...>;
    depending_t<E> e;
    Description<Pl> description(e);
    Pl::planner::lowered::all::walk(all, description);
    std::apply([&](const auto&... s) { description.finish(s...); }, all);

    using sets = leaf_sets<typename Pl::program>;
    constexpr int writing = (sets::writes_items && !sets::writes_early) || Pl::phases == 0 ? 1 : 0;
    e.domain = prepared.domain;
    e.family = Pl::family;
    e.phases = Pl::phases;
    e.sweeps = Pl::family == Family::scan ? 1 : Pl::phases + writing;
    e.epilogue = Pl::epilogue;
    e.executor = E::name;
    e.on_device = std::is_same_v<typename E::target_type, Device>;
    e.empty = prepared.empty;
    e.launch = prepared.launch;
    e.bandwidth = E::bandwidth();
    for (auto& a : e.reads) {
        a.again = a.again && prepared.launch.rereads;
    }
    return e;
}

/// Columns that are folded on the way along rows read nothing that these have read or found.
FUSE_COLD inline void leave_to_rows(std::vector<Explanation::Array>& reads, const Explanation& rows) {
    for (auto& a : reads) {
        for (const auto* list : {&rows.reads, &rows.writes}) {
            for (const auto& of_rows : *list) {
                a.passes = a.named && of_rows.address == a.address ? 0 : a.passes;
            }
        }
        a.again = false;
    }
}

template <Executor E, StatementLike... S>
depending_t<E> explain_steps(const E& executor, const PreparedSteps<typename E::target_type, S...>& prepared,
                             const std::tuple<S...>& all) {
    using target = typename E::target_type;
    using steps = Steps<S...>;
    depending_t<E> e;
    const auto output = [&e](const auto& s) {
        Text out;
        out << s.expression;
        e.writes.push_back(describe(s.output));
        e.outputs.push_back({e.writes.back().name, unwrapped(out), 0, 0, 0});
    };
    std::apply([&](const auto&... s) { (output(s), ...); }, all);
    std::size_t place[steps::order.steps] = {};
    for_numbers<steps::order.steps>([&]<int I>() {
        const auto& step = std::get<I>(prepared.step);
        if (step.has_value()) {
            place[I] = e.steps.size();
            e.steps.push_back(explain_prepared<E>(*step, steps::template statements<I>(all, prepared.carried)));
            e.levels.push_back(steps::order.step[I].level);
            if constexpr (requires { step->rows; }) {
                if (step->rows >= 0) {
                    leave_to_rows(e.steps.back().reads, e.steps[place[step->rows]]);
                }
            }
        }
    });
    e.temporaries = steps::order.carried_count();
    e.carried_bytes = static_cast<double>(prepared.carried.bytes);
    e.executor = E::name;
    e.on_device = std::is_same_v<target, Device>;
    e.empty = prepared.empty;
    e.bandwidth = E::bandwidth();
    if constexpr (std::is_same_v<target, Device>) {
        e.launch = StepsLaunch<S...>(prepared, executor.policy(), executor.target()).launch;
    }
    return e;
}

template <Executor E, StatementLike... S>
depending_t<E> explain_statements(const E& executor, const std::tuple<S...>& all) {
    const auto prepared = executor.prepare(all);
    if constexpr (requires { prepared.step; }) {
        return explain_steps(executor, prepared, all);
    } else {
        return explain_prepared<E>(prepared, all);
    }
}

}  // namespace detail

/// The plan of eval(executor, statements...): streams into std::cout and converts to std::string as text, and is data,
/// JSON and a graph as well. Runs every check of eval; launches nothing. An expression stands for the statement that
/// writes it to an output of its shape.
template <Executor E, Plannable... S>
    requires(sizeof...(S) > 0)
detail::depending_t<E, Explanation> explain(const E& executor, const S&... statements) {
    using verdict = detail::Verdict<typename detail::planned<S>::type...>;
    FUSE_REFUSE(verdict);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return detail::explain_statements(executor, std::make_tuple(detail::as_statement<I>(statements)...));
    }
    (std::index_sequence_for<S...>{});
}

FUSE_END_NAMESPACE
