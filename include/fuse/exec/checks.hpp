// SPDX-License-Identifier: Apache-2.0
//
// The checks of an eval that need run-time values, on plain structs: nothing here depends on the expression's type.
// Messages are built only when a check fails.
#pragma once

#include <cstring>

#include "fuse/error.hpp"
#include "fuse/exec/overlap.hpp"
#include "fuse/lang/natural_map.hpp"
#include "fuse/lang/shape_stack.hpp"
#include "fuse/lang/strided.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A view of the statements, without its type. What it points to lies in the statements, which outlive an eval.
struct BoundOperand {
    const char* name = nullptr;
    bool named = false;
    std::uintptr_t address = 0;
    Shape shape;
    Shape stride;
    std::uint32_t item_size = 0;
    int slot = 0;              ///< position in DomainLayout::operands
    std::uint64_t axes = 0;    ///< packed AxisMap: where its axes lie in the domain
    std::uint32_t covers = 0;  ///< outputs: domain axes along which it is written; none: once, outside the domain
    bool scattered = false;    ///< outputs: elements are written elsewhere than where they were read
    bool fills = false;        ///< outputs: one value, written to elements outside the domain
    const Strided* memory =
        nullptr;                   ///< a window (lang/window.hpp): what it looks at, of which it may read any element
    const char* around = nullptr;  ///< the named<> around a view without a name

    FUSE_RARE Text text() const { return Text() << name << shape; }
    const Shape& held_shape() const { return memory != nullptr ? memory->shape : shape; }
    const Shape& held_stride() const { return memory != nullptr ? memory->stride : stride; }
};

/// Extents along the axes of the domain; 1 where a view or an operand has none.
FUSE_RARE inline Shape extents_in_domain(const Shape& own, const AxisMap& axes, int domain_rank) {
    Shape shape{domain_rank, {}};
    shape.extent.fill(1);
    for (int i = 0; i < axes.rank; ++i) {
        shape[axes.axis[i]] = own[i];
    }
    return shape;
}

/// What a reduction folds: extents of its operand along the domain axes, and which of them it reduces.
struct BoundReduction {
    const char* name = nullptr;
    Shape operand;
    std::uint32_t mask = 0;
    std::uint32_t covers = 0;     ///< domain axes along which the kernel goes for it
    std::uint64_t demanding = 0;  ///< statements (bit i) in which it stands without an identity

