// SPDX-License-Identifier: Apache-2.0
//
// What a program is lowered for. A target is a type, so that what depends on it, the width of a vector, the kernels
// that are compiled, is decided by types; its values are the numbers of one machine.
#pragma once

#include <bit>
#include <concepts>

#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

/// A GPU, real or emulated.
struct Device {
    unsigned units = 1;                ///< streaming multiprocessors
    unsigned threads_per_unit = 1;     ///< resident threads per multiprocessor
    unsigned block_threads = 1;        ///< largest block
    index_t shared_bytes = 48 * 1024;  ///< shared memory that a block may have
    unsigned cluster_blocks = 1;       ///< blocks that a cluster may have
    bool bulk_copies = false;          ///< whether large pieces are copied to shared memory without threads

    /// Items of a vector, a power of two: 16 bytes of the narrowest operand, but no more than that of the others that a
    /// warp should have side by side. Longer vectors of those are several instructions, each of which leaves gaps.
    static constexpr int vector_items(int narrowest_bytes, int, int dense_bytes) {
        const int bytes = detail::largest(narrowest_bytes, dense_bytes);
        return static_cast<int>(std::bit_floor(static_cast<unsigned>(detail::limited(16 / bytes, 1, 8))));
    }
    /// Loads in flight per thread and leaf of a sweep. Several leaves, or several sweeps that hold results, share its
    /// registers.
    static constexpr int sweep_vectors(int moving_leaves, int sweeps) {
        return moving_leaves > 2 || sweeps > 1 ? 2 : 4;
    }
};

/// The CPU. Results must not depend on the number of its cores, so nothing is chosen by it.
struct Cpu {
    /// Items of a vector: 64, which compilers vectorise; fewer of operands that are larger than a double.
    static constexpr int vector_items(int, int widest_bytes, int) { return widest_bytes > 8 ? 8 : 64; }
    static constexpr int sweep_vectors(int, int) { return 1; }
};

template <class T>
concept Target = std::same_as<T, Device> || std::same_as<T, Cpu>;

FUSE_END_NAMESPACE
