// SPDX-License-Identifier: Apache-2.0
//
// The run-time shape of an expression: numpy broadcasting, checked node by node so that the error names the place.
// Static extents that contradict each other are refused at compile time.
#pragma once

#include "fuse/lang/shape_stack.hpp"
#include "fuse/lang/tally.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class N, class... E>
constexpr Shape static_shape_of(operand_types<E...>);

/// Extents known from types: `dynamic` where not known.
template <class N>
inline constexpr Shape static_shape = static_shape_of<N>(typename N::operands{});

struct StaticBroadcast {
    Shape shape;
    bool fits = true;
};
/// Aligned at the end.
template <class... E>
constexpr StaticBroadcast broadcast_static(int rank) {
    StaticBroadcast r{Shape{rank, {}}, true};
    r.shape.extent.fill(1);
    [[maybe_unused]] const auto take = [&r, rank](const Shape& s) {
        for (int i = 0; i < s.rank; ++i) {
            index_t& mine = r.shape[i + rank - s.rank];
            const index_t e = s[i];
            if (e == 1) {
                continue;
            }
            if (mine == 1 || mine == dynamic) {
                mine = e;
            } else if (e != dynamic && e != mine) {
                r.fits = false;
            }
        }
    };
    (take(static_shape<E>), ...);
    return r;
}

template <class N, class... E>
constexpr Shape static_shape_of(operand_types<E...>) {
    if constexpr (N::reads) {
        return N::static_shape;
    } else if constexpr (sizeof...(E) == 1) {
        return N::result_shape(static_shape<E>...);
    } else {
        return broadcast_static<E...>(N::rank).shape;
    }
}

template <class... E>
constexpr bool fit_statically(operand_types<E...>, int rank) {
    return broadcast_static<E...>(rank).fits;
}

/// What a node does to the shapes of its operands.
template <class N>
void shape_step(ShapeStack& shapes, const N& n) {
    constexpr int operands = []<class... E>(operand_types<E...>) {
        return static_cast<int>(sizeof...(E));
    }(typename N::operands{});
    if constexpr (N::reads) {
        shapes.push(n.shape(), erase(n));
    } else if constexpr (operands == 1) {
        shapes.replace(N::result_shape(shapes.top()), erase(n));
    } else {
        static_assert(fit_statically(typename N::operands{}, N::rank),
                      "fuse: these operands do not broadcast: two static extents on one axis differ and neither is 1");
        shapes.broadcast(operands, N::rank, erase(n));
    }
}

template <class N>
void push_shape(ShapeStack& shapes, const N& n) {
    n.on_operands([&shapes](const auto&... operand) { (push_shape(shapes, operand), ...); });
    shape_step(shapes, n);
}

}  // namespace detail

/// Throws shape_error: "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)".
template <Expression E>
Shape shape_of(const E& expression) {
    detail::ShapeStack::Entry room[detail::tally<E>.depth];
    detail::ShapeStack shapes(room);
    detail::push_shape(shapes, expression);
    return shapes.top();
}

FUSE_END_NAMESPACE
