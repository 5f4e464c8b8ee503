// SPDX-License-Identifier: Apache-2.0
//
// Functors that pass one of their operands on.
#pragma once

#include "fuse/ops/types/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

/// x where the condition holds, -infinity elsewhere: nothing that a maximum would take.
struct WhereOrNothing {
    static constexpr const char* name = "where_or_nothing";
    template <class T>
    FUSE_HD constexpr T operator()(bool condition, T x) const {
        return condition ? x : -limits<T>::infinity;
    }
};

/// The first operand. The second lends it its place in the kernel: a target alone would be taken for a row.
struct FirstOf {
    static constexpr const char* name = "first_of";
    template <class A, class B>
    FUSE_HD constexpr A operator()(A a, B) const {
        return a;
    }
};

FUSE_END_NAMESPACE
