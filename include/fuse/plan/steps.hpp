// SPDX-License-Identifier: Apache-2.0
//
// From statements to steps (step_order.hpp): each step is a tuple of statements as a user would write them, in which a
// result of another step is a view of the memory that carries it. The steps are planned, bound and checked like any other
// statements.
#pragma once

#include <cstddef>
#include <tuple>

#include "fuse/lang/shape.hpp"
#include "fuse/plan/cut_reductions.hpp"
#include "fuse/plan/placed.hpp"
#include "fuse/plan/step_graph.hpp"
#include "fuse/plan/step_places.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Where carried results lie until a launch has memory for them: addresses that no machine has.
inline constexpr std::uintptr_t carried_base = (std::uintptr_t{1} << 62U) + (std::uintptr_t{1} << 55U);
/// Each begins at a multiple of so many bytes.
inline constexpr std::size_t carried_alignment = 256;

/// The results of reductions that later steps read.
struct CarriedResults {
    const void* node[StepOrder::most] = {};  ///< the reduction, where it first stands
    Shape shape[StepOrder::most];            ///< its extents along the axes along which it varies
    std::size_t offset[StepOrder::most] = {};
    std::size_t bytes = 0;  ///< of all
};

/// A statement of a step, which is planned as one program.
template <class V, class E>
struct StepStatement {
    using view_type = V;
    using expression_type = E;

    V output;
    E expression;
};
template <class V, class E>
inline constexpr bool is_of_step<StepStatement<V, E>> = true;

template <class... S>
struct Steps : StepGraph<S...> {
    using base = StepGraph<S...>;
    using base::nodes;
    using base::reductions;
    using typename base::graph;
    using typename base::lowered;
    using typename base::roots;
    template <int I>
    using first_of = typename base::template first_of<I>;
    static constexpr StepOrder order = base::find_order();

    // A carried result.
    template <int I>
    using carried_node = typename lowered_node<first_of<I>>::node;
    static constexpr std::uint32_t varies(int i) { return nodes.reduction_node(i).varies; }
    template <int I>
    using view_of = typename carried_view<typename carried_node<I>::value_type, I,
                                          std::make_integer_sequence<int, std::popcount(varies(I))>>::type;
    /// Bit i: axis i of a node with these axes has extent 1, for result I does not vary along it.
    template <int I>
    static constexpr std::uint32_t missing(const AxisMap& axes) {
        std::uint32_t bits = 0;
        for (int i = 0; i < axes.rank; ++i) {
            bits |= ((varies(I) >> axes.axis[i]) & 1U) == 0 ? 1U << i : 0U;
        }
        return bits;
    }
    template <int I>
    static view_of<I> view(const CarriedResults& carried) {
        using V = view_of<I>;
        auto* const data = reinterpret_cast<typename V::element_type*>(carried_base + carried.offset[I]);
        return V(data, carried.shape[I], row_major(carried.shape[I]));
    }

