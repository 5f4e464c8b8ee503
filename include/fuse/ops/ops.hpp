// SPDX-License-Identifier: Apache-2.0
//
// All functors and reduction ops. To add one: put a struct with `name` and `apply` beside its family in functors/
// (functor.hpp says which base makes it callable; one in reductions/ implements reduction_base.hpp), then one record
// in tests/ops/op_table.hpp.
#pragma once

#include "fuse/ops/functors/activation.hpp"
#include "fuse/ops/functors/arithmetic.hpp"
#include "fuse/ops/functors/cast.hpp"
#include "fuse/ops/functors/comparison.hpp"
#include "fuse/ops/functors/exponential.hpp"
#include "fuse/ops/functors/functor.hpp"
#include "fuse/ops/functors/logic.hpp"
#include "fuse/ops/functors/min_max.hpp"
#include "fuse/ops/functors/rounding.hpp"
#include "fuse/ops/functors/trigonometric.hpp"
#include "fuse/ops/reductions/arg_min_max.hpp"
#include "fuse/ops/reductions/logic.hpp"
#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/reduction.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"
#include "fuse/ops/types/bfloat16.hpp"
#include "fuse/ops/types/compute_type.hpp"
#include "fuse/ops/types/float16.hpp"
