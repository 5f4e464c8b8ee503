// SPDX-License-Identifier: Apache-2.0
//
// From statements to kernel arguments: walks the expressions once, records every operand, runs the checks, and fills
// the parameters for a layout (addressing.hpp). Nothing has been written when an exception leaves this file.
#pragma once

#include "fuse/exec/addressing.hpp"
#include "fuse/exec/name_around.hpp"
#include "fuse/exec/operand_table.hpp"
#include "fuse/exec/same_bytes.hpp"
#include "fuse/exec/value_bytes.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/ops/types/scattered.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Who learns what statements hold while they are bound.
struct Onlooker {
    LearnOperand operand;
    ValueBytes values;         ///< of the statements
    std::uint64_t unread = 0;  ///< outputs (bit i) that no output with elements needs: what a step carries for no one
};

template <class View>
FUSE_RARE BoundOperand bound_operand(const View& view, int slot, std::uint64_t axes, std::uint32_t covers) {
    return {View::name_type::text,
            is_named<typename View::name_type>,
            reinterpret_cast<std::uintptr_t>(view.data()),
            run_time_shape(view),
            view.strides(),
            sizeof(typename View::storage_type),
            slot,
            axes,
            covers};
}

}  // namespace detail

/// The run-time side of a plan: fills Params<program> and the layout.
template <class Pl, class... S>
class Binding {
public:
    using program = typename Pl::program;
    using planner = typename Pl::planner;
    using graph = typename planner::graph;
    using ir_leaves = typename planner::ir_leaves;

    FUSE_RARE Binding(const std::tuple<S...>& statements, const detail::Onlooker& onlooker)
        : onlooker_(onlooker), table_(shape_room_, leaf_room_, output_room_, reduction_room_, reductions, space_room_) {
        table_.domain.extent.rank = Pl::rank;
        table_.domain.extent.extent.fill(1);
        table_.domain.walked = planner::walked;
        table_.domain.operands = layout_room_;
        table_.domain.operand_count = leaf_count + output_count;
        planner::lowered::all::walk(statements, *this);
        using sets = leaf_sets<program>;
        table_.finish({sets::read_late, sets::fills, sets::once}, program::stretches);
        if (table_.stretched && !program::stretches) {
            throw argument_error(
                Text()
                << "fuse: an operand of extent 1 is stretched where its type did not allow for it: please report this");
        }
        if (table_.stretched) {
            table_.domain.own = space_room_;
            table_.domain.own_count = reductions + output_count;
        }
        bind_indices(std::make_integer_sequence<int, leaf_count>{});
        if constexpr (reverse_program<program>) {
            static_assert(!(is_scattered<value_t<typename S::expression_type>> || ...),
                          "a compaction in a pass that goes backwards: step_order.hpp puts it elsewhere");
            table_.domain.backwards = true;
            [this]<int... I, int... O>(std::integer_sequence<int, I...>, std::integer_sequence<int, O...>) {
                (detail::turn_round(get<I>(params_.leaves), table_.domain, I), ...);
                (detail::turn_round(get<O>(params_.outputs), table_.domain, leaf_count + O), ...);
            }
            (std::make_integer_sequence<int, leaf_count>{}, std::make_integer_sequence<int, output_count>{});
        }
    }
    Binding(const Binding&) = delete;

    const DomainLayout& domain() const { return table_.domain; }
    /// Whether some operands do not span the domain: the kernels have to look.
    bool stretched() const { return table_.stretched; }

    /// 0 means there is nothing to launch.
    index_t output_size() const { return table_.output_size(); }
    index_t fill_size() const { return table_.fill_size(); }
    double operand_bytes() const { return table_.operand_bytes(); }

    /// Parameters for a layout, with vectors of V items where operands allow it.
    FUSE_RARE Params<program> params(const Layout& layout, int v) const {
        Params<program> p = params_;
        detail::set_dims(p.kept, layout.kept);
        detail::set_dims(p.walked, layout.walked);
        p.kept_size = layout.kept_size;
        p.walked_size = layout.walked_size;
        p.x_size = layout.x_size;
        lay_out_all(p, layout, v, std::make_integer_sequence<int, leaf_count>{},
                    std::make_integer_sequence<int, output_count>{});
        if constexpr (program::stretches) {
            for (int i = 0; i < reductions; ++i) {
                detail::lay_out_own(p.stretching.reduction[i], space_room_[i], layout);
            }
            for (int i = 0; i < output_count; ++i) {
                detail::lay_out_own(p.stretching.output[i], space_room_[reductions + i], layout);
            }
            p.stretching.active = table_.stretched;
        }
        return p;
    }

