// SPDX-License-Identifier: Apache-2.0
//
// What taking a view apart does to its extents and strides, on plain numbers: no element is copied. view_parts.hpp gives
// these to views. Extents and strides that come out address elements of the view that went in, each as often as before.
#pragma once

#include "fuse/error.hpp"
#include "fuse/lang/extents.hpp"
#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A view without its type: which elements, from where on.
struct Strided {
    Shape shape;
    Shape stride;
    index_t offset = 0;  ///< in elements, of the first one
    const char* name = nullptr;

    FUSE_RARE Text text() const { return Text() << name << shape; }
};

/// Without the entry of an axis.
constexpr Shape without(const Shape& s, int axis) {
    Shape result{s.rank - 1, {}};
    for (int i = 0; i < result.rank; ++i) {
        result[i] = s[i + (i >= axis ? 1 : 0)];
    }
    return result;
}
/// With an entry before `axis`.
constexpr Shape with_axis(const Shape& s, int axis, index_t value) {
    Shape result{s.rank + 1, {}};
    for (int i = 0; i < result.rank; ++i) {
        result[i] = i == axis ? value : s[i - (i > axis ? 1 : 0)];
    }
    return result;
}
/// Axis i is axis order[i] of s.
constexpr Shape permuted(const Shape& s, const Shape& order) {
    Shape result{s.rank, {}};
    for (int i = 0; i < s.rank; ++i) {
        result[i] = s[static_cast<int>(order[i])];
    }
    return result;
}
constexpr bool is_permutation(const Shape& order, int rank) {
    unsigned seen = 0;
    for (int i = 0; i < order.rank; ++i) {
        if (order[i] < 0 || order[i] >= rank) {
            return false;
        }
        seen |= 1U << order[i];
    }
    return order.rank == rank && seen == (1U << rank) - 1U;
}

FUSE_COLD inline Strided strided(const Shape& shape, const Shape& stride, const char* name) {
    for (int axis = 0; axis < shape.rank; ++axis) {
        if (shape[axis] < 0) {
            throw shape_error(Text() << "view " << name << shape << " has a negative extent");
        }
    }
    return {shape, stride, 0, name};
}

[[noreturn]] FUSE_RARE inline void throw_outside(const Shape& shape, const char* name, int axis, index_t i) {
    throw argument_error(Text() << "index " << i << " is outside axis " << axis << " of " << name << shape);
}
/// The position of index i along an axis; a negative one counts from the end.
inline index_t position_of(const Shape& shape, const char* name, int axis, index_t i) {
    const index_t extent = shape[axis];
    if (i >= extent || i < -extent) {
        throw_outside(shape, name, axis, i);
    }
    return i < 0 ? i + extent : i;
}

FUSE_COLD inline Strided select(const Strided& x, int axis, index_t i) {
    const index_t at = position_of(x.shape, x.name, axis, i);
    return {without(x.shape, axis), without(x.stride, axis), x.offset + at * x.stride[axis], x.name};
}

/// A bound of a slice; {} stands for one that is left out.
struct SliceBound {
    bool given = false;
    index_t at = 0;

    constexpr SliceBound() = default;
    template <std::integral I>
    constexpr SliceBound(I i) : given(true), at(static_cast<index_t>(i)) {}

    /// Counted from the end if negative, and limited to [low, high].
    constexpr index_t within(index_t extent, index_t low, index_t high, index_t otherwise) const {
        const index_t i = at < 0 ? at + extent : at;
        return !given ? otherwise : i < low ? low : i > high ? high : i;
    }
};

/// numpy's x[start:stop:step]: bounds beyond the end are the end.
FUSE_COLD inline Strided slice(Strided x, int axis, SliceBound start, SliceBound stop, index_t step) {
    if (step == 0) {
        throw argument_error(Text() << "slice of " << x.text() << ": the step is 0");
    }
    const index_t extent = x.shape[axis];
    const bool forward = step > 0;
    // Longer steps end where these do.
    step = step > extent ? extent + 1 : step < -extent ? -extent - 1 : step;
    const index_t first =
        forward ? start.within(extent, 0, extent, 0) : start.within(extent, -1, extent - 1, extent - 1);
    const index_t last = forward ? stop.within(extent, 0, extent, extent) : stop.within(extent, -1, extent - 1, -1);
    const index_t way = forward ? last - first : first - last;
    const index_t pace = forward ? step : -step;
    const index_t count = way > 0 ? (way - 1) / pace + 1 : 0;
    x.offset += count > 0 ? first * x.stride[axis] : 0;
    x.stride[axis] *= count > 1 ? step : 1;
    x.shape[axis] = count;
    return x;
}

/// Backwards along the axes in `mask`.
FUSE_COLD inline Strided flip(Strided x, std::uint32_t mask) {
    const bool empty = x.shape.size() == 0;
    for (int axis = 0; axis < x.shape.rank && !empty; ++axis) {
        if (((mask >> axis) & 1U) != 0) {
            x.offset += (x.shape[axis] - 1) * x.stride[axis];
            x.stride[axis] = -x.stride[axis];
        }
    }
    return x;
}

