// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the rows family, as the choice and the kernels themselves both know them.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// On a device, in the order of RowsFamily::kernels: rows held in vectors and single elements at their ends; held in 2, 4,
/// 8 vectors per thread; held in shared memory, of any length; swept; held in vectors and single elements beside operands that
/// are read in pieces; along several axes, parked in shared memory in vectors, in halves of them, and one by one.
enum class RowsKernels { peeled, two, four, eight, staged, swept, pieces, parked, parked_halves, parked_singles };

/// What threads that hold rows hold of their ends. Beside operands that lie otherwise than the row, whose vectors are read in
/// the aligned pieces around them (read_pieces.hpp), a row has a vector more on either side of those that are held. Numbers, as
/// kernels have them in their names, and the longer these are, the longer they take to compile.
struct RowEnds {
    static constexpr int none = 0;     ///< rows of whole vectors
    static constexpr int singles = 1;  ///< single elements: those in front of the first vector and behind the last
    static constexpr int vectors = 2;  ///< the same, and of the first and the last vector
};

/// Row fragments: vectors per thread. Each is one instantiated kernel.
inline constexpr int resident_ladder[] = {2, 4, 8};
/// The same for rows whose vectors do not begin with the row, of any length: few, of many threads.
inline constexpr int peeled_vectors = 4;
/// Threads of a block that holds `vectors` per thread (0: none).
constexpr int row_block_threads(int vectors) {
    return vectors == resident_ladder[0] || vectors == resident_ladder[1] ? 256 : 512;
}
/// Most threads of a block that holds a row, or a part of one, in shared memory, and of the blocks of a multiprocessor.
inline constexpr int staged_threads = 1024;
/// Its vectors per thread in a chunk, of a row of so many staged operands that is folded in so many sweeps: each sweep has
/// the same to do for a chunk besides its elements, and a row is the more evenly on its way the smaller they are. Of two
/// operands four would not leave registers for anything else.
constexpr int staged_vectors(int sweeps, int operands) {
    return sweeps > 1 && operands == 1 ? 4 : 2;
}
/// Most threads of a block that parks a row in shared memory, and of the blocks of a multiprocessor; and how many vectors of v
/// elements each of them loads at a time, of so many operands.
inline constexpr int parked_threads = 1024;
constexpr int parked_vectors(int operands, int v) {
    return (v == 1 ? 8 : 4) / (operands == 1 ? 1 : 2);
}
/// Several warps, which meet at a barrier when they fold.
inline constexpr unsigned least_staged_threads = 64;
/// Smaller parts are not made to spread few rows over more blocks.
inline constexpr index_t least_staged_bytes = 16 * 1024;
/// A row along several axes is brought by a bulk copy for each of its pieces along the innermost one, which a single thread
/// orders one after the other: of shorter pieces that takes longer than to read the row again.
inline constexpr index_t least_piece_bytes = 4096;
/// Shared memory that a device takes for itself of each block (CUDA C++ Programming Guide, compute capability 9.0).
inline constexpr index_t reserved_shared_bytes = 1024;
/// Rows of so many bytes that are written as well are read to stay in the L2 cache (held_rows.hpp).
inline constexpr index_t streamed_bytes = index_t{64} << 20;
/// More rows are not counted.
inline constexpr index_t max_tickets = 0xffffffff;
/// The same for the kernel of peeled rows, whose threads need so many registers.
constexpr int peeled_block_threads(int registers) {
    return registers <= 64 ? 1024 : registers <= 72 ? 768 : registers <= 88 ? 640 : registers <= 120 ? 512 : 256;
}
/// Single elements per thread, and the fewest threads that hold with them what lies before the first and behind the last
/// vector of a row: up to v - 1 elements each; and with a vector more at either end.
constexpr int peeled_ends(int v) {
    return v > 2 ? v / 2 : 1;
}
inline constexpr unsigned peeled_min_threads = 4;
inline constexpr unsigned pieces_min_threads = 8;
/// Whether rows of v items a vector gain so much by pieces, and by no more single elements than there are, that a kernel and
/// a branch are worth their time to compile: layer norms of bf16 gain 13 to 29 %, of f32 up to 5.
constexpr bool pieces_pay(int v) {
    return v > 4;
}
/// The longest of them that are not better held in shared memory, those of online phases, and others; and for how many rows
/// of a multiprocessor that is so.
inline constexpr index_t longest_peeled_online = 4096;
inline constexpr index_t longest_peeled = 5120;
inline constexpr index_t filled_ring_turns = 32;
/// Rows that begin between vectors and are read once, of so many elements, are swept: blocks that hold them are large, and
/// few are resident. Of positions half as many: those that are held are looked for in the block once more.
constexpr index_t shortest_in_turns(int v, bool positions) {
    return (v > 8 ? 8192 : 10240) / (positions ? 2 : 1);
}
/// The shortest row that has a whole vector wherever it begins.
constexpr index_t shortest_peeled(int v) {
    return 2 * v - 1;
}
/// The same of one between two others.
constexpr index_t shortest_in_pieces(int v) {
    return 4 * v - 1;
}

FUSE_END_NAMESPACE
