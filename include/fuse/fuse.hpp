// SPDX-License-Identifier: Apache-2.0
//
// fuse: elementwise maps and reductions as lazy expressions, one kernel per eval.
//
// The life of an expression
//   1. lang/     y = exp(x - max(x, axes<-1>, keepdims)) builds a statement: a tree of small nodes, captured by value.
//   2. plan/     lower.hpp turns its type into the intermediate form (ir.hpp): leaves have an identity and axes in one
//                common domain (lang/natural_map.hpp). nodes.hpp numbers the distinct values in an array, stages.hpp arranges
//                the reductions in stages, rules.hpp says why it cannot be one kernel; plan.hpp makes it a Program.
//   3. exec/     prepare.hpp is the spine: bind.hpp walks the tree again with the data, checks.hpp refuses what cannot
//                be run, plan/layout.hpp merges axes, and the launch is chosen.
//   4. kernels/  families.hpp asks the kernel families, each a folder, for a Launch: their choose.hpp are pure functions
//                of numbers and a Policy. A kernel is a struct, written against the ThreadBlock concept (primitives/),
//                that evaluates the Program: phases fold, values are broadcast back, outputs are written.
//
// The kinds of node, and what each gives to a kernel
//   node        written as                  rank                        value at one element
//   View        view<"x">(p, rows, cols)    number of extents           the element, fp16 and bf16 as float
//   Scalar      scalar<"eps">(v), 2.f       0                           a kernel parameter
//   Constant    constant<1, 3>              0                           part of the code
//   Index       index<1>()                  0 (broadcasts with all)     the coordinate along an axis
//   FlatIndex   flat_index()                0 (broadcasts with all)     the row-major position
//   Map         map(f, a, b), a + b, exp    largest of its operands     f(a, b)
//   Reduce      sum(x, axes<1>), reduce     that of x less its axes     the fold of x over the axes
//   Scan        cumsum(x, axes<1>), scan    that of x                   the fold of x up to here
//   (Scan)      sort(x), argsort(x)         that of x                   the element of this rank in its row
//   Named       named<"h">(e)               that of e                   that of e, with an identity
//   Let, Bound  let(e, f), softmax(e)       that of f(e)                f(e), in which e is one value
//   ExpandDims  expand_dims<1>(e)           one more than e             that of e
//   Part        (x * 2)[0], flip(x + y)     that of e, or one less      that of e, of parts of its views
//   Framed      broadcast_to(index<0>(), n) that of e                   that of e, whose coordinates are its own
#pragma once

#include "fuse/requirements.hpp"

#if defined(FUSE_SUPPORTED)

// Each after those that it includes: before a sentence g++ prints by which headers its file came, here always one.
#include "fuse/lang/axes.hpp"
#include "fuse/lang/extents.hpp"
#include "fuse/lang/name.hpp"
#include "fuse/lang/node.hpp"
#include "fuse/lang/part_at.hpp"
#include "fuse/lang/refused_ops.hpp"
#include "fuse/lang/refused_outputs.hpp"
#include "fuse/lang/statement.hpp"

#include "fuse/lang/constant.hpp"
#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/refused_names.hpp"
#include "fuse/lang/view.hpp"

#include "fuse/lang/refused_views.hpp"
#include "fuse/lang/view_parts.hpp"

#include "fuse/lang/map.hpp"

#include "fuse/lang/activations.hpp"
#include "fuse/lang/broadcast.hpp"
#include "fuse/lang/let.hpp"
#include "fuse/lang/operators.hpp"
#include "fuse/lang/reduce.hpp"

#include "fuse/lang/named.hpp"
#include "fuse/lang/part.hpp"
#include "fuse/lang/reductions.hpp"
#include "fuse/lang/scan.hpp"

#include "fuse/lang/broadcast_to.hpp"
#include "fuse/lang/compact.hpp"
#include "fuse/lang/ranges.hpp"
#include "fuse/lang/sort.hpp"

#include "fuse/lang/expression_parts.hpp"

#include "fuse/lang/diff.hpp"

#include "fuse/random/random.hpp"

#include "fuse/nn/loss_reduction.hpp"

#include "fuse/nn/classification_loss.hpp"
#include "fuse/nn/cosine_similarity.hpp"
#include "fuse/nn/kl_div.hpp"
#include "fuse/nn/normalization.hpp"
#include "fuse/nn/refused_losses.hpp"
#include "fuse/nn/refused_norms.hpp"
#include "fuse/nn/regression_loss.hpp"
#include "fuse/nn/softmax.hpp"

#include "fuse/nn/nn.hpp"
#include "fuse/plan/refusal.hpp"

#include "fuse/plan/plan.hpp"

#include "fuse/exec/eval.hpp"
#include "fuse/exec/explain.hpp"
#include "fuse/exec/prepared_eval.hpp"
#include "fuse/exec/refused_calls.hpp"

#include "fuse/array/refused_arrays.hpp"
#include "fuse/array/tensor.hpp"

#include "fuse/array/print.hpp"
#include "fuse/version.hpp"

#if defined(__CUDACC__)
#include "fuse/array/device_tensor.hpp"
#include "fuse/exec/cuda.hpp"
#else
#include "fuse/exec/no_cuda.hpp"
#endif

#endif
