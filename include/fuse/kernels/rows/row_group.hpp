// SPDX-License-Identifier: Apache-2.0
//
// The blocks that share a row which nothing holds. Rows so few that blocks of their own would leave most of the device idle
// are shared by `group` blocks each, one row a group, which meet after each sweep.
#pragma once

#include "fuse/kernels/body/epilogue.hpp"
#include "fuse/primitives/grid/last_block.hpp"

FUSE_BEGIN_NAMESPACE

/// Where blocks of groups leave what they have folded, behind what an epilogue needs: two places of PlaceBytes for each block, of
/// sweeps in turns. A block that has come to the sweep after the next has met all those that read the place before.
template <class P, std::size_t PlaceBytes>
struct RowGroup {
    /// The first counter is that of the last block, which finishes an epilogue.
    static constexpr unsigned counters_before = P::epilogue::size > 0 ? 1 : 0;

    static FUSE_HD constexpr std::size_t bytes_before(index_t blocks) {
        if constexpr (P::epilogue::size > 0) {
            return (EpilogueMemory<P>::bytes(blocks) + 15) / 16 * 16;
        } else {
            return 0;
        }
    }
    static constexpr std::size_t bytes(index_t blocks) {
        return bytes_before(blocks) + 2 * PlaceBytes * static_cast<std::size_t>(blocks);
    }

    /// What this thread has to fold after sweep number Sweep with the other threads of the block for the fold over the whole
    /// group: what one of its blocks has left, or nothing. total: that of this block. All threads must call.
    template <int Sweep, class B, class A, class Pr>
    static FUSE_HD A exchange(B& block, const Params<P>& p, const A& total, const Pr& product) {
        const unsigned number = block.block_x() / p.group;
        A* const places = reinterpret_cast<A*>(static_cast<unsigned char*>(p.partials) + bytes_before(block.grid_x()) +
                                               Sweep % 2 * PlaceBytes * block.grid_x()) +
                          number * p.group;
        if (block.thread_x() == 0) {
            places[block.block_x() - number * p.group] = total;
        }
        meet_group(block, p.counters + counters_before + number, p.group, Sweep);
        return block.thread_x() < p.group ? places[block.thread_x()] : product.init();
    }
    /// After so many sweeps.
    template <class B>
    static FUSE_HD void leave(B& block, const Params<P>& p, int sweeps) {
        leave_group(block, p.counters + counters_before + block.block_x() / p.group, p.group,
                    static_cast<unsigned>(sweeps));
    }
};

FUSE_END_NAMESPACE