    /// No element to fold, and a result that is one of them missing.
    FUSE_RARE bool lacks_elements() const {
        bool folds = true;
        bool gives = true;
        for (int axis = 0; axis < operand.rank; ++axis) {
            (((mask >> axis) & 1U) != 0 ? folds : gives) &= operand[axis] != 0;
        }
        return gives && !folds;
    }
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

[[noreturn]] FUSE_RARE inline void throw_bad_pointer(const BoundOperand& o, bool negative) {
    if (negative) {
        throw shape_error(Text() << "view " << o.text() << " has a negative extent");
    }
    throw argument_error(Text() << "view " << o.text() << " is a null pointer");
}

/// Leaves (bit i: slot i) that a value written once may destroy: those that other elements may still read, those that
/// outputs which are filled read for each element, and all that the values written once are made of.
struct OnceHazards {
    std::uint64_t late = 0;
    std::uint64_t by_fills = 0;
    std::uint64_t made_of = 0;
};

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody binds.
void check_pointer(const BoundOperand& o);
bool same_data(const BoundOperand& a, const BoundOperand& b);
[[noreturn]] void throw_two_views(const char* name);
[[noreturn]] void throw_two_numbers(const char* name);
[[noreturn]] void throw_two_expressions(const char* name, const char* differ);
[[noreturn]] void throw_other_space(const BoundOperand& o, int axis, index_t there,
                                    const Listing<BoundOperand>& leaves);
void check_names(const Listing<BoundOperand>& leaves);
void check_output_strides(const BoundOperand& o);
void check_countable(const Shape& domain);
void check_overlap(const DomainLayout& domain, const Listing<BoundOperand>& leaves,
                   const Listing<BoundOperand>& outputs, const OnceHazards& hazards, const OwnSpace* spaces);

#else

FUSE_RARE inline void check_pointer(const BoundOperand& o) {
    bool negative = false;
    for (int axis = 0; axis < o.shape.rank; ++axis) {
        negative = negative || o.shape[axis] < 0;
    }
    if (negative || (o.address == 0 && o.held_shape().size() > 0)) {
        throw_bad_pointer(o, negative);
    }
}

[[noreturn]] FUSE_RARE inline void throw_two_views(const char* name) {
    throw argument_error(Text() << "the name " << name
                                << " stands for two different views in one eval: a name is an identity");
}
[[noreturn]] FUSE_RARE inline void throw_two_numbers(const char* name) {
    throw argument_error(Text() << "the name " << name << " stands for two different numbers in one eval");
}
/// name: of a named<>, null where it is not known.
[[noreturn]] FUSE_RARE inline void throw_two_expressions(const char* name, const char* differ) {
    Text who;
    if (name != nullptr) {
        who << "named<\"" << name << "\">";
    } else {
        who << "one named<>";
    }
    throw argument_error(who << " stands for two expressions with different " << differ
                             << " in one eval: a name is an identity");
}

/// Whether two leaves read the same elements in the same order.
FUSE_RARE inline bool same_data(const BoundOperand& a, const BoundOperand& b) {
    return a.address == b.address && a.shape == b.shape && a.stride == b.stride && a.item_size == b.item_size &&
           a.held_shape() == b.held_shape() && a.held_stride() == b.held_stride();
}

/// Two leaves of one name are the same data; so are those of one slot, which unnamed leaves share where a named<>
/// expression occurs twice.
FUSE_RARE inline void check_names(const Listing<BoundOperand>& leaves) {
    for (int i = 1; i < leaves.size; ++i) {
        for (int j = 0; j < i; ++j) {
            const BoundOperand& a = leaves[i];
            const BoundOperand& b = leaves[j];
            const bool one = a.slot == b.slot || (a.named && b.named && std::strcmp(a.name, b.name) == 0);
            if (one && !same_data(a, b)) {
                if (a.named) {
                    throw_two_views(a.name);
                }
                throw_two_expressions(a.around, "views");
            }
        }
    }
}

/// Names help where they are missing: the planner then knows which slices are of one array.
[[noreturn]] FUSE_RARE inline void throw_other_space(const BoundOperand& o, int axis, index_t there,
                                                     const Listing<BoundOperand>& leaves) {
    bool all_named = true;
    for (const BoundOperand& leaf : leaves) {
        all_named = all_named && std::strcmp(leaf.name, unnamed::text) != 0;
    }
    const auto* names =
        all_named ? "" : "; of slices beside arrays it may be enough to name all views, view<\"x\">(...)";
    throw shape_error(
        Text() << o.text() << " does not share the iteration space of this eval: axis " << axis << " has extent "
               << o.shape[axis] << " where another operand has " << there
               << ". Evaluate the statements one by one, what is folded over other extents into a view first" << names);
}

/// Of a domain without elements the other extents may be as large as they like.
FUSE_RARE inline void check_countable(const Shape& domain) {
    index_t elements = 1;
    bool overflows = false;
    bool empty = false;
    for (int axis = 0; axis < domain.rank; ++axis) {
        overflows = __builtin_mul_overflow(elements, domain[axis], &elements) || overflows;
        empty = empty || domain[axis] == 0;
    }
    if (overflows && !empty) {
        throw shape_error(Text() << "the iteration space " << domain << " has more elements than can be counted");
    }
}

[[noreturn]] FUSE_RARE inline void throw_repeated_output(const BoundOperand& o) {
    throw argument_error(Text() << "output " << o.text()
                                << " has stride 0: its elements would be written several times");
}
[[noreturn]] FUSE_RARE inline void throw_output_meets_itself(const BoundOperand& o) {
    throw argument_error(Text() << "output " << o.text() << " with strides " << o.stride
                                << " has elements that are the same memory: they would be written several times");
}
FUSE_RARE inline void check_output_strides(const BoundOperand& o) {
    if (o.shape.size() == 0) {
        return;
    }
    for (int axis = 0; axis < o.shape.rank; ++axis) {
        if (o.stride[axis] == 0 && o.shape[axis] > 1) {
            throw_repeated_output(o);
        }
    }
    if (meets_itself(o.shape, o.stride)) {
        throw_output_meets_itself(o);
    }
}

[[noreturn]] FUSE_RARE inline void throw_overlap(const BoundOperand& output, const BoundOperand& other, bool input) {
    throw argument_error(input ? Text() << "output " << output.name << " overlaps input " << other.name
                                        << " at other element positions"
                               : Text() << "outputs " << other.name << " and " << output.name << " overlap");
}
[[noreturn]] FUSE_RARE inline void throw_still_read(const BoundOperand& output, const BoundOperand& leaf) {
    throw argument_error(Text() << "output " << output.name << " overlaps input " << leaf.name
                                << ", which this eval still reads when it writes there");
}

FUSE_RARE inline OperandLayout own_layout(const BoundOperand& o) {
    return {o.held_stride(), o.address, o.item_size};
}

FUSE_RARE inline void check_once_overlap(const BoundOperand& output, const Listing<BoundOperand>& leaves,
                                         const OnceHazards& hazards) {
    const std::uint64_t read = hazards.late | hazards.by_fills | (output.fills ? hazards.made_of : 0);
    for (const BoundOperand& leaf : leaves) {
        if (((read >> leaf.slot) & 1U) != 0 &&
            partially_overlap(output.shape, own_layout(output), leaf.held_shape(), own_layout(leaf), true)) {
            throw_still_read(output, leaf);
        }
    }
}

/// Domain axes along which a view has an axis.
FUSE_RARE inline std::uint32_t axes_of(const BoundOperand& o) {
    return AxisMap::unpack(o.axes).mask();
}

FUSE_RARE inline bool overlap_in(const DomainLayout& domain, const BoundOperand& a, const BoundOperand& b) {
    return partially_overlap(domain.extent, domain.operands[a.slot], domain.extent, domain.operands[b.slot], false);
}

/// spaces: of the outputs.
FUSE_RARE inline void check_overlap(const DomainLayout& domain, const Listing<BoundOperand>& leaves,
                                    const Listing<BoundOperand>& outputs, const OnceHazards& hazards,
                                    const OwnSpace* spaces) {
    for (int i = 0; i < outputs.size; ++i) {
        const BoundOperand& output = outputs[i];
        if (output.shape.size() == 0) {
            continue;
        }
        if (output.covers == 0) {
            check_once_overlap(output, leaves, hazards);
        }
        for (const BoundOperand& leaf : leaves) {
            if (output.covers != 0 && leaf.memory != nullptr) {
                if (partially_overlap(output.shape, own_layout(output), leaf.memory->shape, own_layout(leaf), true)) {
                    throw_overlap(output, leaf, true);
                }
            } else if (output.covers != 0 && leaf.shape.size() > 0) {
                // Elements that repeat another one are read by other threads than the one that writes it.
                const bool repeats = spaces[i].stretched || (axes_of(leaf) & domain.walked & ~output.covers) != 0;
                const bool begins_there = output.address == leaf.address;
                if ((output.scattered && begins_there) || overlap_in(domain, output, leaf)) {
                    throw_overlap(output, leaf, true);
                }
                if (repeats && outputs.size > 1 && begins_there) {
                    throw_still_read(output, leaf);
                }
            }
        }
        for (int j = 0; j < i; ++j) {
            const BoundOperand& other = outputs[j];
            const bool meet =
                output.covers != 0 && other.covers != 0
                    ? overlap_in(domain, output, other)
                    : partially_overlap(output.shape, own_layout(output), other.shape, own_layout(other), true);
            if (other.shape.size() > 0 && (output.address == other.address || meet)) {
                throw_overlap(output, other, false);
            }
        }
    }
}

#endif

[[noreturn]] FUSE_RARE inline void throw_no_identity(const char* reduction) {
    throw shape_error(Text() << reduction << " of no elements: this reduction has no identity");
}

}  // namespace detail

FUSE_END_NAMESPACE
