// SPDX-License-Identifier: Apache-2.0
//
// From statements to kernel arguments: every check that needs run-time values (shapes, names, null pointers, overlap),
// then the layout of the domain, then the parameters. Nothing has been written when an exception leaves this file.
#pragma once

#include <string>

#include "fuse/exec/overlap.hpp"
#include "fuse/kernels/params.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Leaf>
struct leaf_identity;
template <class Id, class T, std::uint64_t Axes>
struct leaf_identity<ir::Leaf<Id, T, Axes>> {
    using id = Id;
    static constexpr AxisMap axes = AxisMap::unpack(Axes);
};

/// A memory operand as the checks see it.
struct BoundOperand {
    std::string name;
    bool named = false;
    std::uintptr_t address = 0;
    Shape shape;
    Shape stride;
    std::uint32_t item_size = 0;
};

}  // namespace detail

/// The run-time side of a plan: fills Params<program> and the layout.
template <class Pl, class... S>
class Binding {
  public:
    using program = typename Pl::program;
    using planner = typename Pl::planner;
    using ir_leaves = typename planner::ir_leaves;

    explicit Binding(const boost::hana::tuple<S...>& statements) {
        domain_.extent.rank = Pl::rank;
        domain_.extent.extent.fill(1);
        domain_.walked = planner::walked;
        domain_.operands.resize(static_cast<std::size_t>(leaf_count + output_count));
        bind_outputs(statements, std::make_integer_sequence<int, output_count>{});
        planner::lowered::all::bind(statements, *this);
        bind_indices(std::make_integer_sequence<int, leaf_count>{});
        check_domain();
        check_overlap();
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
    Params<program> params(const Layout& layout, int v) {
        Params<program> p = params_;
        p.outer = dims<Params<program>::traits::outer>(layout.outer);
        p.seq = dims<Params<program>::traits::seq>(layout.seq);
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
            check_identities(typename program::phases{});
        }
        if (layout.outer_size * layout.seq_size == 0 || (layout.outer_size == 0)) {
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
        constexpr AxisMap axes = detail::leaf_identity<Leaf>::axes;
        detail::BoundOperand operand = describe(view);
        check_pointer(operand);
        check_name(operand, i);
        take_extents(operand, axes);
        domain_.operands[i] = in_domain(operand, axes, false);
        get<i>(params_.leaves).data = reinterpret_cast<const typename View::storage_type*>(view.data());
        leaves_.push_back(std::move(operand));
        leaf_slot_.push_back(i);
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar& s) {
        constexpr int i = index_of<ir_leaves, Leaf>;
        auto& slot = get<i>(params_.leaves).value;
        if (scalar_bound_[i] && !(slot == s.value)) {
            throw argument_error("the name " + to_string(s) + " stands for two different numbers in one eval");
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
                reduced_.push_back({AxisMap::unpack(Axes).axis[i], operand[i], to_string(node)});
            }
        }
    }

  private:
    static constexpr int leaf_count = program::leaves::size;
    static constexpr int output_count = sizeof...(S);

    struct ReducedAxis {
        int axis;
        index_t extent;
        std::string text;
    };

    template <class View>
    static detail::BoundOperand describe(const View& view) {
        detail::BoundOperand o;
        o.name = View::name_type::str();
        o.named = is_named<typename View::name_type>;
        o.address = reinterpret_cast<std::uintptr_t>(view.data());
        o.shape = view.shape();
        o.stride = view.strides();
        o.item_size = sizeof(typename View::storage_type);
        return o;
    }

    static void check_pointer(const detail::BoundOperand& o) {
        for (int axis = 0; axis < o.shape.rank; ++axis) {
            if (o.shape[axis] < 0) {
                throw shape_error("view " + o.name + to_string(o.shape) + " has a negative extent");
            }
        }
        if (o.address == 0 && o.shape.size() > 0) {
            throw argument_error("view " + o.name + to_string(o.shape) + " is a null pointer");
        }
    }

