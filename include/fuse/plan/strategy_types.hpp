// SPDX-License-Identifier: Apache-2.0
//
// What a strategy is: the kernel of the ladder, the shape of a block, the number of blocks; and what it is chosen from.
#pragma once

#include <bit>

#include "fuse/numeric.hpp"
#include "fuse/plan/layout.hpp"
#include "fuse/plan/policy.hpp"

FUSE_BEGIN_NAMESPACE

enum class KernelKind {
    map,
    rows_resident,
    rows_swept,
    split,
    grid,
    columns_resident,
    columns_swept,
    column_split,
    scan_rows,
    scan_lookback,
    scan_split,
    scan_columns,
    sort_rows
};

constexpr const char* to_string(KernelKind k) {
    constexpr const char* names[] = {"map",       "rows resident",    "rows swept",    "split",
                                     "grid",      "columns resident", "columns swept", "column split",
                                     "scan rows", "scan look-back",   "scan split",    "scan columns",
                                     "sort rows"};
    return names[static_cast<int>(k)];
}

/// What a strategy needs to know about a program.
struct ProgramFacts {
    bool reduces = false;
    bool columns = false;  ///< consecutive threads walk kept axes
    int phases = 0;
    bool writes_items =
        false;  ///< after the phases: outputs per element, an epilogue over all elements, outputs to fill
    bool epilogue = false;
    bool ordered = false;   ///< a reduction that does not commute
    bool full = false;      ///< nothing is kept
    bool scan = false;      ///< the results of the one phase differ from element to element
    int sort_bytes = 0;     ///< bytes that a sort keeps of each element; 0: no sort
    int scan_words = 1;     ///< 32-bit words of the accumulators of a scan
    int staged_bytes = 16;  ///< bytes of one vector of all leaves that vary along the threads
    int vector = 1;         ///< items per vector
    int item_bytes = 4;     ///< bytes of one item of the widest leaf that varies along the threads
    int fold_bytes = 4;     ///< bytes that one thread brings to the largest collective of a column kernel
};

struct Strategy {
    KernelKind kernel = KernelKind::map;
    int vector = 1;   ///< items per vector
    int vectors = 1;  ///< vectors per thread that are kept or in flight
    unsigned dim_x = 1;
    unsigned dim_y = 1;
    index_t grid = 1;         ///< blocks
    index_t group = 1;        ///< blocks that finish together
    index_t least_group = 1;  ///< fewer blocks would have threads add more than longest_share
    index_t chunk = 0;  ///< items of one block's share, where shares are contiguous; look-back: 64-bit words of state;
                        ///< sort: elements of a row
    const char* why = "";  ///< one clause for explain()
};

/// Row fragments: vectors per thread. Each is one instantiated kernel.
inline constexpr int resident_ladder[] = {2, 4, 8};
/// The same for rows whose length the vector width does not divide: they are held item by item.
inline constexpr int item_ladder[] = {8};
/// Threads of a block of the row kernels: longer rows are held by more vectors per thread first.
inline constexpr index_t row_threads = 512;
/// The same for a kernel that holds `vectors` per thread (0: none).
constexpr int row_block_threads(int vectors) {
    return vectors == 2 || vectors == 4 ? 256 : 512;
}
inline constexpr int column_ladder[] = {4, 8};
/// Threads of a block that holds columns in registers.
inline constexpr unsigned resident_column_threads = 512;
/// What the threads of a column tile may bring to a collective: half of the 48 KB of shared memory that any launch may
/// have, less what a fold in two levels adds.
inline constexpr int column_fold_bytes = 21 * 1024;
/// Vectors of a row, or elements of a column, that one thread of a block that shares it with others adds one after the
/// other: a bound of the rounding error, and more than large arrays have on a GPU filled once.
inline constexpr index_t longest_share = 256;
/// So many blocks, in numbers that fill the device, share rows or columns for that reason at the most: all of them leave
/// partial results.
inline constexpr index_t most_waves = 8;
/// Loads in flight per thread and leaf where a row is swept.
inline constexpr int sweep_vectors = 4;
/// Vectors per thread of a scan.
inline constexpr int scan_vectors = 4;
/// Blocks of 512 threads per multiprocessor that a scan whose blocks look back at each other leaves registers for. A thread
/// of two blocks has 64: some 40 for the rest, the others for the elements of a vector, their running folds, and two folds
/// of each of its vectors, of `words` registers each.
constexpr int lookback_blocks(int vector, int words) {
    return vector + words * (vector + 2) <= 24 ? 2 : 1;
}
/// Vectors per thread of such a scan: as many as fit, since the fewer tiles there are, the less there is to wait for: 5 of
/// four floats. Two tiles of each of two blocks share the 228 KB of a multiprocessor: 110 bytes per thread and tile.
constexpr int lookback_vectors(const ProgramFacts& f) {
    const int memory = 110 / (f.staged_bytes + f.fold_bytes / f.vector);
    const int most = lookback_blocks(f.vector, f.scan_words) == 2 ? 24 : 88;
    const int registers = ((most - f.vector) / f.scan_words - f.vector) / 2;
    return std::max(1, std::min(memory, registers));
}
/// Bytes of shared memory of a block of a look-back, or somewhat more than that.
constexpr index_t lookback_shared_bytes(const ProgramFacts& f, unsigned threads) {
    const int fold = f.fold_bytes / f.vector;
    const index_t tile = static_cast<index_t>(threads) * lookback_vectors(f) * (f.staged_bytes + fold);
    return 2 * tile + 2 * (static_cast<index_t>(threads / 32) * fold + 256);
}

/// Vectors per thread and leaf of a map.
inline constexpr int map_vectors = 2;
/// One launch has at most this many blocks.
inline constexpr index_t max_grid = 0x7fffffff;

constexpr index_t ceil_div(index_t a, index_t b) {
    return (a + b - 1) / b;
}

namespace detail {

constexpr index_t round_up(index_t a, index_t multiple) {
    return ceil_div(a, multiple) * multiple;
}

/// More threads than any block has: limits counts of work before they become counts of threads.
inline constexpr index_t plenty = 1 << 16;

/// The power of two of lanes that gives each `per_lane` vectors.
inline unsigned lanes_for(index_t vectors, index_t per_lane) {
    return std::bit_ceil(static_cast<unsigned>(std::min(ceil_div(vectors, per_lane), plenty)));
}

/// dim_y, raised so that the block has no partial warp.
constexpr unsigned whole_warps(unsigned dim_x, unsigned dim_y) {
    const unsigned step = dim_x >= 32 ? 1 : 32 / dim_x;
    return (dim_y + step - 1) / step * step;
}

inline unsigned round_up_warp(index_t threads) {
    return static_cast<unsigned>(ceil_div(std::min(threads, plenty), 32) * 32);
}

template <std::size_t N>
int ladder_step(const int (&ladder)[N], index_t vectors_per_thread) {
    for (const int n : ladder) {
        if (n >= vectors_per_thread) {
            return n;
        }
    }
    return 0;
}

}  // namespace detail

FUSE_END_NAMESPACE
