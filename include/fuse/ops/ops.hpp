// SPDX-License-Identifier: Apache-2.0
//
// All functors and reduction ops. To add one: put a struct with `name` and `apply` beside its family
// (functor.hpp says which base makes it callable; a reduction implements reduction_base.hpp), then one record
// in tests/ops/op_table.hpp.
#pragma once

#include "fuse/ops/activation.hpp"
#include "fuse/ops/arg_min_max.hpp"
#include "fuse/ops/arithmetic.hpp"
#include "fuse/ops/bfloat16.hpp"
#include "fuse/ops/cast.hpp"
#include "fuse/ops/comparison.hpp"
#include "fuse/ops/compute_type.hpp"
#include "fuse/ops/exponential.hpp"
#include "fuse/ops/extremum.hpp"
#include "fuse/ops/float16.hpp"
#include "fuse/ops/functor.hpp"
#include "fuse/ops/logic.hpp"
#include "fuse/ops/logical.hpp"
#include "fuse/ops/min_max.hpp"
#include "fuse/ops/reduction.hpp"
#include "fuse/ops/rounding.hpp"
#include "fuse/ops/sum_prod.hpp"
#include "fuse/ops/trigonometric.hpp"