FUSE_COLD inline Strided squeeze(const Strided& x, int axis) {
    if (x.shape[axis] != 1) {
        throw shape_error(Text() << "squeeze: axis " << axis << " of " << x.text() << " has extent " << x.shape[axis]
                                 << ", not 1");
    }
    return {without(x.shape, axis), without(x.stride, axis), x.offset, x.name};
}

/// `wanted` with its one extent of -1, if there is one, such that it has `count` elements. Otherwise, or if an extent is
/// negative, `fits` is false.
struct FittedShape {
    Shape shape;
    bool fits = false;
};
FUSE_COLD inline FittedShape fit_elements(const Shape& wanted, index_t count) {
    FittedShape result{wanted, true};
    int open = -1;
    index_t known = 1;
    bool none = false;
    for (int axis = 0; axis < wanted.rank; ++axis) {
        const index_t e = wanted[axis];
        none = none || e == 0;
        if (e == -1 && open < 0) {
            open = axis;
        } else if (e < 0) {
            return {wanted, false};
        }
    }
    for (int axis = 0; axis < wanted.rank && !none; ++axis) {
        // A product beyond 64 bits is larger than any count.
        if (axis != open && __builtin_mul_overflow(known, wanted[axis], &known)) {
            return {wanted, false};
        }
    }
    known = none ? 0 : known;
    if (open >= 0) {
        result.fits = known > 0 && count % known == 0;
        result.shape[open] = result.fits ? count / known : -1;
    } else {
        result.fits = known == count;
    }
    return result;
}

/// The shape of a view of a whole range of `count` elements.
FUSE_COLD inline Shape fit_range(const Shape& wanted, index_t count, const char* name) {
    const FittedShape fitted = fit_elements(wanted, count);
    if (!fitted.fits) {
        throw shape_error(Text() << "view " << name << wanted << " does not have the " << count
                                 << " elements of its container");
    }
    return fitted.shape;
}

/// Throws shape_error where a view of a range of `count` elements, from the first one on, leaves it.
FUSE_COLD inline void check_inside(const Strided& x, index_t count) {
    if (x.shape.size() == 0) {
        return;
    }
    index_t low = 0;
    index_t high = 0;
    bool inside = true;
    for (int axis = 0; axis < x.shape.rank; ++axis) {
        index_t reach = 0;
        inside = inside && !__builtin_mul_overflow(x.shape[axis] - 1, x.stride[axis], &reach);
        index_t& end = reach < 0 ? low : high;
        inside = inside && !__builtin_add_overflow(end, reach, &end);
    }
    if (!inside || low < 0 || high >= count) {
        throw shape_error(Text() << "view " << x.text() << " with strides " << x.stride
                                 << " leaves its container, which has " << count << " elements");
    }
}

/// The strides of `shape`, which has as many elements as x, in row-major order over the elements of x. False if there are
/// none: only neighbouring axes of x that are walked as one can become other axes.
FUSE_COLD inline bool reshaped_strides(const Strided& x, const Shape& shape, Shape& stride) {
    stride = row_major(shape);
    if (shape.size() == 0) {
        return true;
    }
    struct Run {
        index_t count;
        index_t step;
    };
    Run run[max_rank];
    int runs = 0;
    for (int axis = 0; axis < x.shape.rank; ++axis) {
        const index_t e = x.shape[axis];
        const index_t step = x.stride[axis];
        if (e == 1) {
            continue;
        }
        if (runs > 0 && run[runs - 1].step == step * e) {
            run[runs - 1] = {run[runs - 1].count * e, step};
        } else {
            run[runs++] = {e, step};
        }
    }
    int axis = shape.rank - 1;
    while (runs-- > 0) {
        const auto [count, step] = run[runs];
        index_t taken = 1;
        for (; axis >= 0 && taken < count; --axis) {
            stride[axis] = step * taken;
            taken *= shape[axis];
        }
        if (taken != count) {
            return false;
        }
    }
    return true;
}

FUSE_COLD inline Strided reshape(const Strided& x, const Shape& wanted) {
    const FittedShape fitted = fit_elements(wanted, x.shape.size());
    if (!fitted.fits) {
        throw shape_error(Text() << "reshape: " << x.text() << " has " << x.shape.size()
                                 << " elements, which do not fill " << wanted);
    }
    Strided result{fitted.shape, {}, x.offset, x.name};
    if (!reshaped_strides(x, fitted.shape, result.stride)) {
        throw shape_error(Text() << "reshape: the elements of " << x.text() << ", which has strides " << x.stride
                                 << ", are no view of shape " << fitted.shape
                                 << " where they lie. Evaluate it into a contiguous view first");
    }
    return result;
}

}  // namespace detail

FUSE_END_NAMESPACE
