// SPDX-License-Identifier: Apache-2.0
//
// The norms and losses of neural networks that fuse.hpp has; fuse/nn.hpp has more. Each is an ordinary function of
// expressions, written in the language: what it returns is an expression again, to be evaluated, combined or reduced
// further, and lowers to one kernel.
#pragma once

#include "fuse/nn/classification_loss.hpp"
#include "fuse/nn/cosine_similarity.hpp"
#include "fuse/nn/kl_div.hpp"
#include "fuse/nn/normalization.hpp"
#include "fuse/nn/regression_loss.hpp"
#include "fuse/nn/softmax.hpp"
