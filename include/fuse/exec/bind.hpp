// SPDX-License-Identifier: Apache-2.0
//
// From statements to kernel arguments: walks the expressions once, records every operand, runs the checks, and fills
// the parameters for a layout. Nothing has been written when an exception leaves this file.
#pragma once

#include "fuse/exec/operand_table.hpp"
#include "fuse/exec/same_bytes.hpp"
#include "fuse/kernels/params.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/ops/placed.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Leaf>
inline constexpr std::uint64_t leaf_axes = 0;
template <class Id, class T, std::uint64_t Axes>
inline constexpr std::uint64_t leaf_axes<ir::Leaf<Id, T, Axes>> = Axes;

/// Extents of merged dimensions as a kernel divides by them, in the last of n places.
FUSE_COLD inline int place_extents(FastDivMod<std::uint64_t>* to, int n, const MergedDims& dims) {
    for (int d = 0; d < dims.count; ++d) {
        const index_t e = dims.extent[d];
        to[d + n - dims.count] = FastDivMod<std::uint64_t>(static_cast<std::uint64_t>(e > 0 ? e : 1));
    }
    return dims.count;
}

FUSE_COLD inline void place_strides(index_t* to, int n, const DomainLayout& domain, const MergedDims& dims, int operand) {
    for (int d = 0; d < n; ++d) {
        const int from = d - (n - dims.count);
        to[d] = from >= 0 ? domain.stride(operand, dims.axis[from]) : 0;
    }
}

}  // namespace detail

/// The run-time side of a plan: fills Params<program> and the layout.
template <class Pl, class... S>
class Binding {
  public:
    using program = typename Pl::program;
    using planner = typename Pl::planner;
    using ir_leaves = typename planner::ir_leaves;

    FUSE_COLD explicit Binding(const boost::hana::tuple<S...>& statements)
        : table_(shape_room_, leaf_room_, output_room_, axis_room_) {
        table_.domain.extent.rank = Pl::rank;
        table_.domain.extent.extent.fill(1);
        table_.domain.walked = planner::walked;
        table_.domain.operands = layout_room_;
        table_.domain.operand_count = leaf_count + output_count;
        planner::lowered::all::bind(statements, *this);
        table_.finish();
        bind_indices(std::make_integer_sequence<int, leaf_count>{});
    }
    Binding(const Binding&) = delete;

    const DomainLayout& domain() const { return table_.domain; }

    /// Number of elements of all outputs together; 0 means there is nothing to launch.
    index_t output_size() const {
        index_t n = 0;
        for (const auto& o : table_.outputs) {
            n += o.shape->size();
        }
        return n;
    }

    /// Parameters for a layout, with vectors of V items where operands allow it.
    FUSE_COLD Params<program> params(const Layout& layout, int v) const {
        Params<program> p = params_;
        p.outer.count = detail::place_extents(p.outer.extent, Params<program>::traits::outer, layout.outer);
        p.seq.count = detail::place_extents(p.seq.extent, Params<program>::traits::seq, layout.seq);
        p.outer_size = layout.outer_size;
        p.seq_size = layout.seq_size;
        p.x_size = layout.x_size;
        p.epilogue_size = layout.outer_size * (program::epilogue_items ? layout.seq_size : 1);
        place_all(p, layout, v, std::make_integer_sequence<int, leaf_count>{},
                  std::make_integer_sequence<int, output_count>{});
        return p;
    }

    /// Throws shape_error when a reduction without identity meets an empty axis.
    void check_empty(const Layout& layout) const {
        if (layout.seq_size == 0) {
            check_phases(typename program::phases{});
        }
        if (layout.outer_size * (program::epilogue_items ? layout.seq_size : 1) == 0) {
            check_phase(typename program::epilogue{});
        }
    }

    /// Calls f(name, address) for every view that has elements.
    template <class F>
    void for_each_operand(F&& f) const {
        for (const auto* list : {&table_.leaves, &table_.outputs}) {
            for (const detail::BoundOperand& o : *list) {
                if (o.shape->size() > 0) {
                    f(o.name, o.address);
                }
            }
        }
    }

