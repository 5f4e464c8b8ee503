// SPDX-License-Identifier: Apache-2.0
//
// Extents and strides as a user writes them: shape(rows, cols), strides(1, rows), extents<dynamic, 1024>{rows}.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <utility>

#include "fuse/config.hpp"

#define FUSE_NO_RANK                                                                                                   \
    "fuse: the type of a Shape does not say how many axes it has: x.shape() of a view or a tensor does, and "          \
    "fuse::shape(rows, cols)"

FUSE_BEGIN_NAMESPACE

/// An extent known only at run time.
inline constexpr index_t dynamic = -1;

namespace detail {

/// A number of elements, modulo 2^64: beside an extent of 0 others may be as large as they like.
constexpr index_t times_extent(index_t elements, index_t extent) {
    return static_cast<index_t>(static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(extent));
}

}  // namespace detail

/// The extents (or strides) of up to max_rank axes, as run-time numbers.
struct Shape {
    int rank = 0;
    std::array<index_t, max_rank> extent{};

    constexpr index_t operator[](int axis) const { return extent[static_cast<std::size_t>(axis)]; }
    constexpr index_t& operator[](int axis) { return extent[static_cast<std::size_t>(axis)]; }

    /// Number of elements, modulo 2^64; 1 for rank 0.
    FUSE_COLD constexpr index_t size() const {
        index_t n = 1;
        for (int axis = 0; axis < rank; ++axis) {
            n = detail::times_extent(n, (*this)[axis]);
        }
        return n;
    }

    friend FUSE_COLD constexpr bool operator==(const Shape& a, const Shape& b) {
        bool same = a.rank == b.rank;
        for (int axis = 0; same && axis < a.rank; ++axis) {
            same = a[axis] == b[axis];
        }
        return same;
    }
};

namespace detail {

/// A Shape of Rank axes without room for more: views are copied into every expression that they stand in.
template <int Rank>
struct PackedShape {
    index_t extent[Rank > 0 ? Rank : 1];

    FUSE_COLD constexpr explicit PackedShape(const Shape& shape) : extent{} {
        for (int axis = 0; axis < Rank; ++axis) {
            extent[axis] = shape[axis];
        }
    }
    FUSE_COLD constexpr Shape unpack() const {
        Shape shape{Rank, {}};
        for (int axis = 0; axis < Rank; ++axis) {
            shape[axis] = extent[axis];
        }
        return shape;
    }
};

/// What a Shape is known to be.
struct OfThisType {};

}  // namespace detail

/// Row-major strides, in elements, of a shape.
constexpr Shape row_major(const Shape& shape) {
    Shape result = shape;
    index_t stride = 1;
    for (int axis = shape.rank - 1; axis >= 0; --axis) {
        result[axis] = stride;
        stride = detail::times_extent(stride, shape[axis]);
    }
    return result;
}

/// Extents, some of which are part of the type. The constructor takes the dynamic ones in order. x.shape() of a view or an
/// array is such a type, too, so that it stands where extents do: view<"y">(p, x.shape()), tensor<float>(x.shape()).
template <index_t... E>
struct extents : Shape {
    static_assert(sizeof...(E) <= static_cast<std::size_t>(max_rank), "fuse: at most 8 axes");
    static_assert(((E == dynamic || E >= 0) && ...), "fuse: a static extent is not negative");
    static constexpr int rank = sizeof...(E);
    static constexpr int dynamic_rank = (0 + ... + (E == dynamic ? 1 : 0));

    template <std::integral... I>
        requires(sizeof...(I) == static_cast<std::size_t>(dynamic_rank))
    constexpr explicit extents(I... given) : Shape{rank, {}} {
        const std::array<index_t, sizeof...(I) + 1> run_time{static_cast<index_t>(given)..., 0};
        const std::array<index_t, sizeof...(E) + 1> declared{E..., 0};
        std::size_t next = 0;
        for (int axis = 0; axis < rank; ++axis) {
            const index_t e = declared[static_cast<std::size_t>(axis)];
            Shape::operator[](axis) = e == dynamic ? run_time[next++] : e;
        }
    }
    /// Those of a view or an array of this type.
    constexpr extents(detail::OfThisType, const Shape& all) : Shape(all) {}

    /// Read alone: what is in the type cannot change.
    constexpr index_t operator[](int axis) const { return Shape::operator[](axis); }
};

namespace detail {

/// Extents none of which is static.
template <class Axes>
struct dynamic_extents_of;
template <int... I>
struct dynamic_extents_of<std::integer_sequence<int, I...>> {
    using type = extents<(static_cast<void>(I), dynamic)...>;
};
template <int Rank>
using dynamic_extents = typename dynamic_extents_of<std::make_integer_sequence<int, Rank>>::type;

}  // namespace detail

/// shape(rows, cols): run-time extents.
template <std::integral... I>
constexpr auto shape(I... e) {
    static_assert(sizeof...(I) <= static_cast<std::size_t>(max_rank), "fuse: at most 8 axes");
    return extents<(static_cast<void>(sizeof(I)), dynamic)...>{static_cast<index_t>(e)...};
}

/// Strides in elements, one per axis; 0 repeats an element, negative strides walk backwards.
template <int Rank>
struct strides_t {
    Shape value;
};

template <std::integral... I>
constexpr auto strides(I... s) {
    static_assert(sizeof...(I) <= static_cast<std::size_t>(max_rank), "fuse: at most 8 axes");
    return strides_t<static_cast<int>(sizeof...(I))>{
        Shape{static_cast<int>(sizeof...(I)), {static_cast<index_t>(s)...}}};
}

FUSE_END_NAMESPACE
