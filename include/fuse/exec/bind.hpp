// SPDX-License-Identifier: Apache-2.0
//
// From statements to kernel arguments: walks the expressions once, records every operand, runs the checks, and fills
// the parameters for a layout. Nothing has been written when an exception leaves this file.
#pragma once

#include "fuse/exec/checks.hpp"
#include "fuse/kernels/params.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Leaf>
struct leaf_axes;
template <class Id, class T, std::uint64_t Axes>
struct leaf_axes<ir::Leaf<Id, T, Axes>> {
    static constexpr AxisMap value = AxisMap::unpack(Axes);
};

FUSE_COLD inline OperandLayout in_domain(const BoundOperand& o, const AxisMap& axes, int rank, bool output) {
    OperandLayout layout;
    layout.stride.rank = rank;
    for (int i = 0; i < o.shape.rank; ++i) {
        layout.stride[axes.axis[i]] = o.shape[i] == 1 ? 0 : o.stride[i];
    }
    layout.address = o.address;
    layout.item_size = o.item_size;
    layout.output = output;
    return layout;
}

/// The domain has the extent of every operand that is not 1 there.
FUSE_COLD inline void take_extents(Shape& domain, const BoundOperand& o, const AxisMap& axes) {
    for (int i = 0; i < o.shape.rank; ++i) {
        index_t& mine = domain[axes.axis[i]];
        if (o.shape[i] != 1 && o.shape[i] != mine) {
            if (mine != 1) {
                throw_other_space(o, i, mine);
            }
            mine = o.shape[i];
        }
    }
}

template <int N>
Dims<N> to_dims(const MergedDims& merged) {
    Dims<N> d;
    d.count = merged.count;
    for (int i = 0; i < merged.count; ++i) {
        const index_t e = merged.extent[static_cast<std::size_t>(i)];
        d.extent[i + N - merged.count] = FastDivMod<std::uint64_t>(static_cast<std::uint64_t>(e > 0 ? e : 1));
    }
    return d;
}