    /// Whether another step computes the reduction L. Needless: a mean that stays where it stands (plan/deviations.hpp).
    template <int Step, class L, class Needless>
    static constexpr bool computed_elsewhere() {
        if constexpr (reductions_in<L>::folds && !std::is_same_v<typename L::type, Needless>) {
            return order.of_reduction[graph::template number<typename L::type>] != Step;
        } else {
            return false;
        }
    }
    /// A node as step Step has it. L: its Lower. Pins: what is folded has its place written down (placed.hpp).
    template <int Step, bool Pins, class L, class Needless = void, class Node>
    static auto cut(const Node& n, const CarriedResults& carried) {
        if constexpr (requires { typename L::operand; }) {
            if constexpr (computed_elsewhere<Step, L, Needless>()) {
                constexpr int i = graph::template number<typename L::type>;
                constexpr AxisMap axes = lowered_node<L>::axes;
                return with_axes<missing<i>(axes), 0, axes.rank>(view<i>(carried));
            } else {
                return n.with(cut_operand<Step, Pins, L, Needless>(n, carried));
            }
        } else if constexpr (requires { n.args; }) {
            return cut_map<Step, Pins, L, Needless>(n, carried);
        } else {
            return n;
        }
    }
    template <int Step, bool Pins, class L, class Needless, class Node>
    static auto cut_operand(const Node& n, const CarriedResults& carried) {
        using Inner = typename L::operand;
        constexpr bool pins = Pins && has_reduction_op<L>;
        return pinned<pins, lowered::domain_rank, L::axes>(
            cut<Step, Pins, Inner, needless_within<L, Needless>>(n.expression, carried));
    }
    template <int Step, bool Pins, class L, class Needless, class F, class... Args>
    static auto cut_map(const Map<F, Args...>& n, const CarriedResults& carried) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return n.with(cut<Step, Pins, typename L::template child<Args, I>, Needless>(get<I>(n.args), carried)...);
        }
        (std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>{});
    }

    template <int I>
    using lets_of = typename lets_around<typename lowered_node<first_of<I>>::position::scope>::type;
    /// The expression of carried result I, in the step that computes it.
    template <int I, bool Pins = false>
    static auto expression(const CarriedResults& carried) {
        const carried_node<I>& n = *static_cast<const carried_node<I>*>(carried.node[I]);
        return inside_lets(n.with(cut_operand<order.of_reduction[I], Pins, first_of<I>, void>(n, carried)),
                           lets_of<I>{});
    }

    template <int Step, bool Pins, int I>
    static auto carrying(const CarriedResults& carried) {
        if constexpr (order.carried[I] && order.of_reduction[I] == Step) {
            const auto e = expression<I, Pins>(carried);
            return std::make_tuple(StepStatement<view_of<I>, std::remove_cv_t<decltype(e)>>{view<I>(carried), e});
        } else {
            return std::tuple<>{};
        }
    }
    template <int Step, bool Pins, int I>
    static auto writing(const std::tuple<S...>& statements, const CarriedResults& carried) {
        if constexpr (order.of_root[I] == Step) {
            const auto& s = std::get<static_cast<std::size_t>(I)>(statements);
            using L = at_t<roots, I>;
            const auto e = pinned<Pins, lowered::domain_rank, lowered_node<L>::axes.pack()>(
                cut<Step, Pins, L>(s.expression, carried));
            using Output = typename std::remove_cvref_t<decltype(s)>::view_type;
            return std::make_tuple(StepStatement<Output, std::remove_cv_t<decltype(e)>>{s.output, e});
        } else {
            return std::tuple<>{};
        }
    }
    template <int Step, bool Pins>
    static auto cut_statements(const std::tuple<S...>& all, const CarriedResults& carried) {
        return [&]<int... R, int... I>(std::integer_sequence<int, R...>, std::integer_sequence<int, I...>) {
            return std::tuple_cat(carrying<Step, Pins, R>(carried)..., writing<Step, Pins, I>(all, carried)...);
        }
        (std::make_integer_sequence<int, reductions>{},
         std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>{});
    }
    template <int Step, bool Pins>
    using cut_statements_t = decltype(cut_statements<Step, Pins>(std::declval<const std::tuple<S...>&>(),
                                                                 std::declval<const CarriedResults&>()));

    /// The statements of a step. carried: of all steps before it, and its own.
    template <int Step>
    static auto statements(const std::tuple<S...>& all, const CarriedResults& carried) {
        return cut_statements<Step, !keeps_places<Steps, Step, cut_statements_t<Step, false>>>(all, carried);
    }
    template <int Step>
    using statements_t =
        decltype(statements<Step>(std::declval<const std::tuple<S...>&>(), std::declval<const CarriedResults&>()));

    /// Where carried results lie, and how large they are. names: sees every view, number and functor before anything is
    /// taken apart. Throws shape_error, and what names throws.
    template <class Names>
    FUSE_RARE static CarriedResults carry(const std::tuple<S...>& all, Names&& names) {
        CarriedResults carried;
        Finder<std::remove_reference_t<Names>> finder{carried, names};
        lowered::all::walk(all, finder);
        names.finish();
        [&carried]<int... Step>(std::integer_sequence<int, Step...>) {
            (carry_step<Step>(carried, std::make_integer_sequence<int, reductions>{}), ...);
        }
        (std::make_integer_sequence<int, order.steps>{});
        return carried;
    }

private:
    /// Notes where reductions first stand.
    template <class Names>
    struct Finder {
        CarriedResults& carried;
        Names& names;
        template <class Leaf, class View>
        void leaf(const View& view) {
            names.template leaf<Leaf>(view);
        }
        template <class Leaf, class Scalar>
        void scalar(const Scalar& s) {
            names.template scalar<Leaf>(s);
        }
        template <class Id, class F>
        void functor(const F& f) {
            names.template functor<Id>(f);
        }
        Finder& nodes() { return *this; }
        template <class Node>
        void node(const Node&) {}
        template <int I, class Statement>
        void statement(const Statement&) {}
        template <class Reduction, std::uint64_t, class Node>
        void reduction(const Node& n) {
            constexpr int i = graph::template number<Reduction>;
            if constexpr (std::is_same_v<Node, carried_node<i>>) {
                carried.node[i] = carried.node[i] == nullptr ? &n : carried.node[i];
            }
        }
    };
    template <int Step, int... I>
    static void carry_step(CarriedResults& carried, std::integer_sequence<int, I...>) {
        (carry_one<Step, I>(carried), ...);
    }
    template <int Step, int I>
    static void carry_one(CarriedResults& carried) {
        if constexpr (order.carried[I] && order.of_reduction[I] == Step) {
            const Shape whole = shape_of(expression<I>(carried));
            constexpr std::uint32_t left_out = missing<I>(lowered_node<first_of<I>>::axes);
            Shape& own = carried.shape[I];
            for (int axis = 0; axis < whole.rank; ++axis) {
                if (((left_out >> axis) & 1U) == 0) {
                    own[own.rank++] = whole[axis];
                }
            }
            carried.offset[I] = carried.bytes;
            const std::size_t bytes =
                static_cast<std::size_t>(own.size()) * sizeof(typename carried_node<I>::value_type);
            carried.bytes += (bytes + carried_alignment - 1) / carried_alignment * carried_alignment;
        }
    }
};

}  // namespace detail

template <class V, class E>
inline constexpr bool is_statement<detail::StepStatement<V, E>> = true;

FUSE_END_NAMESPACE
