// SPDX-License-Identifier: Apache-2.0
//
// fuse: elementwise maps and reductions as lazy expressions, one kernel per eval.
#pragma once

#include "fuse/exec/eval.hpp"
#include "fuse/exec/explain.hpp"
#include "fuse/lang/reductions.hpp"
#include "fuse/nn/nn.hpp"
#include "fuse/version.hpp"

#if defined(__CUDACC__)
#include "fuse/exec/cuda.hpp"
#endif
