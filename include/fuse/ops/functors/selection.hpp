// SPDX-License-Identifier: Apache-2.0
//
// A functor that passes one of its operands on.
#pragma once

#include "fuse/ops/types/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

/// The first operand. The second lends it its place in the kernel: a target alone would be taken for a row.
struct FirstOf {
    static constexpr const char* name = "first_of";
    template <class A, class B>
    FUSE_HD constexpr A operator()(A a, B) const {
        return a;
    }
};

FUSE_END_NAMESPACE
