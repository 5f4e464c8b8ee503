// SPDX-License-Identifier: Apache-2.0
//
// The run-time shape of an expression: numpy broadcasting, checked node by node so that the error names the place.
// Static extents that contradict each other are refused at compile time.
#pragma once

#include <initializer_list>

#include "fuse/lang/shape_stack.hpp"
#include "fuse/lang/tally.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class N, class... E>
constexpr Shape static_shape_of(operand_types<E...>);

/// Extents known from types: `dynamic` where not known.
template <class N>
inline constexpr Shape static_shape = static_shape_of<N>(typename N::operands{});

/// Two static extents on one axis that do not broadcast; equal if there are none.
struct StaticMisfit {
    index_t first = 0;
    index_t second = 0;
    constexpr bool found() const { return first != second; }
};
struct StaticBroadcast {
    Shape shape;
    StaticMisfit misfit;
};
/// Aligned at the end.
template <class... E>
constexpr StaticBroadcast broadcast_static(int rank) {
    StaticBroadcast r{Shape{rank, {}}, {}};
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
            } else if (e != dynamic && e != mine && !r.misfit.found()) {
                r.misfit = {mine, e};
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

constexpr StaticMisfit first_misfit(std::initializer_list<StaticMisfit> misfits) {
    for (const StaticMisfit& m : misfits) {
        if (m.found()) {
            return m;
        }
    }
    return {};
}
template <class N, class... E>
constexpr StaticMisfit static_misfit_of(operand_types<E...>);

/// In N or below.
template <class N>
inline constexpr StaticMisfit static_misfit = static_misfit_of<N>(typename N::operands{});

template <class N, class... E>
constexpr StaticMisfit static_misfit_of(operand_types<E...>) {
    if constexpr (sizeof...(E) < 2) {
        return first_misfit({static_misfit<E>...});
    } else {
        return first_misfit({static_misfit<E>..., broadcast_static<E...>(N::rank).misfit});
    }
}

template <class N>
void push_shape(ShapeStack& shapes, const N& n) {
    n.on_operands([&shapes](const auto&... operand) { (push_shape(shapes, operand), ...); });
    shapes.node(n);
}

}  // namespace detail

/// Throws shape_error, also where extents are static: "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)".
template <Expression E>
Shape shape_of(const E& expression) {
    detail::ShapeStack::Entry room[detail::tally<E>.depth];
    detail::ShapeStack shapes(room);
    detail::push_shape(shapes, expression);
    return shapes.top();
}

FUSE_END_NAMESPACE
