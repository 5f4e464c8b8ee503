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

/// An operand of a map as the broadcasting rule sees it; its node is printed only when the rule is broken.
struct BroadcastOperand {
    Shape shape;
    const void* node;
    void (*print)(Text& out, const void* node);
};
template <class E>
void print_erased(Text& out, const void* node) {
    out << *static_cast<const E*>(node);
}

/// numpy broadcasting of n operands, aligned at the end, into `result`. Returns the axis where two of them do not
/// fit, or -1.
FUSE_COLD inline int broadcast_shapes(Shape& result, const BroadcastOperand* operands, int n) {
    for (int axis = 0; axis < result.rank; ++axis) {
        result[axis] = 1;
        for (int k = 0; k < n; ++k) {
            const int own = axis - (result.rank - operands[k].shape.rank);
            const index_t e = own < 0 ? 1 : operands[k].shape[own];
            if (e != 1 && result[axis] != 1 && e != result[axis]) {
                return axis;
            }
            result[axis] = e != 1 ? e : result[axis];
        }
    }
    return -1;
}

/// "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)"
[[noreturn]] FUSE_COLD inline void throw_no_broadcast(int rank, int axis, const BroadcastOperand* operands, int n,
                                                      const BroadcastOperand& whole) {
    Text text;
    index_t first = 1;
    for (int k = 0; k < n; ++k) {
        const Shape& s = operands[k].shape;
        const int own = axis - (rank - s.rank);
        if (own >= 0 && s[own] != 1 && s[own] != first) {
            text << (first == 1 ? "cannot broadcast " : " with ");
            operands[k].print(text, operands[k].node);
            text << s;
            if (first != 1) {
                break;
            }
            first = s[own];
        }
    }
    text << " on axis " << axis << " in ";
    whole.print(text, whole.node);
    throw shape_error(text);
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

template <class F, class... Args, std::size_t... I>
Shape shape_of_map(const Map<F, Args...>& n, std::index_sequence<I...>) {
    using node = Map<F, Args...>;
    constexpr int count = static_cast<int>(sizeof...(Args));
    const BroadcastOperand operands[] = {{shape_of(std::get<I>(n.args)), &std::get<I>(n.args), &print_erased<Args>}...};
    Shape result{node::rank, {}};
    const int clash = broadcast_shapes(result, operands, count);
    if (clash >= 0) {
        throw_no_broadcast(node::rank, clash, operands, count, {{}, &n, &print_erased<node>});
    }
    return result;
}

}  // namespace detail

/// Throws shape_error: "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)".
template <class F, class... Args>
Shape shape_of(const Map<F, Args...>& n) {
    static_assert(detail::broadcast_static<Args...>(Map<F, Args...>::rank).fits,
                  "fuse: these operands do not broadcast: two static extents on one axis differ and neither is 1");
    return detail::shape_of_map(n, std::make_index_sequence<sizeof...(Args)>{});
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
