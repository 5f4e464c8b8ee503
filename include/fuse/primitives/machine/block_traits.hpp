// SPDX-License-Identifier: Apache-2.0
//
// What a block type promises beyond the concept, or asks for: constants that a type has or has not. Code for what is
// promised not to occur is not even compiled. BlockTraits are those on which sizes of scratch memory depend, as
// numbers, for host code that sizes a launch and cannot name the block type.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

/// No machine has larger blocks.
inline constexpr unsigned max_block_threads = 1024;

/// Whether a block type promises a regular shape (see ShapedCudaBlock): rows of whole warps, or a power of two of
/// threads within one, and no partial warp.
template <class B>
inline constexpr bool regular_shape = false;
template <class B>
    requires requires {
        B::regular;
    }
inline constexpr bool regular_shape<B> = B::regular;

/// Whether a block type asks for collectives that take few registers, though they keep the pipe of shared memory and
/// shuffles busier: the kernel holds its data in registers, and a few more of them would cost a resident block.
template <class B>
inline constexpr bool spares_registers = false;
template <class B>
    requires requires {
        B::spares_registers;
    }
inline constexpr bool spares_registers<B> = B::spares_registers;

/// Warps of the largest block of a type.
template <class B>
inline constexpr unsigned most_warps = max_block_threads / static_cast<unsigned>(B::warp_size);
template <class B>
    requires requires {
        B::most_threads;
    }
inline constexpr unsigned most_warps<B> = B::most_threads / static_cast<unsigned>(B::warp_size);

/// Whether B has to work out at run time which lanes of a warp exist. Shuffles that name lanes by anything but a
/// constant take many more instructions, so code that knows its warp to be complete says so (complete_warps).
template <class B>
inline constexpr bool may_have_partial_warp = false;
template <class B>
    requires requires {
        B::may_have_partial_warp;
    }
inline constexpr bool may_have_partial_warp<B> = B::may_have_partial_warp;

/// The block for shuffles in warps that are known to be complete.
template <Shuffles B>
FUSE_HD decltype(auto) complete_warps(B& block) {
    if constexpr (may_have_partial_warp<B>) {
        return block.complete_warps();
    } else {
        return (block);
    }
}

/// Warps of NVIDIA's GPUs.
inline constexpr int cuda_warp_size = 32;

/// The traits on which sizes of scratch memory depend. Default: those of CudaBlock.
struct BlockTraits {
    unsigned warp_size = cuda_warp_size;  ///< 1 where lanes do not shuffle
    bool spares_registers = false;

    constexpr bool operator==(const BlockTraits&) const = default;
};

template <ThreadBlock B>
inline constexpr BlockTraits block_traits = {Shuffles<B> ? static_cast<unsigned>(B::warp_size) : 1,
                                             spares_registers<B>};

/// Those of PlannedCudaBlock, the block of the language's kernels.
inline constexpr BlockTraits planned_block = {cuda_warp_size, true};

FUSE_END_NAMESPACE
