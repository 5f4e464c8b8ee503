// SPDX-License-Identifier: Apache-2.0
//
// The thresholds of the run-time choices that a user or a benchmark may want to move: fuse::cuda.with(policy),
// fuse::host.with(policy). What follows from a kernel's own registers and memory stands beside the kernel
// (kernels/<family>/choose.hpp), the figures of a machine in plan/target.hpp.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Thresholds in bytes unless said otherwise. "Row bytes" are those of the widest leaf that varies along the row.
struct Policy {
    /// Rows of up to so many elements, 16 at the most, that are not whole vectors are taken by one thread each, somewhat
    /// longer ones by a few.
    index_t thread_row_elements = 16;
    /// Rows up to this size are shared by a few threads, each with about short_row_vectors vectors, of narrow items twice as
    /// many.
    index_t short_row_bytes = 1024;
    unsigned short_row_threads = 16;
    index_t short_row_vectors = 2;
    /// Rows up to this size, with an epilogue up to twice this, take one warp, if they fit its registers and are many.
    index_t warp_row_bytes = 2048;
    /// Threads of a block that holds several rows.
    unsigned row_block_threads = 256;
    /// Vectors per thread of a block that holds one row, where the block stays below its largest size.
    index_t row_block_vectors = 4;
    /// Rows above this size, those of which a thread would hold more items, and all that registers cannot hold, are held
    /// in shared memory.
    index_t register_row_bytes = 64 * 1024;
    int register_items = 32;
    /// Of those a block holds as much, if a cluster of blocks can then hold the row.
    index_t staged_block_bytes = 128 * 1024;
    /// Threads of a block that sweeps one row, or a share of it, or holds it in shared memory.
    unsigned long_row_threads = 512;
    /// Threads of a block of a scan whose blocks look back at each other, a power of two up to 512, and how few of them
    /// may share a short row.
    unsigned lookback_threads = 512;
    unsigned lookback_min_threads = 128;
    /// A full reduction up to this size takes one block: no counter, no workspace.
    index_t one_block_bytes = 64 * 1024;
    /// A block of a split reduction gets at least this much.
    index_t split_min_bytes = 32 * 1024;
    /// One of a reduction of everything, which has only one message to send, gets at least this much, and up to the other
    /// where blocks are no more than half of `long_row_threads`.
    index_t full_min_bytes = 8 * 1024;
    index_t full_most_bytes = 256 * 1024;
    /// Rows that blocks share, if they have more than this together, are written from their ends: what the cache has still
    /// of the last sweep over them. Of less it has everything, and the other way takes fewer instructions.
    index_t backwards_bytes = 16 << 20;
    /// Blocks per multiprocessor in grid-stride kernels.
    unsigned blocks_per_unit = 4;
    /// Column kernels: the most threads along x and per block.
    unsigned column_x_threads = 32;
    unsigned column_min_x_threads = 8;
    unsigned column_threads = 512;
    /// Columns with several phases of more than this, too few for all blocks, are shared by blocks that wait for each other
    /// between the phases.
    index_t shared_column_bytes = 128 << 10;
    /// Columns of one phase, no more than 64 of them, are read in lines of several rows from so many elements on; of several
    /// phases from a 128th of it for each index along the other kept axes (kernels/columns/choose_joined.hpp).
    index_t joined_column_items = 1 << 20;
    /// Rows of more than this, too few for all blocks, which no block can hold or which are read once, are shared in the same way:
    /// to meet takes as long as a block takes to read about as much.
    index_t shared_row_bytes = 192 << 10;
    /// Many rows of up to so many elements are taken side by side on the host.
    index_t host_short_row = 32;
    /// Elements per block of the host executor: partial sums of this many are combined as a tree.
    index_t host_block_items = 8192;
    /// Below this size the host executor stays on the calling thread.
    index_t host_serial_bytes = 256 * 1024;
    /// Bits of the host executor's vectors at the most: 128, 256 or 512 (exec/host_vectors.hpp).
    int host_vector_bits = 512;
};

FUSE_END_NAMESPACE
