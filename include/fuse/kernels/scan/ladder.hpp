// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the scan family, as the choice and the kernels themselves both know them.
#pragma once

#include "fuse/numeric.hpp"
#include "fuse/plan/target.hpp"

FUSE_BEGIN_NAMESPACE

/// Of scans along rows, in the order of ScanRowsFamily::kernels: rows by a block or less each; on a device, blocks that
/// look back at each other, rows whose vectors do not begin with them, and rows in shared memory; on the CPU, pieces of
/// rows in parallel.
enum class ScanKernels { rows, shared, peeled, tiled };
/// Threads of a block of the third at the most.
inline constexpr unsigned peeled_scan_threads = 256;

/// Elements of rows that are scanned in shared memory at the most, by a warp each.
inline constexpr unsigned longest_tiled_scan = 2048;

/// Vectors per thread of a scan.
template <Target T>
inline constexpr int scan_vectors = 4;
template <>
inline constexpr int scan_vectors<Cpu> = 1;

/// How many blocks of a look-back scan, of 512 threads each, a multiprocessor has registers for. Two of them leave a
/// thread 64 registers: about 24 for the elements of a vector, their running folds and two folds of each run of vectors
/// (`words` registers a fold), the other 40 for everything else.
constexpr int lookback_blocks(int vector, int words) {
    return vector + words * (vector + 2) <= 24 ? 2 : 1;
}
/// Vectors per thread of such a scan: as many as fit, since the fewer tiles there are, the less there is to wait for: 5
/// of four floats. Two tiles of each of two blocks share the 228 KB of a multiprocessor: 110 bytes per thread and tile.
/// vector_bytes: of one vector of all leaves; fold_bytes: of an accumulator; neighbours: they are one run
/// (scan_buffered.hpp), else as many.
constexpr int lookback_vectors(int vector, int words, int vector_bytes, int fold_bytes, bool neighbours) {
    constexpr int memory = 110;
    if (neighbours) {
        const int fit = (memory - fold_bytes) / (vector_bytes > 0 ? vector_bytes : 1);
        const int odd = fit % 2 == 0 ? fit - 1 : fit;
        return odd < 1 ? 1 : odd > 7 ? 7 : odd;
    }
    const int most = lookback_blocks(vector, words) == 2 ? 24 : 88;
    const int registers = ((most - vector) / words - vector) / 2;
    const int bytes = memory / (vector_bytes + fold_bytes);
    const int fit = bytes < registers ? bytes : registers;
    return fit < 1 ? 1 : fit;
}

FUSE_END_NAMESPACE
