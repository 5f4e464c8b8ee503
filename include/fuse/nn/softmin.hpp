// SPDX-License-Identifier: Apache-2.0
//
// softmin: the softmax of -x.
#pragma once

#include "fuse/nn/softmax.hpp"

FUSE_BEGIN_NAMESPACE

/// exp(-x) / sum(exp(-x)) over `axes` (default: the last): softmax(-x). Shape and type of x; integers give floating
/// point. As torch.nn.functional.softmin, whose dim is `axes` here.
template <Expression X, AxesOption A = axes_t<-1>>
constexpr auto softmin(const X& x, A over = {}) {
    FUSE_CHECK_AXES(X::rank, A);
    return softmax(-detail::in_floating(x), over);
}

FUSE_END_NAMESPACE
