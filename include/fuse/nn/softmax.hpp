// SPDX-License-Identifier: Apache-2.0
//
// softmax and log_softmax: two reductions (maximum, then sum) and a map back over the row, one kernel.
#pragma once

#include <concepts>

#include "fuse/lang/reductions.hpp"
#include "fuse/lang/stop_gradient.hpp"

FUSE_BEGIN_NAMESPACE

/// exp(x - m) / sum(exp(x - m)) with m = max(x), over `axes` (default: the last). The shift by m leaves the
/// value as it is and keeps exp from overflowing. Shape and type of x; integers give floating point. A row of
/// -inf gives NaN, as in torch.nn.functional.softmax, whose dim is `axes` here.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto softmax(const X& x, A over = {}) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(detail::in_floating(x), [over](const auto& v) {
        const auto e = exp(v - stop_gradient(max(v, over, keepdims)));
        return e * reciprocal(sum(e, over, keepdims));  // one division per row, not per element
    });
}

/// softmax(x / temperature); the temperature is a floating-point number.
template <Expression X, AxesOption A, std::floating_point T>
constexpr auto softmax(const X& x, A over, T temperature) {
    FUSE_CHECK_AXES(X::rank, A);
    return softmax(detail::in_floating(x) * (1 / static_cast<double>(temperature)), over);
}
template <Expression X, std::floating_point T>
constexpr auto softmax(const X& x, T temperature) {
    return softmax(x, axes<-1>, temperature);
}

/// x - m - log(sum(exp(x - m))) with m = max(x), over `axes` (default: the last): accurate where softmax
/// underflows. Shape and type of x; integers give floating point. As torch.nn.functional.log_softmax.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto log_softmax(const X& x, A over = {}) {
    FUSE_CHECK_AXES(X::rank, A);
    return let(detail::in_floating(x), [over](const auto& v) {
        const auto shifted = v - stop_gradient(max(v, over, keepdims));
        return shifted - log(sum(exp(shifted), over, keepdims));
    });
}
/// log_softmax(x / temperature); the temperature is a floating-point number.
template <Expression X, AxesOption A, std::floating_point T>
constexpr auto log_softmax(const X& x, A over, T temperature) {
    FUSE_CHECK_AXES(X::rank, A);
    return log_softmax(detail::in_floating(x) * (1 / static_cast<double>(temperature)), over);
}
template <Expression X, std::floating_point T>
constexpr auto log_softmax(const X& x, T temperature) {
    return log_softmax(x, axes<-1>, temperature);
}

FUSE_END_NAMESPACE
