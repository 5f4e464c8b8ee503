// SPDX-License-Identifier: Apache-2.0
//
// The shape rules of the language, on plain numbers. An expression is visited operands first: a leaf pushes its shape,
// a node replaces those of its operands by its own. Each entry knows how to print its node, for the error that names
// the place.
#pragma once

#include "fuse/error.hpp"
#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The extents of a view, or of what stands for one.
template <class V>
constexpr Shape run_time_shape(const V& view) {
    if constexpr (requires { view.run_time_shape(); }) {
        return view.run_time_shape();
    } else {
        return view.shape();
    }
}

class ShapeStack {
public:
    struct Entry {
        Shape shape;
        ErasedNode node;
    };

    /// `room` has as many entries as the expression's tally says.
    explicit ShapeStack(Entry* room) : end_(room) {}

    const Shape& top() const { return end_[-1].shape; }
    void pop() { --end_; }

    /// A node, after its operands.
    template <class N>
    void node(const N& n) {
        constexpr int operands = []<class... E>(operand_types<E...>) {
            return static_cast<int>(sizeof...(E));
        }(typename N::operands{});
        if constexpr (N::reads) {
            push(run_time_shape(n), erase(n));
        } else if constexpr (operands == 1) {
            replace(N::result_shape(top()), erase(n));
        } else {
            broadcast(operands, N::rank, erase(n));
        }
    }

    FUSE_COLD void push(const Shape& shape, ErasedNode node) {
        end_->shape = shape;
        end_->node = node;
        ++end_;
    }
    /// numpy broadcasting of the last n entries, aligned at the end.
    FUSE_COLD void broadcast(int n, int rank, ErasedNode node) {
        Entry* const operands = end_ - n;
        Shape result{rank, {}};
        for (int axis = 0; axis < rank; ++axis) {
            index_t& mine = result[axis] = 1;
            for (int k = 0; k < n; ++k) {
                const index_t e = extent_at(operands[k].shape, rank, axis);
                if (e != 1 && mine != 1 && e != mine) {
                    throw_no_broadcast(operands, n, rank, axis, node);
                }
                mine = e != 1 ? e : mine;
            }
        }
        end_ = operands;
        push(result, node);
    }
    /// A node of one operand, which it stands for from now on.
    FUSE_COLD void replace(const Shape& shape, ErasedNode node) {
        end_[-1].shape = shape;
        end_[-1].node = node;
    }

private:
    static index_t extent_at(const Shape& shape, int rank, int axis) {
        const int own = axis - (rank - shape.rank);
        return own < 0 ? 1 : shape[own];
    }
    /// "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)"
    [[noreturn]] FUSE_RARE static void throw_no_broadcast(const Entry* operands, int n, int rank, int axis,
                                                          ErasedNode whole) {
        Text text;
        index_t first = 1;
        for (int k = 0; k < n; ++k) {
            const index_t e = extent_at(operands[k].shape, rank, axis);
            if (e != 1 && e != first) {
                text << (first == 1 ? "cannot broadcast " : " with ");
                operands[k].node.print(text);
                text << operands[k].shape;
                if (first != 1) {
                    break;
                }
                first = e;
            }
        }
        text << " on axis " << axis << " in ";
        whole.print(text);
        throw shape_error(text);
    }

    Entry* end_;
};

}  // namespace detail

FUSE_END_NAMESPACE
