// SPDX-License-Identifier: Apache-2.0
//
// The run-time shape of an expression: numpy broadcasting, checked node by node so that the error names the place.
// Static extents that contradict each other are refused at compile time.
#pragma once

#include "fuse/lang/shape_stack.hpp"
#include "fuse/lang/tally.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Extents known from types: `dynamic` where not known. Index i counts from the end, so that operands align.
template <class E>
inline constexpr Shape static_shape = [] {
    Shape s{rank_v<E>, {}};
    s.extent.fill(dynamic);
    return s;
}();
template <class T, class Name, index_t... E>
inline constexpr Shape static_shape<View<T, Name, E...>> = Shape{static_cast<int>(sizeof...(E)), {E...}};

struct StaticBroadcast {
    Shape shape;
    bool fits = true;
};
template <class... Args>
constexpr StaticBroadcast broadcast_static(int rank) {
    StaticBroadcast r{Shape{rank, {}}, true};
    r.shape.extent.fill(1);
    const auto take = [&r, rank](const Shape& s) {
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
    (take(static_shape<Args>), ...);
    return r;
}
template <class F, class... Args>
inline constexpr Shape static_shape<Map<F, Args...>> = broadcast_static<Args...>(Map<F, Args...>::rank).shape;
template <class Name, class E>
inline constexpr Shape static_shape<Named<Name, E>> = static_shape<E>;
template <class F, int I, class E>
inline constexpr Shape static_shape<Bound<F, I, E>> = static_shape<E>;
template <class F, class Body, class... E>
inline constexpr Shape static_shape<Let<F, Body, E...>> = static_shape<Body>;
template <int Axis, class E>
inline constexpr Shape static_shape<ExpandDims<Axis, E>> = [] {
    Shape s{E::rank + 1, {}};
    for (int i = 0; i < s.rank; ++i) {
        s[i] = i == Axis ? 1 : static_shape<E>[i - (i > Axis ? 1 : 0)];
    }
    return s;
}();
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
inline constexpr Shape static_shape<Reduce<Op, E, Mask, Keep, Acc>> = [] {
    Shape s;
    for (int i = 0; i < E::rank; ++i) {
        const bool reduced = ((Mask >> i) & 1U) != 0;
        if (!reduced || Keep) {
            s[s.rank++] = reduced ? 1 : static_shape<E>[i];
        }
    }
    return s;
}();
template <class Op, class E, int Axis, bool Exclusive, class Acc>
inline constexpr Shape static_shape<Scan<Op, E, Axis, Exclusive, Acc>> = static_shape<E>;

// What a node does to the shapes of its operands.

template <class T, class Name, index_t... E>
void shape_step(ShapeStack& shapes, const View<T, Name, E...>& v) {
    shapes.push(v.shape(), erase(v));
}
template <class E>
    requires(E::rank == 0)
void shape_step(ShapeStack& shapes, const E& leaf) {
    shapes.push(Shape{}, erase(leaf));
}
template <class F, class... Args>
void shape_step(ShapeStack& shapes, const Map<F, Args...>& n) {
    static_assert(broadcast_static<Args...>(Map<F, Args...>::rank).fits,
                  "fuse: these operands do not broadcast: two static extents on one axis differ and neither is 1");
    shapes.broadcast(static_cast<int>(sizeof...(Args)), Map<F, Args...>::rank, erase(n));
}
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
void shape_step(ShapeStack& shapes, const Reduce<Op, E, Mask, Keep, Acc>& n) {
    shapes.reduce(Mask, Keep, erase(n));
}
template <class Op, class E, int Axis, bool Exclusive, class Acc>
void shape_step(ShapeStack& shapes, const Scan<Op, E, Axis, Exclusive, Acc>& n) {
    shapes.rename(erase(n));
}
template <int Axis, class E>
void shape_step(ShapeStack& shapes, const ExpandDims<Axis, E>& n) {
    shapes.expand(Axis, erase(n));
}
template <class Name, class E>
void shape_step(ShapeStack& shapes, const Named<Name, E>& n) {
    shapes.rename(erase(n));
}
template <class F, int I, class E>
void shape_step(ShapeStack&, const Bound<F, I, E>&) {}
template <class F, class Body, class... E>
void shape_step(ShapeStack&, const Let<F, Body, E...>&) {}

template <class E>
void push_shape(ShapeStack& shapes, const E& e) {
    if constexpr (requires { e.args; }) {
        std::apply([&shapes](const auto&... arg) { (push_shape(shapes, arg), ...); }, e.args);
    } else if constexpr (requires { e.expression; }) {
        push_shape(shapes, e.expression);
    }
    shape_step(shapes, e);
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
