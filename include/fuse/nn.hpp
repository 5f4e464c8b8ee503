// SPDX-License-Identifier: Apache-2.0
//
// The whole catalogue of neural networks: fuse.hpp, which has the common norms and losses, and the others, which a
// program that has no use for them does not pay for.
#pragma once

#include "fuse/fuse.hpp"

#if defined(FUSE_SUPPORTED)

// Each after those that it includes, as in fuse.hpp.
#include "fuse/lang/unflatten.hpp"

#include "fuse/nn/loss_options.hpp"

#include "fuse/nn/channels.hpp"
#include "fuse/nn/class_rows.hpp"
#include "fuse/nn/norm_statistics.hpp"

#include "fuse/nn/add_norm.hpp"
#include "fuse/nn/batch_norm.hpp"
#include "fuse/nn/binary_loss.hpp"
#include "fuse/nn/clip_grad_norm.hpp"
#include "fuse/nn/contrastive_loss.hpp"
#include "fuse/nn/cross_entropy.hpp"
#include "fuse/nn/dice_loss.hpp"
#include "fuse/nn/divergence.hpp"
#include "fuse/nn/group_norm.hpp"
#include "fuse/nn/gumbel_softmax.hpp"
#include "fuse/nn/likelihood_loss.hpp"
#include "fuse/nn/masked_softmax.hpp"
#include "fuse/nn/nll_loss.hpp"
#include "fuse/nn/optimizers.hpp"
#include "fuse/nn/ranking_loss.hpp"
#include "fuse/nn/refused_catalogue.hpp"
#include "fuse/nn/refused_optimizers.hpp"
#include "fuse/nn/scaling.hpp"
#include "fuse/nn/smooth_l1_loss.hpp"
#include "fuse/nn/softmin.hpp"
#include "fuse/nn/statistics.hpp"

#endif
