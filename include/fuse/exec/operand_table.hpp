// SPDX-License-Identifier: Apache-2.0
//
// The operands of an eval, gathered while its expressions are walked: no types, so that all expressions share this
// code. finish() checks what was gathered and lays it out in the domain.
#pragma once

#include "fuse/exec/checks.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Where outputs begin that are only explained: addresses that no machine has.
inline constexpr std::uintptr_t nowhere = std::uintptr_t{1} << 62U;

/// Told of a view with elements; may refuse it.
using LearnOperand = void (*)(const char* name, std::uintptr_t address);

/// The room is the caller's: `leaves` for each occurrence of a view, `layouts` for each distinct leaf and each output,
/// `reductions` and `spaces` for each reduction, then (spaces) each output.
class OperandTable {
public:
    DomainLayout domain;
    ShapeStack shapes;
    Listing<BoundOperand> leaves;
    Listing<BoundOperand> outputs;
    BoundReduction* reductions;
    OwnSpace* spaces;
    int reduction_count;
    bool stretched = false;  ///< something does not span the domain

    OperandTable(ShapeStack::Entry* stack, BoundOperand* leaf_room, BoundOperand* output_room,
                 BoundReduction* reduction_room, int reductions_in_room, OwnSpace* space_room)
        : shapes(stack), leaves{leaf_room}, outputs{output_room}, reductions(reduction_room), spaces(space_room),
          reduction_count(reductions_in_room) {}

    /// One occurrence of a leaf. Those of one slot are the same data, which is checked once; others stay on the list,
    /// so that check_names finds them.
    FUSE_RARE void add_leaf(const BoundOperand& leaf) {
        for (const BoundOperand& o : leaves) {
            if (o.slot == leaf.slot && same_data(o, leaf)) {
                return;
            }
        }
        leaves.push(leaf);
    }

    /// A reduction of the shape on top of the stack, whose axes lie in the domain as the packed AxisMap says.
    FUSE_RARE void add_reduction(int number, BoundReduction reduction, std::uint32_t mask, std::uint64_t axes) {
        const AxisMap map = AxisMap::unpack(axes);
        reduction.operand = extents_in_domain(shapes.top(), map, domain.extent.rank);
        for (int i = 0; i < map.rank; ++i) {
            reduction.mask |= ((mask >> i) & 1U) << map.axis[i];
        }
        reduction.demanding |= reductions[number].demanding;  // where it stands twice
        reductions[number] = reduction;
    }

    /// An output has the shape of its expression, the top of the stack; it may leave out axes that keepdims kept with
    /// extent 1, those that do not vary (bit i: axis i of the domain varies; axes: where those of the expression lie).
    /// A scalar fills any shape.
    FUSE_RARE void add_output(const BoundOperand& output, const AxisMap& axes, std::uint32_t varies, ErasedNode view,
                              ErasedNode expression) {
        const Shape& shape = shapes.top();
        const Shape& own = output.shape;
        bool fits = true;
        for (int i = 0, j = 0; i < shape.rank && shape.rank > 0; ++i) {
            if (own.rank == shape.rank) {
                fits = fits && own[i] == shape[i];
            } else if (((varies >> axes.axis[i]) & 1U) != 0) {
                fits = fits && own[j++] == shape[i];
            }
        }
        if (!fits) {
            throw_shape(own, shape, view, expression);
        }
        shapes.pop();
        outputs.push(output);
    }

    /// hazards: see check_overlap. lifts: the kernels can walk empty axes as if they had one element.
    FUSE_RARE void finish(const OnceHazards& hazards, bool lifts) {
        for (const auto* list : {&outputs, &leaves}) {
            for (const BoundOperand& o : *list) {
                check_pointer(o);
                extend_domain(o);
            }
        }
        for (const BoundOperand& o : outputs) {
            check_output_strides(o);
        }
        check_names(leaves);
        if (lifts && needs_elements()) {
            lift_empty_axes();
        }
        check_countable(domain.extent);
        for (const auto* list : {&outputs, &leaves}) {
            for (const BoundOperand& o : *list) {
                domain.operands[o.slot] = in_domain(o);
            }
        }
        for (int i = 0; i < reduction_count; ++i) {
            spaces[i] = space_of_reduction(domain.extent, reductions[i].covers, reductions[i].operand);
            stretched = stretched || spaces[i].stretched;
        }
        for (int i = 0; i < outputs.size; ++i) {
            spaces[reduction_count + i] = space_of_output(domain.extent, outputs[i].covers, extents(outputs[i]));
            stretched = stretched || spaces[reduction_count + i].stretched;
        }
        check_overlap(domain, leaves, outputs, hazards, spaces + reduction_count);
    }

