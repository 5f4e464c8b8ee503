// SPDX-License-Identifier: Apache-2.0
//
// expand_dims<Axis>(e): a new axis of extent 1 at position Axis of the result (numpy.expand_dims).
#pragma once

#include "fuse/lang/part_at.hpp"
#include "fuse/lang/print.hpp"
#include "fuse/lang/statement.hpp"

FUSE_BEGIN_NAMESPACE

template <int Axis, class E>
struct ExpandDims : unary_node<E> {
    using unary_node<E>::unary_node;
    static constexpr int rank = E::rank + 1;
    static_assert(Axis >= 0 && Axis < rank, "fuse: expand_dims: the axis is outside the result's rank");

    static constexpr Shape result_shape(const Shape& operand) {
        Shape s{operand.rank + 1, {}};
        for (int i = 0; i < s.rank; ++i) {
            s[i] = i == Axis ? 1 : operand[i - (i > Axis ? 1 : 0)];
        }
        return s;
    }
    static constexpr AxisMap result_axes(const AxisMap& operand) {
        AxisMap m = AxisMap::all_open(operand.rank + 1);
        m.consistent = operand.consistent;
        for (int i = 0; i < operand.rank; ++i) {
            m.axis[i + (i >= Axis ? 1 : 0)] = operand.axis[i];
        }
        return m;
    }
    template <class Likely>
    static constexpr AxisMap operand_axes(const AxisMap& own, const AxisMap& known) {
        AxisMap m = AxisMap::all_open(known.rank);
        for (int i = 0; i < m.rank; ++i) {
            m.axis[i] = own.axis[i + (i >= Axis ? 1 : 0)];
        }
        return m;
    }

    template <class X>
    constexpr auto with(const X& x) const {
        return ExpandDims<Axis, X>(x);
    }
    FUSE_PART_AT(ExpandDims)
    FUSE_NO_OUTPUT(
        ExpandDims,
        "fuse: an output is a view, which expand_dims is not: reshape(r, -1, 1) is one of the same elements, "
        "and r itself takes what keepdims gives")
    FUSE_RARE void print(Text& out) const {
        out << "expand_dims<" << Axis << ">(";
        detail::print_argument(out, detail::erase(this->expression));
        out << ")";
    }
};

template <int Axis, Expression E>
constexpr ExpandDims<(Axis < 0 ? Axis + E::rank + 1 : Axis), E> expand_dims(const E& e) {
    return ExpandDims<(Axis < 0 ? Axis + E::rank + 1 : Axis), E>(e);
}

FUSE_END_NAMESPACE
