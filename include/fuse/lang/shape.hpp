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

/// "x(64, 128)": an operand in an error message.
template <class E>
std::string with_shape(const E& e, const Shape& shape) {
    return to_string(e) + to_string(shape);
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
Shape shape_of(const Map<F, Args...>&);
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

/// Throws shape_error: "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)".
template <class F, class... Args>
Shape shape_of(const Map<F, Args...>& n) {
    static_assert(detail::broadcast_static<Args...>(Map<F, Args...>::rank).fits,
                  "fuse: these operands do not broadcast: two static extents on one axis differ and neither is 1");
    Shape result{Map<F, Args...>::rank, {}};
    result.extent.fill(1);
    std::string culprit[max_rank];  // who set each extent of the result
    const auto take = [&](const auto& operand) {
        const Shape s = shape_of(operand);
        for (int i = 0; i < s.rank; ++i) {
            const int axis = i + result.rank - s.rank;
            index_t& mine = result[axis];
            if (s[i] == 1 || s[i] == mine) {
                continue;
            }
            if (mine != 1) {
                throw shape_error("cannot broadcast " + culprit[axis] + " with " + detail::with_shape(operand, s) +
                                  " on axis " + std::to_string(axis) + " in " + to_string(n));
            }
            mine = s[i];
            culprit[axis] = detail::with_shape(operand, s);
        }
    };
    std::apply([&take](const auto&... a) { (take(a), ...); }, n.args);
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
