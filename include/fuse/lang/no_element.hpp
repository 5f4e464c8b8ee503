// SPDX-License-Identifier: Apache-2.0
//
// The element of a view that has extents and no memory (broadcast_to.hpp): its leaf shapes the domain, and kernels load
// nothing for it.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

struct NoElement {};

}  // namespace detail

FUSE_END_NAMESPACE
