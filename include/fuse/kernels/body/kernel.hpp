// SPDX-License-Identifier: Apache-2.0
//
// What a kernel is: a struct whose `stage<I>(block, params)` is the work of a block, with what the choice of a launch,
// the executors and the compiler's launch bounds must know. This base has what most kernels have; a kernel says what
// differs, and always max_threads and min_blocks, its launch bounds.
#pragma once

#include "fuse/kernels/body/product.hpp"
#include "fuse/kernels/body/run.hpp"
#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

/// P: the program. V: items per vector. N: vectors per thread that are kept or in flight.
template <class P, int V, int N, Link L = Link::none, int Stages = 1>
struct Kernel {
    using program = P;
    static constexpr int vector = V;
    static constexpr int vectors = N;
    static constexpr Link link = L;
    /// The same of groups of one block: none, if it has finished in the first stage.
    static constexpr Link lone_link = L;
    static constexpr int stages = Stages;
    /// `group` blocks share each row, and are resident together or in whole waves.
    static constexpr bool in_waves = false;
    /// A launch has no more blocks than are resident together.
    static constexpr bool resident = false;
    /// Threads go down a vector of columns, and keep what they fold of each.
    static constexpr bool down_columns = false;
    /// A host thread takes its blocks together: the first of `group` neighbours does what all would.
    static constexpr bool takes_neighbours = false;

    /// Bytes of shared memory of the largest collective of a launch.
    static constexpr std::size_t scratch_bytes(const Launch&) {
        return L == Link::last_block ? last_block_scratch_bytes : 0;
    }
    /// Bytes of shared memory that are the kernel's own (ThreadBlock's own_memory), a multiple of 16, for so many threads
    /// and a launch's share.
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t) { return 0; }
    /// Words of 32 bits that blocks count in, zero between launches.
    static constexpr index_t counter_words(const Launch& l) { return l.grid / l.group; }
    /// Bytes of partial results of all blocks of a launch.
    static constexpr std::size_t partial_bytes(const Launch&) { return 0; }
};

/// Whether the threads of a block keep what several sweeps need in registers, or read it again; beside: a host thread does,
/// of rows side by side, which nothing stretches.
enum class Hold { resident, swept, beside };

namespace detail {

/// The sizes of the accumulators of phases, or of the phases of sweeps, with a 0 behind them.
template <class Phases>
inline constexpr int phase_sizes = 0;
template <class... Ph>
inline constexpr std::size_t phase_sizes<type_list<Ph...>>[] = {sizeof(typename Product<Ph>::accumulator)..., 0};
template <class Sweeps>
inline constexpr int sweep_sizes = 0;
template <class... S>
inline constexpr std::size_t sweep_sizes<type_list<S...>>[] = {
    sizeof(typename Product<typename S::phase>::accumulator)..., 0};

/// The most scratch that one of these accumulators asks for: `bytes` of its size. All are asked, as the largest may need
/// less than a smaller one: above a certain size another algorithm is used.
template <class Bytes>
constexpr std::size_t largest_bytes(const std::size_t* sizes, const Bytes& bytes) {
    std::size_t most = 0;
    for (; *sizes != 0; ++sizes) {
        most = largest(most, bytes(*sizes));
    }
    return most;
}

/// The largest accumulator of sweeps.
template <class Sweeps>
inline constexpr std::size_t largest_accumulator = [] {
    std::size_t most = 0;
    for (const std::size_t size : sweep_sizes<Sweeps>) {
        most = largest(most, size);
    }
    return most;
}();

}  // namespace detail

FUSE_END_NAMESPACE