    void check_name(const detail::BoundOperand& o, int slot) const {
        for (std::size_t j = 0; j < leaves_.size(); ++j) {
            const detail::BoundOperand& other = leaves_[j];
            // Unnamed leaves share a slot where one named<> expression occurs twice.
            const bool one_leaf = leaf_slot_[j] == slot || (o.named && other.named && o.name == other.name);
            if (one_leaf && (o.address != other.address || !(o.shape == other.shape) || !(o.stride == other.stride) ||
                             o.item_size != other.item_size)) {
                throw argument_error("the name " + (o.named ? o.name : "in a named<> expression") +
                                     " stands for two different views in one eval: a name is an identity");
            }
        }
    }

    void take_extents(const detail::BoundOperand& o, const AxisMap& axes) {
        for (int i = 0; i < o.shape.rank; ++i) {
            index_t& mine = domain_.extent[axes.axis[i]];
            if (o.shape[i] == 1 || o.shape[i] == mine) {
                continue;
            }
            if (mine != 1) {
                throw shape_error(o.name + to_string(o.shape) + " does not share the iteration space of this eval: axis " +
                                  std::to_string(i) + " has extent " + std::to_string(o.shape[i]) +
                                  " where another operand has " + std::to_string(mine) +
                                  ". Evaluate the statements one by one");
            }
            mine = o.shape[i];
        }
    }

    static OperandLayout in_domain(const detail::BoundOperand& o, const AxisMap& axes, bool output) {
        OperandLayout layout;
        layout.stride.rank = Pl::rank;
        for (int i = 0; i < o.shape.rank; ++i) {
            layout.stride[axes.axis[i]] = o.shape[i] == 1 ? 0 : o.stride[i];
        }
        layout.address = o.address;
        layout.item_size = o.item_size;
        layout.output = output;
        return layout;
    }

    template <int... I>
    void bind_outputs(const boost::hana::tuple<S...>& statements, std::integer_sequence<int, I...>) {
        (bind_output<I, S>(boost::hana::at_c<I>(statements)), ...);
    }
    template <int I, class Statement>
    void bind_output(const Statement& s) {
        using E = typename Statement::expression_type;
        constexpr AxisMap axes = planner::outputs::axes[I];
        detail::BoundOperand operand = describe(s.output);
        check_pointer(operand);
        const Shape shape = shape_of(s.expression);
        // An output has the expression's shape; it may leave out axes that keepdims kept with extent 1.
        bool fits = true;
        for (int i = 0, j = 0; E::rank > 0 && i < shape.rank; ++i) {
            if (operand.shape.rank == shape.rank) {
                fits = fits && operand.shape[i] == shape[i];
            } else if (((planner::template output<Statement, I>::varies >> (i + Pl::rank - shape.rank)) & 1U) != 0) {
                fits = fits && operand.shape[j++] == shape[i];
            }
        }
        if (!fits) {
            throw shape_error("output " + operand.name + to_string(operand.shape) + " does not have the shape " +
                              to_string(shape) + " of " + to_string(s.expression));
        }
        for (int i = 0; i < operand.shape.rank; ++i) {
            if (operand.stride[i] == 0 && operand.shape[i] > 1 && operand.shape.size() > 0) {
                throw argument_error("output " + operand.name + " has stride 0 on axis " + std::to_string(i) +
                                     ": its elements would be written several times");
            }
        }
        take_extents(operand, axes);
        domain_.operands[static_cast<std::size_t>(leaf_count + I)] = in_domain(operand, axes, true);
        get<I>(params_.outputs).data = reinterpret_cast<typename Statement::view_type::storage_type*>(s.output.data());
        outputs_.push_back(std::move(operand));
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

    void check_domain() const {
        for (const ReducedAxis& r : reduced_) {
            if (r.extent != domain_.extent[r.axis]) {
                throw shape_error(r.text + " reduces an axis of extent " + std::to_string(r.extent) +
                                  ", but the iteration space of this eval has extent " +
                                  std::to_string(domain_.extent[r.axis]) +
                                  " there: evaluate it into a view of its own first");
            }
        }
        check_written(std::make_integer_sequence<int, output_count>{});
    }
    template <int... I>
    void check_written(std::integer_sequence<int, I...>) const {
        (check_one_written<I>(at_t<typename program::outputs, I>::extent), ...);
    }
    template <int I>
    void check_one_written(kir::Extent extent) const {
        constexpr AxisMap axes = planner::outputs::axes[I];
        const detail::BoundOperand& o = outputs_[static_cast<std::size_t>(I)];
        const std::uint32_t all = (1U << Pl::rank) - 1U;
        const std::uint32_t needed = extent == kir::Extent::item    ? all
                                     : extent == kir::Extent::outer ? all & ~planner::walked
                                                                    : 0U;
        for (int axis = 0; axis < Pl::rank; ++axis) {
            bool spanned = domain_.extent[axis] == 1;
            for (int i = 0; i < axes.rank; ++i) {
                spanned = spanned || (axes.axis[i] == axis && o.shape[i] == domain_.extent[axis]);
            }
            if (((needed >> axis) & 1U) != 0 && !spanned) {
                throw shape_error("output " + o.name + to_string(o.shape) +
                                  " does not span the iteration space of this eval, whose axis " +
                                  std::to_string(axis) + " has extent " + std::to_string(domain_.extent[axis]) +
                                  ". Evaluate it on its own");
            }
        }
    }

    void check_overlap() const {
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const OperandLayout& output = domain_.operands[leaf_count + i];
            for (std::size_t j = 0; j < leaves_.size(); ++j) {
                const OperandLayout& leaf = domain_.operands[static_cast<std::size_t>(leaf_slot_[j])];
                if (partially_overlap(domain_.extent, output, leaf)) {
                    throw argument_error("output " + outputs_[i].name + " overlaps input " + leaves_[j].name +
                                         " at other element positions");
                }
            }
            for (std::size_t j = 0; j < i; ++j) {
                const OperandLayout& other = domain_.operands[leaf_count + j];
                if (output.address == other.address ? outputs_[i].shape.size() > 0 && outputs_[j].shape.size() > 0
                                                    : partially_overlap(domain_.extent, output, other)) {
                    throw argument_error("outputs " + outputs_[j].name + " and " + outputs_[i].name + " overlap");
                }
            }
        }
    }