FUSE_COLD inline void place_strides(index_t* to, int n, const MergedDims& dims, std::size_t operand) {
    for (int d = 0; d < n; ++d) {
        const int from = d - (n - dims.count);
        to[d] = from >= 0 ? dims.stride[operand][static_cast<std::size_t>(from)] : 0;
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

    FUSE_COLD explicit Binding(const boost::hana::tuple<S...>& statements) {
        domain_.extent.rank = Pl::rank;
        domain_.extent.extent.fill(1);
        domain_.walked = planner::walked;
        domain_.operands.resize(static_cast<std::size_t>(leaf_count + output_count));
        bind_outputs(statements, std::make_integer_sequence<int, output_count>{});
        planner::lowered::all::bind(statements, *this);
        bind_indices(std::make_integer_sequence<int, leaf_count>{});
        detail::check_names(leaves_);
        detail::check_reductions(reduced_, domain_.extent);
        check_outputs(std::make_integer_sequence<int, output_count>{});
        detail::check_overlap(domain_, leaves_, outputs_);
    }

    const DomainLayout& domain() const { return domain_; }

    /// Number of elements of all outputs together; 0 means there is nothing to launch.
    index_t output_size() const {
        index_t n = 0;
        for (const auto& o : outputs_) {
            n += o.shape.size();
        }
        return n;
    }

    /// Parameters for a layout, with vectors of V items where operands allow it.
    FUSE_COLD Params<program> params(const Layout& layout, int v) const {
        Params<program> p = params_;
        p.outer = detail::to_dims<Params<program>::traits::outer>(layout.outer);
        p.seq = detail::to_dims<Params<program>::traits::seq>(layout.seq);
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
        for (const auto* list : {&leaves_, &outputs_}) {
            for (const detail::BoundOperand& o : *list) {
                if (o.shape.size() > 0) {
                    f(o.name, o.address);
                }
            }
        }
    }

    // The sink of Lower<...>::bind.
    template <class Leaf, class View>
    void leaf(const View& view) {
        constexpr int i = index_of<ir_leaves, Leaf>;
        const detail::BoundOperand& operand = add(leaves_, view, i, detail::leaf_axes<Leaf>::value, false);
        get<i>(params_.leaves).data = reinterpret_cast<const typename View::storage_type*>(operand.address);
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar& s) {
        constexpr int i = index_of<ir_leaves, Leaf>;
        auto& slot = get<i>(params_.leaves).value;
        if (scalar_bound_[i] && !(slot == s.value)) {
            detail::throw_two_numbers(Scalar::name_type::text);
        }
        scalar_bound_[i] = true;
        slot = s.value;
    }
    template <class Id, class F>
    void functor(const F& f) {
        get<index_of<typename planner::ir_functors, detail::stateful<F, Id>>>(params_.functors).store(f);
    }
    template <class Red, std::uint64_t Axes, class Node>
    void reduced(const Node& node) {
        const Shape operand = shape_of(node.expression);
        for (int i = 0; i < operand.rank; ++i) {
            if (((Node::mask >> i) & 1U) != 0) {
                reduced_.push_back({AxisMap::unpack(Axes).axis[i], operand[i], &node, [](Text& out, const void* n) {
                                        out << *static_cast<const Node*>(n);
                                    }});
            }
        }
    }

  private:
    static constexpr int leaf_count = program::leaves::size;
    static constexpr int output_count = sizeof...(S);

    template <class View>
    FUSE_COLD const detail::BoundOperand& add(std::vector<detail::BoundOperand>& list, const View& view, int slot,
                                    const AxisMap& axes, bool output) {
        list.push_back({View::name_type::text, is_named<typename View::name_type>,
                        reinterpret_cast<std::uintptr_t>(view.data()), view.shape(), view.strides(),
                        sizeof(typename View::storage_type), slot});
        const detail::BoundOperand& operand = list.back();
        detail::check_pointer(operand);
        detail::take_extents(domain_.extent, operand, axes);
        domain_.operands[static_cast<std::size_t>(slot)] = detail::in_domain(operand, axes, Pl::rank, output);
        return operand;
    }

    template <int... I>
    void bind_outputs(const boost::hana::tuple<S...>& statements, std::integer_sequence<int, I...>) {
        (bind_output<I, S>(boost::hana::at_c<I>(statements)), ...);
    }
    template <int I, class Statement>
    FUSE_COLD void bind_output(const Statement& s) {
        using E = typename Statement::expression_type;
        constexpr AxisMap axes = planner::outputs::axes[I];
        const Shape shape = shape_of(s.expression);
        const Shape& own = s.output.shape();
        // An output has the expression's shape; it may leave out axes that keepdims kept with extent 1.
        bool fits = true;
        for (int i = 0, j = 0; E::rank > 0 && i < shape.rank; ++i) {
            if (own.rank == shape.rank) {
                fits = fits && own[i] == shape[i];
            } else if (((planner::template output<Statement, I>::varies >> (i + Pl::rank - shape.rank)) & 1U) != 0) {
                fits = fits && own[j++] == shape[i];
            }
        }
        if (!fits) {
            throw_shape(s, shape);
        }
        const detail::BoundOperand& operand = add(outputs_, s.output, leaf_count + I, axes, true);
        detail::check_output_strides(operand);
        get<I>(params_.outputs).data = reinterpret_cast<typename Statement::view_type::storage_type*>(s.output.data());
    }
    template <class Statement>
    [[noreturn]] FUSE_COLD static void throw_shape(const Statement& s, const Shape& shape) {
        throw shape_error(Text() << "output " << s.output << s.output.shape() << " does not have the shape " << shape << " of " << s.expression);
    }

    template <int... I>
    void bind_indices(std::integer_sequence<int, I...>) {
        (bind_index<I>(at_t<ir_leaves, I>{}), ...);
    }
    template <int I, int Axis>
    void bind_index(ir::Index<Axis>) {
        OperandLayout& layout = domain_.operands[I];
        layout.stride.rank = Pl::rank;
        layout.stride[Axis] = 1;
        get<I>(params_.leaves).data = nullptr;
    }
    template <int I, class Other>
    void bind_index(Other) {}

    template <int... I>
    void check_outputs(std::integer_sequence<int, I...>) const {
        constexpr std::uint32_t all = (1U << Pl::rank) - 1U;
        const auto needed = [](kir::Extent extent) {
            return extent == kir::Extent::item ? all : extent == kir::Extent::outer ? all & ~planner::walked : 0U;
        };
        (detail::check_output(outputs_[I], domain_.operands[leaf_count + I], domain_.extent,
                              needed(at_t<typename program::outputs, I>::extent)),
         ...);
    }

    template <int... I, int... O>
    void place_all(Params<program>& p, const Layout& layout, int v, std::integer_sequence<int, I...>,
                   std::integer_sequence<int, O...>) const {
        (place(get<I>(p.leaves), layout, I, v), ...);
        (place(get<O>(p.outputs), layout, leaf_count + O, v), ...);
    }
    template <class T, int Outer, int Seq>
    void place(Operand<T, Outer, Seq>& o, const Layout& layout, int slot, int v) const {
        const auto i = static_cast<std::size_t>(slot);
        detail::place_strides(o.outer, Outer, layout.outer, i);
        detail::place_strides(o.seq, Seq, layout.seq, i);
        o.x = layout.x_stride[i];
        o.vector = vectorises(domain_, layout, i, v);
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

    DomainLayout domain_;
    Params<program> params_{};
    std::vector<detail::BoundOperand> leaves_;
    std::vector<detail::BoundOperand> outputs_;
    std::vector<detail::ReducedAxis> reduced_;
    bool scalar_bound_[leaf_count + 1] = {};
};

FUSE_END_NAMESPACE