    /// Throws what `learn` does, and shape_error when an output with elements needs a reduction without identity that has
    /// none. Bit i of needs[o]: output o needs reduction i. Bits of unread: outputs that no output with elements needs.
    FUSE_RARE void check_elements(LearnOperand learn, std::uint64_t unread, const std::uint64_t* needs) const {
        for (const auto* list : {&leaves, &outputs}) {
            for (const BoundOperand& o : *list) {
                if (o.held_shape().size() > 0 && o.address < nowhere) {
                    learn(o.name, o.address);
                }
            }
        }
        for (int i = 0; i < reduction_count; ++i) {
            const BoundReduction& r = reductions[i];
            const std::uint64_t wanting = r.demanding & ~unread;
            for (int o = 0; o < outputs.size && wanting != 0; ++o) {
                if (((needs[o] >> i) & (wanting >> o) & 1U) != 0 && outputs[o].shape.size() > 0 && r.lacks_elements()) {
                    throw_no_identity(r.name);
                }
            }
        }
    }

    /// The extent of leaf number `slot` along a domain axis.
    FUSE_RARE index_t extent(int slot, int axis) const {
        for (const BoundOperand& o : leaves) {
            if (o.slot == slot) {
                return extents(o)[axis];
            }
        }
        return 1;
    }

    /// Number of elements of all outputs together.
    FUSE_RARE index_t output_size() const {
        index_t n = 0;
        for (const BoundOperand& o : outputs) {
            n += o.shape.size();
        }
        return n;
    }
    /// Elements of the largest output outside the domain.
    FUSE_RARE index_t fill_size() const {
        index_t n = 0;
        for (const BoundOperand& o : outputs) {
            n = largest(n, o.fills ? o.shape.size() : 0);
        }
        return n;
    }

    /// Bytes of all operands and outputs together. What occurs several times under one identity counts once, as do elements
    /// that stride 0 repeats.
    FUSE_RARE double operand_bytes() const {
        double bytes = 0;
        for (const auto* list : {&outputs, &leaves}) {
            for (const BoundOperand* o = list->begin(); o != list->end(); ++o) {
                double own = o->item_size;
                const Shape& shape = o->held_shape();
                for (int axis = 0; axis < shape.rank; ++axis) {
                    own *= o->held_stride()[axis] == 0 && shape[axis] > 1 ? 1 : static_cast<double>(shape[axis]);
                }
                for (const BoundOperand* other = list->begin(); other != list->end(); ++other) {
                    const bool same = other < o && other->slot == o->slot;
                    // A window looks at what another operand brings.
                    const bool brought =
                        o->memory != nullptr && other->address == o->address && (other->memory == nullptr || other < o);
                    own = same || brought ? 0 : own;
                }
                bytes += own;
            }
        }
        return bytes;
    }

private:
    /// The domain has the extent of every operand that is not 1 there.
    FUSE_RARE void extend_domain(const BoundOperand& o) {
        const AxisMap axes = AxisMap::unpack(o.axes);
        for (int i = 0; i < axes.rank; ++i) {
            index_t& mine = domain.extent[axes.axis[i]];
            const index_t e = o.shape[i];
            if (e != 1 && e != mine) {
                if (mine != 1) {
                    throw_other_space(o, i, mine, leaves);
                }
                mine = e;
            }
        }
    }
    FUSE_RARE Shape extents(const BoundOperand& o) const {
        return extents_in_domain(o.shape, AxisMap::unpack(o.axes), domain.extent.rank);
    }
    /// Whether an output, or what a reduction folds, has elements where the domain has none.
    FUSE_RARE bool needs_elements() const {
        bool needs = false;
        for (int i = 0; i < reduction_count; ++i) {
            const BoundReduction& r = reductions[i];
            for (int axis = 0; axis < domain.extent.rank; ++axis) {
                needs = needs || (r.operand.size() > 0 && ((r.covers >> axis) & 1U) != 0 && domain.extent[axis] == 0);
            }
        }
        for (const BoundOperand& o : outputs) {
            // What is written along a walked axis needs elements there, too.
            const std::uint32_t axes = o.covers | ~domain.walked;
            for (int axis = 0; axis < domain.extent.rank; ++axis) {
                needs = needs || (o.shape.size() > 0 && ((axes >> axis) & 1U) != 0 && domain.extent[axis] == 0);
            }
        }
        return needs;
    }
    FUSE_RARE void lift_empty_axes() {
        stretched = true;
        for (int axis = 0; axis < domain.extent.rank; ++axis) {
            domain.extent[axis] = domain.extent[axis] == 0 ? 1 : domain.extent[axis];
        }
    }
    FUSE_RARE OperandLayout in_domain(const BoundOperand& o) const {
        const AxisMap axes = AxisMap::unpack(o.axes);
        OperandLayout layout;
        layout.stride.rank = domain.extent.rank;
        for (int i = 0; i < axes.rank && o.shape.size() > 0; ++i) {
            layout.stride[axes.axis[i]] = o.shape[i] == 1 ? 0 : o.stride[i];
        }
        layout.address = o.address;
        layout.item_size = o.item_size;
        return layout;
    }
    [[noreturn]] FUSE_RARE static void throw_shape(const Shape& own, const Shape& shape, ErasedNode view,
                                                   ErasedNode expression) {
        Text text;
        text << "output ";
        view.print(text);
        text << own << " does not have the shape " << shape << " of ";
        expression.print(text);
        throw shape_error(text);
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
