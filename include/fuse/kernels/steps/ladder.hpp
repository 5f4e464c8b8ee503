// SPDX-License-Identifier: Apache-2.0
//
// The kernels of steps, as the choice and the kernels themselves both know them.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// The kernels of a step, in the order of StepFamily::kernels: that which each step has, and where there is another one,
/// that of blocks which share rows or columns, or which hold rows; behind those the one pass of rows and columns
/// (one_pass.hpp), of which the columns have no kernel of their own.
enum class StepKernels { first, other, one_pass };
/// Vectors of a held row per thread.
inline constexpr int held_step_vectors = 4;
/// Threads of a block; of one that folds columns in a walk along rows too long for so many, one of a multiprocessor.
inline constexpr unsigned most_step_threads = 256;
inline constexpr unsigned most_walk_threads = 512;

FUSE_END_NAMESPACE
