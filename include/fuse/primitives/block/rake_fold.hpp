// SPDX-License-Identifier: Apache-2.0
//
// Raking: all threads of a row put their values into scratch and, after a barrier, the row's first warp alone folds
// them: each lane folds a run of neighbours, then shuffles fold the lanes. What is scarce on the GPU is the pipe that
// shared memory and shuffles have in common: a fold by shuffles in every warp sends five rounds through it per warp,
// the rake one store. A lane folds no less than two 16-byte loads bring: a round of shuffles takes longer than that.
// (With four loads 256 threads of an H200 take 184 ns instead of 167; with one, a shape that is known at run time only
// takes 388 instead of 317.)
//
// The 16 bytes that are left out after every 128 (or after every run, where runs are longer) keep both the stores and
// the 16-byte loads of the runs free of bank conflicts.
#pragma once

#include "fuse/primitives/thread/reduce_local.hpp"
#include "fuse/primitives/warp/warp_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Larger values go through shuffles within their warps instead: a slot for every thread would fill the shared memory.
inline constexpr std::size_t rake_limit = 16;

FUSE_HD constexpr bool power_of_two(std::size_t n) {
    return (n & (n - 1)) == 0;
}

/// Values that a lane loads at once and folds as a tree: those of two 16-byte loads, at most 16.
FUSE_HD constexpr unsigned rake_group(std::size_t bytes) {
    constexpr std::size_t loaded = 32;
    return !power_of_two(bytes) ? 4 : bytes < 4 ? 16 : static_cast<unsigned>(loaded / bytes);
}

/// How a row of values of `bytes` bytes lies in scratch, and how many of them a lane folds.
struct Rake {
    unsigned group;
    unsigned run;
    unsigned pad;    ///< slots left out after each period
    unsigned shift;  ///< log2 of the period; a period holds whole runs

    FUSE_HD constexpr Rake(unsigned length, std::size_t bytes, unsigned warp_size)
        : group(rake_group(bytes)), run(group), pad(power_of_two(bytes) ? static_cast<unsigned>(16 / bytes) : 1),
          shift(0) {
        FUSE_UNROLL
        for (unsigned most = group; most < max_block_threads / warp_size; most *= 2) {
            run = length > warp_size * most ? 2 * most : run;
        }
        const auto line = power_of_two(bytes) ? static_cast<unsigned>(128 / bytes) : 1;
        FUSE_UNROLL
        for (unsigned period = 2; period <= 128; period *= 2) {
            shift += period <= run || period <= line ? 1 : 0;
        }
    }

    FUSE_HD constexpr unsigned slot(unsigned i) const { return i + (i >> shift) * pad; }

    /// The slot of the row's fold, where the other threads read it: after all groups.
    FUSE_HD constexpr unsigned total(unsigned length) const {
        return slot((length + group - 1) / group * group - 1) + 1;
    }

    /// Slots of a row. Rows of whole warps all start at multiples of 16 bytes.
    FUSE_HD constexpr unsigned slots(unsigned length) const { return total(length) + pad; }
};

/// Folds a lane's run, of which `count` values exist (all, if Full; at least one).
template <bool Full, class A, class R>
FUSE_HD A fold_run(const A* values, unsigned run, unsigned count, const R& r) {
    constexpr unsigned group = rake_group(sizeof(A));
    constexpr bool aligned = power_of_two(sizeof(A));
    Pack<A, group> items;
    load_pack(items, values, aligned);
    A acc = fold_tree(items.item, static_cast<int>(Full ? group : count), r);
    for (unsigned k = group; k < run; k += group) {
        if (!Full && k >= count) {
            break;
        }
        load_pack(items, values + k, aligned);
        acc = r.combine(acc, fold_tree(items.item, static_cast<int>(Full ? group : count - k), r));
    }
    return acc;
}

/// Rows of whole warps (Full), or one longer row of any length. One barrier; two with AllThreads.
template <class Mode, bool Full, Shuffles B, class A, class R>
FUSE_HD A rake_fold(B& block, A acc, const R& r, unsigned rank, unsigned length, unsigned row, unsigned rows) {
    const Rake rake(length, sizeof(A), B::warp_size);
    A* values = block.template scratch<A>(rows * rake.slots(length)) + row * rake.slots(length);
    values[rake.slot(rank)] = acc;
    block.sync();
    if (rank < static_cast<unsigned>(B::warp_size)) {
        const unsigned first = rank * rake.run;
        acc = r.init();
        if (rake.run * B::warp_size <= length || first < length) {  // the first is known where the shape is
            const unsigned left = length - first;
            acc = fold_run<Full>(values + rake.slot(first), rake.run, left < rake.run ? left : rake.run, r);
        }
        auto&& warp = complete_warps(block);
        acc = butterfly(warp, acc, r, B::warp_size, rake.run, length);
        if (Mode::all && rank == 0) {
            values[rake.total(length)] = acc;
        }
    }
    if (Mode::all) {
        block.sync();
        acc = values[rake.total(length)];
    }
    return acc;
}

}  // namespace detail

FUSE_END_NAMESPACE
