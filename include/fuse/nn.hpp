// SPDX-License-Identifier: Apache-2.0
//
// fuse.hpp and the whole catalogue of norms, losses and statistics. fuse.hpp alone has those that most programs use.
#pragma once

#include "fuse/fuse.hpp"

#if defined(FUSE_SUPPORTED)

#include "fuse/nn/binary_loss.hpp"
#include "fuse/nn/contrastive_loss.hpp"
#include "fuse/nn/cross_entropy.hpp"
#include "fuse/nn/dice_loss.hpp"
#include "fuse/nn/divergence.hpp"
#include "fuse/nn/likelihood_loss.hpp"
#include "fuse/nn/nll_loss.hpp"
#include "fuse/nn/ranking_loss.hpp"
#include "fuse/nn/smooth_l1_loss.hpp"
#include "fuse/nn/statistics.hpp"

#endif