    // The sink of Lower<...>::bind: each node is handed over after its operands, each statement after its expression.
    template <class Leaf, class View>
    void leaf(const View& view) {
        constexpr int i = index_of<ir_leaves, Leaf>;
        const detail::BoundOperand operand = describe(view, i, detail::leaf_axes<Leaf>, 0);
        table_.leaves.push(operand);
        get<i>(params_.leaves).data = reinterpret_cast<const typename View::storage_type*>(operand.address);
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar& s) {
        constexpr int i = index_of<ir_leaves, Leaf>;
        auto& slot = get<i>(params_.leaves).value;
        if (scalar_bound_[i] && !detail::same_bytes(slot, s.value)) {
            constexpr bool named = is_named<typename Scalar::name_type>;
            detail::throw_two_numbers(named ? Scalar::name_type::text : "in a named<> expression");
        }
        scalar_bound_[i] = true;
        slot = s.value;
    }
    template <class Id, class F>
    void functor(const F& f) {
        constexpr int i = index_of<typename planner::ir_functors, detail::stateful<F, Id>>;
        auto& slot = get<i>(params_.functors);
        if (functor_bound_[i] && !detail::same_bytes(slot.load(), f)) {
            detail::throw_two_functors();
        }
        functor_bound_[i] = true;
        slot.store(f);
    }
    template <class Red, std::uint64_t Axes, class Node>
    void reduction(const Node& node) {
        table_.add_reduction(Node::mask, Axes, detail::erase(node));
    }
    template <class Node>
    void node(const Node& n) {
        detail::shape_step(table_.shapes, n);
    }
    template <int I, class Statement>
    void statement(const Statement& s) {
        constexpr std::uint32_t all = (1U << Pl::rank) - 1U;
        constexpr kir::Extent extent = at_t<typename program::outputs, I>::extent;
        constexpr std::uint32_t spans = extent == kir::Extent::item    ? all
                                        : extent == kir::Extent::outer ? all & ~planner::walked
                                                                       : 0U;
        detail::BoundOperand output = describe(s.output, leaf_count + I, planner::outputs::axes[I].pack(), spans);
        output.placed = is_placed<value_t<typename Statement::expression_type>>;
        table_.add_output(output,
                          planner::template output<Statement, I>::varies, detail::erase(s.output),
                          detail::erase(s.expression));
        get<I>(params_.outputs).data = reinterpret_cast<typename Statement::view_type::storage_type*>(s.output.data());
    }

  private:
    static constexpr int leaf_count = program::leaves::size;
    static constexpr int output_count = sizeof...(S);
    static constexpr detail::Tally tally = [] {
        detail::Tally t;
        (t.add(detail::tally<typename S::expression_type>, 0), ...);
        return t;
    }();

    template <class View>
    static detail::BoundOperand describe(const View& view, int slot, std::uint64_t axes, std::uint32_t spans) {
        return {View::name_type::text, is_named<typename View::name_type>,
                reinterpret_cast<std::uintptr_t>(view.data()), &view.shape(), &view.strides(),
                sizeof(typename View::storage_type), slot, axes, spans, false};
    }

    template <int... I>
    void bind_indices(std::integer_sequence<int, I...>) {
        (bind_index<I>(at_t<ir_leaves, I>{}), ...);
    }
    template <int I, int Axis>
    void bind_index(ir::Index<Axis>) {
        OperandLayout& layout = layout_room_[I];
        layout.stride.rank = Pl::rank;
        layout.stride[Axis] = 1;
        get<I>(params_.leaves).data = nullptr;
    }
    template <int I, class Other>
    void bind_index(Other) {}

    template <int... I, int... O>
    void place_all(Params<program>& p, const Layout& layout, int v, std::integer_sequence<int, I...>,
                   std::integer_sequence<int, O...>) const {
        (place(get<I>(p.leaves), layout, I, v), ...);
        (place(get<O>(p.outputs), layout, leaf_count + O, v), ...);
    }
    template <class T, int Outer, int Seq>
    void place(Operand<T, Outer, Seq>& o, const Layout& layout, int slot, int v) const {
        detail::place_strides(o.outer, Outer, domain(), layout.outer, slot);
        detail::place_strides(o.seq, Seq, domain(), layout.seq, slot);
        o.x = domain().stride(slot, layout.x_axis);
        o.vector = vectorises(domain(), layout, slot, v);
    }
    template <class T>
    void place(ScalarOperand<T>&, const Layout&, int, int) const {}

    template <class... Ph>
    static void check_phases(type_list<Ph...>) {
        (check_phase(Ph{}), ...);
    }
    template <class... R>
    static void check_phase(Phase<R...>) {
        (check_identity<typename R::reduction>(), ...);
    }
    template <class R>
    static void check_identity() {
        if constexpr (!R::has_identity) {
            detail::throw_no_identity(R::name);
        }
    }

    detail::ShapeStack::Entry shape_room_[tally.depth];
    detail::BoundOperand leaf_room_[tally.views + 1];
    detail::BoundOperand output_room_[output_count];
    detail::ReducedAxis axis_room_[tally.reduced_axes + 1];
    OperandLayout layout_room_[leaf_count + output_count];
    detail::OperandTable table_;
    Params<program> params_{};
    bool scalar_bound_[leaf_count + 1] = {};
    bool functor_bound_[planner::ir_functors::size + 1] = {};
};

FUSE_END_NAMESPACE
