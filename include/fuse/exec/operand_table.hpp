// SPDX-License-Identifier: Apache-2.0
//
// The operands of an eval, gathered while its expressions are walked: no types, so that all expressions share this
// code. finish() checks what was gathered and lays it out in the domain.
#pragma once

#include "fuse/exec/checks.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The room is the caller's: `leaves` for each occurrence of a view, `layouts` for each distinct leaf and each output.
class OperandTable {
  public:
    DomainLayout domain;
    ShapeStack shapes;
    Listing<BoundOperand> leaves;
    Listing<BoundOperand> outputs;
    Listing<ReducedAxis> reduced;

    OperandTable(ShapeStack::Entry* stack, BoundOperand* leaf_room, BoundOperand* output_room, ReducedAxis* axis_room)
        : shapes(stack), leaves{leaf_room}, outputs{output_room}, reduced{axis_room} {}

    /// A reduction of the shape on top of the stack, whose axes lie in the domain as the packed AxisMap says.
    FUSE_COLD void add_reduction(std::uint32_t mask, std::uint64_t axes, ErasedNode node) {
        const Shape& operand = shapes.top();
        const AxisMap map = AxisMap::unpack(axes);
        for (int i = 0; i < operand.rank; ++i) {
            if (((mask >> i) & 1U) != 0) {
                reduced.push({map.axis[i], operand[i], node});
            }
        }
    }

    /// An output has the shape of its expression, the top of the stack; it may leave out axes that keepdims kept with
    /// extent 1, those that do not vary (bit i: axis i of the domain varies).
    FUSE_COLD void add_output(const BoundOperand& output, std::uint32_t varies, ErasedNode view, ErasedNode expression) {
        const Shape& shape = shapes.top();
        const Shape& own = *output.shape;
        bool fits = true;
        for (int i = 0, j = 0; i < shape.rank; ++i) {
            if (own.rank == shape.rank) {
                fits = fits && own[i] == shape[i];
            } else if (((varies >> (i + domain.extent.rank - shape.rank)) & 1U) != 0) {
                fits = fits && own[j++] == shape[i];
            }
        }
        if (!fits) {
            throw_shape(own, shape, view, expression);
        }
        shapes.pop();
        outputs.push(output);
    }

    FUSE_COLD void finish() {
        for (const BoundOperand& o : outputs) {
            place(o);
            check_output_strides(o);
        }
        for (const BoundOperand& o : leaves) {
            place(o);
        }
        for (const auto* list : {&outputs, &leaves}) {
            for (const BoundOperand& o : *list) {
                domain.operands[o.slot] = in_domain(o);
            }
        }
        check_names(leaves);
        check_reductions(reduced, domain.extent);
        for (const BoundOperand& o : outputs) {
            check_span(o, domain.operands[o.slot], domain.extent);
        }
        check_overlap(domain, leaves, outputs);
    }

  private:
    /// The domain has the extent of every operand that is not 1 there.
    void place(const BoundOperand& o) {
        check_pointer(o);
        const AxisMap axes = AxisMap::unpack(o.axes);
        for (int i = 0; i < o.shape->rank; ++i) {
            index_t& mine = domain.extent[axes.axis[i]];
            const index_t e = (*o.shape)[i];
            if (e != 1 && e != mine) {
                if (mine != 1) {
                    throw_other_space(o, i, mine);
                }
                mine = e;
            }
        }
    }
    OperandLayout in_domain(const BoundOperand& o) const {
        const AxisMap axes = AxisMap::unpack(o.axes);
        OperandLayout layout;
        layout.stride.rank = domain.extent.rank;
        for (int i = 0; i < o.shape->rank; ++i) {
            layout.stride[axes.axis[i]] = (*o.shape)[i] == 1 ? 0 : (*o.stride)[i];
        }
        layout.address = o.address;
        layout.item_size = o.item_size;
        return layout;
    }
    [[noreturn]] FUSE_COLD static void throw_shape(const Shape& own, const Shape& shape, ErasedNode view,
                                                   ErasedNode expression) {
        Text text;
        text << "output ";
        view.print(text, view.node);
        text << own << " does not have the shape " << shape << " of ";
        expression.print(text, expression.node);
        throw shape_error(text);
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
