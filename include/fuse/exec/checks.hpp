// SPDX-License-Identifier: Apache-2.0
//
// The checks of an eval that need run-time values, on plain structs: nothing here depends on the expression's type.
// Messages are built only when a check fails.
#pragma once

#include <cstring>

#include "fuse/error.hpp"
#include "fuse/exec/overlap.hpp"
#include "fuse/lang/shape_stack.hpp"
#include "fuse/plan/axis_map.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A view of the statements, without its type. It points into the statements, which outlive an eval.
struct BoundOperand {
    const char* name = nullptr;
    bool named = false;
    std::uintptr_t address = 0;
    const Shape* shape = nullptr;
    const Shape* stride = nullptr;
    std::uint32_t item_size = 0;
    int slot = 0;            ///< position in DomainLayout::operands
    std::uint64_t axes = 0;  ///< packed AxisMap: where its axes lie in the domain
    std::uint32_t spans = 0; ///< outputs: domain axes it has to span
    bool placed = false;     ///< outputs: elements are written elsewhere than where they were read

    FUSE_COLD Text text() const { return Text() << name << *shape; }
};

/// An axis of a reduction's operand: where it lies in the domain, and how to print the reduction.
struct ReducedAxis {
    int axis = 0;
    index_t extent = 0;
    ErasedNode node;
};

/// A list in room that somebody else provides.
template <class T>
struct Listing {
    T* item;
    int size = 0;

    void push(const T& value) { item[size++] = value; }
    const T& operator[](int i) const { return item[i]; }
    const T* begin() const { return item; }
    const T* end() const { return item + size; }
};

[[noreturn]] FUSE_COLD inline void throw_bad_pointer(const BoundOperand& o, bool negative) {
    if (negative) {
        throw shape_error(Text() << "view " << o.text() << " has a negative extent");
    }
    throw argument_error(Text() << "view " << o.text() << " is a null pointer");
}

FUSE_COLD inline void check_pointer(const BoundOperand& o) {
    bool negative = false;
    for (int axis = 0; axis < o.shape->rank; ++axis) {
        negative = negative || (*o.shape)[axis] < 0;
    }
    if (negative || (o.address == 0 && o.shape->size() > 0)) {
        throw_bad_pointer(o, negative);
    }
}

[[noreturn]] FUSE_COLD inline void throw_two_views(const char* name) {
    throw argument_error(Text() << "the name " << name << " stands for two different views in one eval: a name is an identity");
}
[[noreturn]] FUSE_COLD inline void throw_two_numbers(const char* name) {
    throw argument_error(Text() << "the name " << name << " stands for two different numbers in one eval");
}

/// Two leaves of one name are the same data; so are those of one slot, which unnamed leaves share where a named<>
/// expression occurs twice.
FUSE_COLD inline void check_names(const Listing<BoundOperand>& leaves) {
    for (int i = 1; i < leaves.size; ++i) {
        for (int j = 0; j < i; ++j) {
            const BoundOperand& a = leaves[i];
            const BoundOperand& b = leaves[j];
            const bool same = a.address == b.address && *a.shape == *b.shape && *a.stride == *b.stride &&
                              a.item_size == b.item_size;
            if (!same && (a.slot == b.slot || (a.named && b.named && std::strcmp(a.name, b.name) == 0))) {
                throw_two_views(a.named ? a.name : "in a named<> expression");
            }
        }
    }
}

[[noreturn]] FUSE_COLD inline void throw_other_space(const BoundOperand& o, int axis, index_t there) {
    throw shape_error(Text() << o.text() << " does not share the iteration space of this eval: axis " << axis << " has extent " << (*o.shape)[axis] << " where another operand has " << there << ". Evaluate the statements one by one");
}

[[noreturn]] FUSE_COLD inline void throw_other_reduction(const ReducedAxis& r, index_t there) {
    Text reduction;
    r.node.print(reduction, r.node.node);
    throw shape_error(Text() << reduction << " reduces an axis of extent " << r.extent << ", but the iteration space of this eval has extent " << there << " there: evaluate it into a view of its own first");
}

/// A reduction walks the whole axis of the domain: an operand of extent 1 there would be counted many times.
FUSE_COLD inline void check_reductions(const Listing<ReducedAxis>& reductions, const Shape& domain) {
    for (const ReducedAxis& r : reductions) {
        if (r.extent != domain[r.axis]) {
            throw_other_reduction(r, domain[r.axis]);
        }
    }
}

[[noreturn]] FUSE_COLD inline void throw_bad_output(const BoundOperand& o, const Text& why) {
    throw shape_error(Text() << "output " << o.text() << why);
}

/// An output has one place for each element that the kernel writes.
FUSE_COLD inline void check_span(const BoundOperand& o, const OperandLayout& layout, const Shape& domain) {
    for (int axis = 0; axis < domain.rank; ++axis) {
        if (((o.spans >> axis) & 1U) != 0 && domain[axis] > 1 && layout.stride[axis] == 0 && domain.size() > 0) {
            throw_bad_output(o, Text() << " does not span the iteration space of this eval, whose axis " << axis << " has extent " << domain[axis] << ". Evaluate it on its own");
        }
    }
}

[[noreturn]] FUSE_COLD inline void throw_repeated_output(const BoundOperand& o) {
    throw argument_error(Text() << "output " << o.text() << " has stride 0: its elements would be written several times");
}
FUSE_COLD inline void check_output_strides(const BoundOperand& o) {
    for (int axis = 0; axis < o.shape->rank; ++axis) {
        if ((*o.stride)[axis] == 0 && (*o.shape)[axis] > 1 && o.shape->size() > 0) {
            throw_repeated_output(o);
        }
    }
}

[[noreturn]] FUSE_COLD inline void throw_overlap(const BoundOperand& output, const BoundOperand& other, bool input) {
    throw argument_error(input ? Text() << "output " << output.name << " overlaps input " << other.name << " at other element positions"
                               : Text() << "outputs " << other.name << " and " << output.name << " overlap");
}

FUSE_COLD inline void check_overlap(const DomainLayout& domain, const Listing<BoundOperand>& leaves,
                                    const Listing<BoundOperand>& outputs) {
    const auto layout = [&domain](const BoundOperand& o) -> const OperandLayout& {
        return domain.operands[o.slot];
    };
    for (int i = 0; i < outputs.size; ++i) {
        for (const BoundOperand& leaf : leaves) {
            const bool in_place = outputs[i].address == leaf.address && leaf.shape->size() > 0;
            if ((outputs[i].placed && in_place) || partially_overlap(domain.extent, layout(outputs[i]), layout(leaf))) {
                throw_overlap(outputs[i], leaf, true);
            }
        }
        for (int j = 0; j < i; ++j) {
            const bool both = outputs[i].shape->size() > 0 && outputs[j].shape->size() > 0;
            if (both && (outputs[i].address == outputs[j].address ||
                         partially_overlap(domain.extent, layout(outputs[i]), layout(outputs[j])))) {
                throw_overlap(outputs[i], outputs[j], false);
            }
        }
    }
}

[[noreturn]] FUSE_COLD inline void throw_no_identity(const char* reduction) {
    throw shape_error(Text() << reduction << " of no elements: this reduction has no identity");
}

}  // namespace detail

FUSE_END_NAMESPACE
