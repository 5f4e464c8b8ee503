// SPDX-License-Identifier: Apache-2.0
//
// The threads that share a row: those along x of one block, or of all blocks of a cluster when one block cannot hold the
// row. Their elements are interleaved, as if all were one wide block.
#pragma once

#include "fuse/primitives/block/block_x_reduce.hpp"
#include "fuse/primitives/cluster/cluster_reduce.hpp"
#include "fuse/primitives/warp/warp_reduce.hpp"

FUSE_BEGIN_NAMESPACE

/// Of one block.
template <class B>
class BlockTeam {
public:
    FUSE_HD explicit BlockTeam(B& block) : block_(block) {}

    FUSE_HD unsigned thread() const { return block_.thread_x(); }
    FUSE_HD unsigned threads() const { return block_.dim_x(); }
    /// Teams are numbered; each handles dim_y rows at a time.
    FUSE_HD unsigned index() const { return block_.block_x(); }
    FUSE_HD unsigned count() const { return block_.grid_x(); }

    /// The fold over the row's threads, in every one of them. All threads of the team must call.
    template <class A, class Pr>
    FUSE_HD A fold(const A& part, const Pr& product) {
        return product.fold(part, [&](const auto& a, const auto& r)
                                      FUSE_INLINE_LAMBDA { return BlockXReduce(block_, a, r); });
    }

private:
    B& block_;
};

/// Of a cluster, which may be one block alone. Blocks of whole warps with dim_y = 1, or no cluster. own_memory begins with what
/// ClusterFold needs.
template <Clusters B>
class ClusterTeam {
public:
    FUSE_HD explicit ClusterTeam(B& block) : block_(block), blocks_(block.cluster_blocks()) {
        if (blocks_ > 1) {
            BeginClusterReduce(block_);
        }
    }

    FUSE_HD unsigned thread() const { return block_.cluster_rank() * block_.dim_x() + block_.thread_x(); }
    FUSE_HD unsigned threads() const { return blocks_ * block_.dim_x(); }
    FUSE_HD unsigned index() const { return block_.block_x() / blocks_; }
    FUSE_HD unsigned count() const { return block_.grid_x() / blocks_; }

    template <class A, class Pr>
    FUSE_HD A fold(const A& part, const Pr& product) {
        const A total = BlockTeam<B>(block_).fold(part, product);
        if (blocks_ == 1) {
            return total;
        }
        // Every warp folds what the blocks have brought, a lane for each.
        return ClusterFold(block_, reinterpret_cast<A*>(block_.own_memory()), total,
                           [&](const A* values, unsigned blocks) FUSE_INLINE_LAMBDA {
                               static_assert(B::warp_size >= max_cluster_blocks);
                               const unsigned lane = block_.thread_x() % B::warp_size;
                               return product.fold(lane < blocks ? values[lane] : product.init(),
                                                   [&](const auto& a, const auto& r) FUSE_INLINE_LAMBDA {
                                                       return WarpReduce(block_, a, r, B::warp_size);
                                                   });
                           });
    }

private:
    B& block_;
    unsigned blocks_;
};

namespace detail {

template <class B>
struct row_team {
    using type = BlockTeam<B>;
};
template <Clusters B>
struct row_team<B> {
    using type = std::conditional_t<B::has_clusters, ClusterTeam<B>, BlockTeam<B>>;
};

}  // namespace detail

/// Of a kernel whose launch may have clusters.
template <class B>
using RowTeam = typename detail::row_team<B>::type;

FUSE_END_NAMESPACE
