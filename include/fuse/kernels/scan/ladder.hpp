// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the scan family, as the choice and the kernels themselves both know them.
#pragma once

#include "fuse/numeric.hpp"
#include "fuse/plan/target.hpp"

FUSE_BEGIN_NAMESPACE

/// Of scans along rows, in the order of ScanFamily::kernels: rows by a block or less each; on a device, blocks that
/// look back at each other; on the CPU, pieces of rows in parallel.
enum class ScanKernels { rows, shared };

/// Vectors per thread of a scan.
template <Target T>
inline constexpr int scan_vectors = 4;
template <>
inline constexpr int scan_vectors<Cpu> = 1;

/// How many blocks of a look-back scan, of 512 threads each, a multiprocessor has registers for. Two of them leave a
/// thread 64 registers: about 24 for the elements of a vector, their running folds and two folds of each of its vectors
/// (`words` registers a fold), the other 40 for everything else.
constexpr int lookback_blocks(int vector, int words) {
    return vector + words * (vector + 2) <= 24 ? 2 : 1;
}
/// Vectors per thread of such a scan: as many as fit, since the fewer tiles there are, the less there is to wait for: 5
/// of four floats. Two tiles of each of two blocks share the 228 KB of a multiprocessor: 110 bytes per thread and tile.
/// vector_bytes: of one vector of all leaves; fold_bytes: of an accumulator.
constexpr int lookback_vectors(int vector, int words, int vector_bytes, int fold_bytes) {
    const int memory = 110 / (vector_bytes + fold_bytes);
    const int most = lookback_blocks(vector, words) == 2 ? 24 : 88;
    const int registers = ((most - vector) / words - vector) / 2;
    const int fit = memory < registers ? memory : registers;
    return fit < 1 ? 1 : fit;
}

FUSE_END_NAMESPACE
