// SPDX-License-Identifier: Apache-2.0
//
// arange(n), linspace(start, stop, n): evenly spaced numbers, computed where they are used.
#pragma once

#include <cmath>

#include "fuse/error.hpp"
#include "fuse/lang/broadcast_to.hpp"
#include "fuse/lang/index.hpp"
#include "fuse/lang/operators.hpp"
#include "fuse/lang/selection.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// How many of start, start + step, ... lie before stop; the distance of two integers may exceed their type.
FUSE_COLD inline index_t count_between(index_t start, index_t stop, index_t step) {
    if (step == 0) {
        throw argument_error(Text() << "arange: the step is 0");
    }
    const bool up = step > 0;
    if (up ? start >= stop : start <= stop) {
        return 0;
    }
    const auto low = static_cast<std::uint64_t>(up ? start : stop);
    const auto high = static_cast<std::uint64_t>(up ? stop : start);
    const std::uint64_t size = up ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
    return static_cast<index_t>((high - low - 1) / size + 1);
}
FUSE_COLD inline index_t count_between(double start, double stop, double step) {
    const double count = std::ceil((stop - start) / step);
    if (!(count < 0x1p62)) {
        throw argument_error(Text() << "arange: no finite number of elements");
    }
    return count > 0 ? static_cast<index_t>(count) : 0;
}

FUSE_COLD inline void check_linspace(index_t count) {
    if (count < 0) {
        throw shape_error(Text() << "linspace: " << count << " elements");
    }
}

/// index_t, as a type that depends on N: what depends on nothing, each program would pay for that includes this file.
template <class N>
using count_t = std::make_signed_t<std::common_type_t<N, index_t>>;

}  // namespace detail

/// 0, 1, ..., n - 1, of 64 bits, as an array of one axis without memory (numpy.arange); none for a negative n. One of a
/// floating type is cast<float>(arange(n)).
template <std::integral N>
auto arange(N n) {
    const auto count = static_cast<detail::count_t<N>>(n);
    return broadcast_to(index<0>(), count < 0 ? 0 : count);
}
/// start, start + step, ..., before stop (numpy.arange): of 64 bits if all are integers, else element i is start + i *
/// step in their common type. Throws argument_error for a step of 0, and where there is no end.
template <Number A, Number B, Number S = int>
auto arange(A start, B stop, S step = 1) {
    using C = std::common_type_t<A, B, S>;
    using T = std::conditional_t<std::is_floating_point_v<C>, C, index_t>;
    using Count = std::conditional_t<std::is_floating_point_v<C>, double, index_t>;
    const index_t n =
        detail::count_between(static_cast<Count>(start), static_cast<Count>(stop), static_cast<Count>(step));
    return broadcast_to(cast<T>(index<0>()) * static_cast<T>(step) + static_cast<T>(start), n);
}
/// n numbers from start to stop, both included: element i is start + i * ((stop - start) / (n - 1)), the last one is
/// stop; one element is start (numpy.linspace). Of their common type, double for integers. Throws shape_error for a
/// negative n.
template <Number A, Number B, std::integral N>
auto linspace(A start, B stop, N n) {
    using C = std::common_type_t<A, B>;
    using T = std::conditional_t<std::is_floating_point_v<C>, C, double>;
    const auto count = static_cast<detail::count_t<N>>(n);
    detail::check_linspace(count);
    const auto first = static_cast<T>(start);
    const T step = count > 1 ? (static_cast<T>(stop) - first) / static_cast<T>(count - 1) : T(0);
    const T last = count > 1 ? static_cast<T>(stop) : first;
    return broadcast_to(where(index<0>() == count - 1, last, cast<T>(index<0>()) * step + first), count);
}

FUSE_END_NAMESPACE