    /// Throws what the onlooker does, and shape_error when an output with elements needs a reduction without identity that has none.
    void check_elements() const { table_.check_elements(onlooker_.operand, onlooker_.unread, needs.data()); }

    // The sink of Lower<...>::walk: each node is handed over after its operands, each statement after its expression.
    template <class Leaf, class View>
    void leaf(const View& view) {
        onlooker_.values.note(view);
        constexpr int i = graph::template number<Leaf>;
        detail::BoundOperand operand = detail::bound_operand(view, i, ir::leaf_axes<Leaf>, 0);
        if constexpr (requires { get<i>(params_.leaves).data; }) {
            const auto* const data = reinterpret_cast<const typename View::storage_type*>(operand.address);
            get<i>(params_.leaves).data = detail::run_time_shape(view).size() > 0 ? data : nullptr;
        } else if constexpr (requires { view.source(); }) {
            operand.memory = View::in_memory ? &view.source().view : nullptr;
            operand.name = View::in_memory ? operand.name : "pad(...)";  // where the operand of a pad is, and where not
            if (!bind_value<i>(view.value())) {
                detail::throw_two_expressions(detail::name_around<Leaf>, "views");
            }
        }
        operand.around = detail::name_around<Leaf>;
        table_.add_leaf(operand);
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar& s) {
        onlooker_.values.note(s.value);
        constexpr int i = graph::template number<Leaf>;
        if (!bind_value<i>(s.value)) {
            if constexpr (is_named<typename Scalar::name_type>) {
                detail::throw_two_numbers(Scalar::name_type::text);
            } else {
                detail::throw_two_expressions(detail::name_around<Leaf>, "numbers");
            }
        }
    }
    template <class Id, class F>
    void functor(const F& f) {
        onlooker_.values.note(f);
        constexpr int i = graph::template state<F, Id>;
        auto& slot = get<i>(params_.functors);
        if (functor_bound_[i] && !detail::same_bytes(slot.load(), f)) {
            detail::throw_two_expressions(detail::name_around<Id>, "functors");
        }
        functor_bound_[i] = true;
        slot.store(f);
    }
    template <class Reduction, std::uint64_t Axes, class Node>
    void reduction(const Node&) {
        using R = typename Node::reduction_op;
        detail::BoundReduction r;
        r.name = detail::reduction_name<R>();
        constexpr auto planned = graph::template node<Reduction>;
        r.covers = graph::arrangement.covers(planned, graph::nodes.operand_of(planned));
        r.demanding = R::has_identity || Node::of_nothing ? 0 : std::uint64_t{1} << table_.outputs.size;
        table_.add_reduction(graph::template number_in_program<Reduction>, r, Node::mask, Axes);
    }
    detail::ShapeStack& nodes() { return table_.shapes; }
    template <int I, class Statement>
    void statement(const Statement& s) {
        onlooker_.values.note(s.output);
        using planned = typename planner::template output<Statement, I>;
        detail::BoundOperand output =
            detail::bound_operand(s.output, leaf_count + I, planner::outputs::axes[I].pack(), planned::covers);
        output.scattered = is_scattered<value_t<typename Statement::expression_type>>;
        output.fills = planned::filled > 0;
        table_.add_output(output, planner::lowered::template root_map<Statement>(), planned::varying,
                          detail::erase(s.output), detail::erase(s.expression));
        auto& operand = get<I>(params_.outputs);
        operand.data = reinterpret_cast<typename Statement::view_type::storage_type*>(s.output.data());
        if constexpr (planned::filled > 0) {
            detail::lay_out_fill(operand, s.output.shape(), s.output.strides());
            bind_output_axes<I>(s.output.shape(), std::make_integer_sequence<int, leaf_count>{});
        }
    }

private:
    static constexpr int leaf_count = program::leaves::size;
    static constexpr int output_count = sizeof...(S);
    static constexpr int reductions = reduction_count<program>;
    /// Bit i of needs[o]: output o needs reduction i.
    static constexpr std::array<std::uint64_t, output_count> needs = planner::outputs::needs;
    static constexpr detail::Tally tally = [] {
        detail::Tally t;
        (t.add(detail::tally<typename S::expression_type>, 0), ...);
        return t;
    }();

