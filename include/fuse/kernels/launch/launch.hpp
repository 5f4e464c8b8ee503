// SPDX-License-Identifier: Apache-2.0
//
// A launch: all that an executor has to know about a kernel. A family chooses its geometry from numbers alone (its
// choose.hpp); complete<K>() adds what the kernel type says of its memory and of how its blocks are linked.
#pragma once

#include <cstddef>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// What separates the stages of a kernel, and its blocks.
enum class Link {
    none,        ///< blocks know nothing of each other
    last_block,  ///< of each group, the last block to arrive carries on alone; a counter per group
    grid_sync,   ///< all blocks wait for each other: a cooperative launch
    group_sync,  ///< the same within each group; a counter per group
    lookback,    ///< within the one stage, blocks wait for those that took earlier tiles
    tickets      ///< blocks take work by counting in one word
};

/// Bytes of the memory in which blocks count or send messages, which is zero between launches.
inline constexpr index_t counter_bytes = 128 * 1024;

struct Launch {
    const char* name = "";  ///< of the kernel, for explain()
    const char* why = "";   ///< one clause for explain(); where there is no launch, why
    int kernel = 0;         ///< position among the kernels of the family, and then of the program
    int vector = 1;         ///< items per vector, as the kernel has
    int vectors = 1;        ///< vectors per thread that are kept or in flight, as the kernel has
    unsigned dim_x = 1;
    unsigned dim_y = 1;
    index_t grid = 0;               ///< blocks; 0: the family does not take this shape
    index_t group = 1;              ///< blocks that finish together
    unsigned cluster = 1;           ///< blocks that run together and share rows through shared memory
    index_t least_group = 1;        ///< with fewer, threads would add more than longest_share
    index_t share = 0;              ///< elements of a row that are one block's, where blocks share rows
    index_t row = 0;                ///< elements of a row, where memory depends on them or a group shares them
    index_t state_words = 0;        ///< look-back: 64-bit words of its state
    std::size_t steps_scratch = 0;  ///< of several steps: bytes of shared memory of the largest collective
    std::size_t steps_bytes = 0;    ///< the same: bytes of what they leave for each other
    bool rereads = false;           ///< what several phases need is read again by each
    bool joined = false;            ///< columns are read in lines of several rows
    bool backwards = false;         ///< rows that blocks share are written from their ends

    // From here on by complete().
    Link link = Link::none;
    std::size_t own_bytes = 0;     ///< dynamic shared memory of the kernel itself
    std::size_t shared_bytes = 0;  ///< all dynamic shared memory: two halves for collectives, and own_bytes
    /// What blocks leave for each other in global memory; on the host, where there is no shared memory, also what would
    /// lie in that.
    std::size_t partial_bytes = 0;

    constexpr unsigned threads() const { return dim_x * dim_y; }
};

/// That a family does not take a shape, and why.
FUSE_COLD inline Launch no_launch(const char* why) {
    Launch l;
    l.why = why;
    return l;
}

FUSE_END_NAMESPACE