    template <int N>
    static Dims<N> dims(const MergedDims& merged) {
        Dims<N> d;
        d.count = merged.count;
        for (int i = 0; i < merged.count; ++i) {
            const index_t e = merged.extent[static_cast<std::size_t>(i)];
            d.extent[i + N - merged.count] = FastDivMod<std::uint64_t>(static_cast<std::uint64_t>(e > 0 ? e : 1));
        }
        return d;
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
        for (int d = 0; d < Outer; ++d) {
            const int from = d - (Outer - layout.outer.count);
            o.outer[d] = from >= 0 ? layout.outer.stride[i][static_cast<std::size_t>(from)] : 0;
        }
        for (int d = 0; d < Seq; ++d) {
            const int from = d - (Seq - layout.seq.count);
            o.seq[d] = from >= 0 ? layout.seq.stride[i][static_cast<std::size_t>(from)] : 0;
        }
        o.x = layout.x_stride[i];
        o.vector = vectorises(domain_, layout, i, v);
    }
    template <class T>
    void place(ScalarOperand<T>&, const Layout&, int, int) const {}

    template <class... Ph>
    static void check_identities(type_list<Ph...>) {
        (check_phase(Ph{}), ...);
    }
    template <class... R>
    static void check_phase(Phase<R...>) {
        (check_identity<typename R::reduction>(), ...);
    }
    template <class R>
    static void check_identity() {
        if constexpr (!R::has_identity) {
            throw shape_error(std::string(R::name) + " of no elements: this reduction has no identity");
        }
    }

    DomainLayout domain_;
    Params<program> params_{};
    std::vector<detail::BoundOperand> leaves_;
    std::vector<int> leaf_slot_;
    std::vector<detail::BoundOperand> outputs_;
    std::vector<ReducedAxis> reduced_;
    std::array<bool, static_cast<std::size_t>(leaf_count) + 1> scalar_bound_{};
};

FUSE_END_NAMESPACE