    /// Whether leaf I has had no other value.
    template <int I, class T>
    bool bind_value(const T& value) {
        auto& slot = get<I>(params_.leaves).value;
        const bool same = !scalar_bound_[I] || detail::same_bytes(slot, value);
        scalar_bound_[I] = true;
        slot = value;
        return same;
    }

    template <int... I>
    void bind_indices(std::integer_sequence<int, I...>) {
        (bind_index<I>(at_t<ir_leaves, I>{}), ...);
    }
    /// The extent along a domain axis of an operand that has the leaves L there: that of one that is not stretched.
    template <int Axis, class... L>
    index_t extent_along(type_list<L...>) const {
        index_t extent = 1;
        ((extent = extent != 1 ? extent : table_.extent(graph::template number<L>, Axis)), ...);
        return extent;
    }
    template <int I, int Axis, class... L>
    void bind_index(ir::Index<Axis, type_list<L...>>) {
        OperandLayout& layout = layout_room_[I];
        layout.stride.rank = Pl::rank;
        // An operand of extent 1 that the domain stretches counts to 0.
        layout.stride[Axis] = sizeof...(L) == 0 || extent_along<Axis>(type_list<L...>{}) != 1 ? 1 : 0;
        get<I>(params_.leaves).data = nullptr;
    }
    template <int I, std::uint64_t Axes, class... L>
    void bind_index(ir::FlatIndex<Axes, L...>) {
        constexpr AxisMap map = AxisMap::unpack(Axes);
        [&]<int... A>(std::integer_sequence<int, A...>) {
            const index_t extent[] = {extent_along<map.axis[A]>(L{})...};
            layout_room_[I].stride = detail::flat_index_strides(map, extent, Pl::rank);
        }
        (std::make_integer_sequence<int, map.rank>{});
        get<I>(params_.leaves).data = nullptr;
    }
    template <int I, class Leaf, std::uint32_t Mask>
    void bind_index(ir::PlainOffset<Leaf, Mask>) {
        layout_room_[I].stride = layout_room_[graph::template number<Leaf>].stride;
        get<I>(params_.leaves).data = nullptr;
    }
    template <int I, class Other>
    void bind_index(Other) {}

    /// The coordinates in output number Statement.
    template <int Statement, int... I>
    void bind_output_axes(const Shape& shape, std::integer_sequence<int, I...>) {
        (bind_output_axis<Statement, I>(shape, at_t<ir_leaves, I>{}), ...);
    }
    template <int Statement, int I, int Axis>
    void bind_output_axis(const Shape& shape, ir::OutputIndex<Statement, Axis>) {
        get<I>(params_.leaves) = detail::output_axis(shape, Axis);
    }
    template <int Statement, int I>
    void bind_output_axis(const Shape& shape, ir::OutputFlatIndex<Statement>) {
        get<I>(params_.leaves) = {detail::extent_divisor(1), detail::extent_divisor(shape.size())};
    }
    template <int Statement, int I, class Other>
    void bind_output_axis(const Shape&, Other) {}

    template <int... I, int... O>
    void lay_out_all(Params<program>& p, const Layout& layout, int v, std::integer_sequence<int, I...>,
                     std::integer_sequence<int, O...>) const {
        (detail::lay_out(get<I>(p.leaves), domain(), layout, I, v), ...);
        (detail::lay_out(get<O>(p.outputs), domain(), layout, leaf_count + O, v), ...);
    }

    const detail::Onlooker& onlooker_;
    detail::ShapeStack::Entry shape_room_[tally.depth];
    detail::BoundOperand leaf_room_[tally.views + 1];
    detail::BoundOperand output_room_[output_count];
    detail::BoundReduction reduction_room_[reductions + 1];
    OwnSpace space_room_[reductions + output_count];
    OperandLayout layout_room_[leaf_count + output_count];
    detail::OperandTable table_;
    Params<program> params_{};
    bool scalar_bound_[leaf_count + 1] = {};
    bool functor_bound_[program::functors::size + 1] = {};
};

FUSE_END_NAMESPACE
