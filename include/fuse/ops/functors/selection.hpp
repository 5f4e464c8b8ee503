// SPDX-License-Identifier: Apache-2.0
//
// Functors that pass one of their operands on.
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

/// The first operand, with the derivative of the second: a step whose slope is that of what it rounds (Bengio, Leonard,
/// Courville, "Estimating or Propagating Gradients Through Stochastic Neurons", arXiv:1308.3432, the straight-through
/// estimator).
struct StraightThrough : FirstOf {
    static constexpr const char* name = "straight_through";
};

FUSE_END_NAMESPACE
