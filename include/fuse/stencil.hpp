// SPDX-License-Identifier: Apache-2.0
//
// roll and pad: arrays read shifted and padded, for stencils, finite differences and filters of a few taps, in the
// kernel of whatever reads them.
#pragma once

#include "fuse/fuse.hpp"

#if defined(FUSE_SUPPORTED)

#include "fuse/lang/window_parts.hpp"

#include "fuse/lang/shifts.hpp"

#include "fuse/plan/window_form.hpp"

#endif
