// SPDX-License-Identifier: Apache-2.0
//
// Where a thread of the GPU stands in its block, and the block in its grid. The host's half, for the compiler alone, is a
// block of one thread.
#pragma once

#if defined(__CUDACC__)

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// X, Y: threads along each axis, 0 where known only at run time, by the launch; what is known at compile time removes the
/// shape tests of the collectives.
template <unsigned X, unsigned Y>
struct CudaLaunchShape {
    FUSE_HD unsigned dim_x() const {
        if constexpr (X != 0) {
            return X;
        } else {
#if FUSE_ON_DEVICE
            return blockDim.x;
#else
            return 1;
#endif
        }
    }

    FUSE_HD unsigned dim_y() const {
        if constexpr (Y != 0) {
            return Y;
        } else {
#if FUSE_ON_DEVICE
            return blockDim.y;
#else
            return 1;
#endif
        }
    }

    FUSE_HD unsigned thread_x() const {
#if FUSE_ON_DEVICE
        return X == 1 ? 0 : threadIdx.x;
#else
        return 0;
#endif
    }

    FUSE_HD unsigned thread_y() const {
#if FUSE_ON_DEVICE
        return Y == 1 ? 0 : threadIdx.y;
#else
        return 0;
#endif
    }

#if FUSE_ON_DEVICE
    FUSE_HD unsigned grid_x() const {
        return gridDim.x;
    }
    FUSE_HD unsigned grid_y() const {
        return gridDim.y;
    }
    FUSE_HD unsigned block_x() const {
        return blockIdx.x;
    }
    FUSE_HD unsigned block_y() const {
        return blockIdx.y;
    }
#else
    FUSE_HD unsigned grid_x() const {
        return 1;
    }
    FUSE_HD unsigned grid_y() const {
        return 1;
    }
    FUSE_HD unsigned block_x() const {
        return 0;
    }
    FUSE_HD unsigned block_y() const {
        return 0;
    }
#endif
};

FUSE_END_NAMESPACE

#endif
