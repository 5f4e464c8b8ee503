// SPDX-License-Identifier: Apache-2.0
//
// The run-time shape of an expression: numpy broadcasting, checked node by node so that the error names the place.
// Static extents that contradict each other are refused at compile time.
#pragma once

#include "fuse/error.hpp"
#include "fuse/lang/print.hpp"

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

/// Stretches `result` by an operand's shape, aligned at the end; returns the axis where they do not fit, or -1.
FUSE_COLD inline int broadcast_into(Shape& result, const Shape& s) {
    const int first = result.rank - s.rank;
    // Not from the front: g++ 12 at -O3 imagines that such a loop could begin before the array, and warns.
    for (int axis = result.rank - 1; axis >= 0 && axis >= first; --axis) {
        index_t& mine = result[axis];
        const index_t e = s[axis - first];
        if (e != 1 && e != mine) {
            if (mine != 1) {
                return axis;
            }
            mine = e;
        }
    }
    return -1;
}

}  // namespace detail

template <class T, class Name, index_t... E>
Shape shape_of(const View<T, Name, E...>& v) {
    return v.shape();
}
template <class T, class Name>
Shape shape_of(const Scalar<T, Name>&) {
    return {};
}
template <class T, long Num, long Den>
Shape shape_of(const Constant<T, Num, Den>&) {
    return {};
}
template <int Axis>
Shape shape_of(const Index<Axis>&) {
    return {};
}
template <class F, class... Args>
FUSE_COLD Shape shape_of(const Map<F, Args...>&);
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
Shape shape_of(const Reduce<Op, E, Mask, Keep, Acc>&);
template <int Axis, class E>
Shape shape_of(const ExpandDims<Axis, E>&);

template <class Name, class E>
Shape shape_of(const Named<Name, E>& n) {
    return shape_of(n.expression);
}
template <int Axis, class E>
Shape shape_of(const ExpandDims<Axis, E>& n) {
    const Shape inner = shape_of(n.expression);
    Shape s{inner.rank + 1, {}};
    for (int i = 0; i < s.rank; ++i) {
        s[i] = i == Axis ? 1 : inner[i - (i > Axis ? 1 : 0)];
    }
    return s;
}

namespace detail {

/// Says which two operands of a map do not fit, on which axis of the result.
template <class F, class... Args>
[[noreturn]] FUSE_COLD void throw_no_broadcast(const Map<F, Args...>& n, int axis) {
    Text text;
    index_t first = 1;
    bool found = false;
    const auto look = [&](const auto& operand) {
        const Shape s = shape_of(operand);
        const int own = axis - (Map<F, Args...>::rank - s.rank);
        if (!found && own >= 0 && s[own] != 1 && s[own] != first) {
            found = first != 1;
            text << (found ? " with " : "cannot broadcast ") << operand << s;
            first = s[own];
        }
    };
    std::apply([&look](const auto&... a) { (look(a), ...); }, n.args);
    throw shape_error(text << " on axis " << axis << " in " << n);
}

}  // namespace detail

/// Throws shape_error: "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)".
template <class F, class... Args>
Shape shape_of(const Map<F, Args...>& n) {
    static_assert(detail::broadcast_static<Args...>(Map<F, Args...>::rank).fits,
                  "fuse: these operands do not broadcast: two static extents on one axis differ and neither is 1");
    Shape result{Map<F, Args...>::rank, {}};
    result.extent.fill(1);
    int clash = -1;
    std::apply(
        [&](const auto&... a) {
            ((clash = clash < 0 ? detail::broadcast_into(result, shape_of(a)) : clash), ...);
        },
        n.args);
    if (clash >= 0) {
        detail::throw_no_broadcast(n, clash);
    }
    return result;
}

template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
Shape shape_of(const Reduce<Op, E, Mask, Keep, Acc>& n) {
    const Shape inner = shape_of(n.expression);
    Shape s;
    for (int i = 0; i < inner.rank; ++i) {
        const bool reduced = ((Mask >> i) & 1U) != 0;
        if (!reduced || Keep) {
            s[s.rank++] = reduced ? 1 : inner[i];
        }
    }
    return s;
}

FUSE_END_NAMESPACE
