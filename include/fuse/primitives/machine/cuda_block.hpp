// SPDX-License-Identifier: Apache-2.0
//
// The thread block of the GPU: its shared memory, barriers, shuffles and atomics. Members are also callable in host code
// as far as the compiler is concerned, so that host-and-device templates instantiate without warnings; the host side of
// these bodies is never reached.
#pragma once

#if defined(__CUDACC__)

#include <cstring>
#include <type_traits>

#include "fuse/primitives/machine/block_traits.hpp"
#include "fuse/primitives/machine/cuda_bulk.hpp"
#include "fuse/primitives/machine/cuda_cluster.hpp"
#include "fuse/primitives/machine/cuda_launch_shape.hpp"
#include "fuse/primitives/machine/cuda_memory.hpp"
#include "fuse/primitives/machine/cuda_word_folds.hpp"
#include "fuse/primitives/machine/wide_memory.hpp"

FUSE_BEGIN_NAMESPACE

/// X, Y: as in CudaLaunchShape. Regular: the launch promises whole warps, and rows
/// that are whole warps or a power of two within one; collectives for other shapes are then not even compiled, and
/// shuffles name all lanes by a constant.
template <unsigned X, unsigned Y, bool Regular = false>
class ShapedCudaBlock : public CudaLaunchShape<X, Y> {
public:
    using CudaLaunchShape<X, Y>::dim_x;
    using CudaLaunchShape<X, Y>::dim_y;
    using CudaLaunchShape<X, Y>::thread_x;
    using CudaLaunchShape<X, Y>::thread_y;
    static constexpr int warp_size = cuda_warp_size;
    static constexpr bool regular = Regular;
    /// Whether shuffles must find out which lanes exist.
    static constexpr bool may_have_partial_warp = !Regular && (X * Y == 0 || X * Y % warp_size != 0);
    static constexpr bool folds_words = detail::has_word_folds;
    static constexpr bool has_clusters = detail::has_clusters;
    static constexpr bool has_bulk_copies = detail::has_bulk_copies;

    /// Uses all of the launch's dynamic shared memory for scratch, one half each.
    FUSE_HD ShapedCudaBlock() : half_bytes_(dynamic_shared_bytes() / 2) {}

    /// Leaves the last own_bytes of it, a multiple of 16, to the kernel (own_memory).
    FUSE_HD explicit ShapedCudaBlock(unsigned own_bytes) : half_bytes_((dynamic_shared_bytes() - own_bytes) / 2) {}

#if FUSE_ON_DEVICE
    FUSE_HD void sync() {
        __syncthreads();
    }
    FUSE_HD void sync_warp() const {
        __syncwarp(existing_lanes());
    }
    FUSE_HD void relax(unsigned nanoseconds = 32) {
        __nanosleep(nanoseconds);
    }
#else
    FUSE_HD void sync() {}
    FUSE_HD void sync_warp() const {}
    FUSE_HD void relax(unsigned = 32) {}
#endif

    FUSE_HD std::size_t scratch_bytes() const {
        return half_bytes_;
    }

    /// The number of items is for the models that check it; here it was settled when the launch sized its
    /// memory.
    template <class T>
    FUSE_HD T* scratch(unsigned) {
        static_assert(alignof(T) <= 16, "scratch memory is 16-byte aligned");
#if FUSE_ON_DEVICE
        extern __shared__ __align__(16) unsigned char fuse_dynamic_shared[];
        unsigned char* half = fuse_dynamic_shared + parity_ * half_bytes_;
        parity_ ^= 1;
        return reinterpret_cast<T*>(half);
#else
        return nullptr;
#endif
    }

    FUSE_HD bool in_complete_warp() const {
        return !may_have_partial_warp ||
               (thread_y() * dim_x() + thread_x()) / warp_size < dim_x() * dim_y() / warp_size;
    }

    /// The same block, whose shuffles name all lanes by a constant: for shuffles in warps that are known to be
    /// complete.
    FUSE_HD ShapedCudaBlock<X, Y, true> complete_warps() const {
        return {};
    }

    FUSE_HD unsigned char* own_memory() const {
#if FUSE_ON_DEVICE
        extern __shared__ __align__(16) unsigned char fuse_dynamic_shared[];
        return fuse_dynamic_shared + 2 * half_bytes_;
#else
        return nullptr;
#endif
    }

    FUSE_HD unsigned cluster_blocks() const {
        return detail::cluster_blocks();
    }

    FUSE_HD unsigned cluster_rank() const {
        return detail::cluster_rank();
    }

    template <class T>
    FUSE_HD T* peer(T* own, unsigned rank) const {
        return detail::cluster_peer(own, rank);
    }

    FUSE_HD void cluster_arrive() const {
        detail::cluster_arrive();
    }

    FUSE_HD void cluster_wait() const {
        detail::cluster_wait();
    }

    /// At once before compute capability 8.0, which has no such instruction.
    template <int Bytes>
    FUSE_HD void copy_async(void* to, const void* from) const {
        detail::copy_async<Bytes>(to, from);
    }

    FUSE_HD void wait_copies() const {
        detail::wait_copies();
    }

    FUSE_HD void begin_bytes(std::uint64_t* barrier) const {
        detail::begin_bytes(barrier);
    }

    FUSE_HD void expect_bytes(std::uint64_t* barrier, unsigned bytes) const {
        detail::expect_bytes(barrier, bytes);
    }

    FUSE_HD void copy_bulk(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) const {
        detail::copy_bulk(to, from, bytes, barrier);
    }

    FUSE_HD void copy_bulk(void* to, const void* from, unsigned bytes, std::uint64_t* barrier, bool long_lived) const {
        detail::copy_bulk(to, from, bytes, barrier, detail::l2_policy(long_lived));
    }

    FUSE_HD void wait_bytes(std::uint64_t* barrier, unsigned parity) const {
        detail::wait_bytes(barrier, parity);
    }

    FUSE_HD void send(unsigned* own, unsigned word, unsigned rank, std::uint64_t* barrier) const {
        detail::send_word(own, word, rank, barrier);
    }

    FUSE_HD unsigned fetch_next_shared(unsigned* word, unsigned last) const {
        return detail::fetch_next_shared(word, last);
    }

    template <class T>
    FUSE_HD T shuffle(T value, int source_lane, int width) const {
#if FUSE_ON_DEVICE
        const unsigned lanes = existing_lanes();
        return exchange(value, [=](unsigned word) { return __shfl_sync(lanes, word, source_lane, width); });
#else
        return source_lane < width ? value : value;
#endif
    }

    template <class T>
    FUSE_HD T shuffle_xor(T value, int lane_mask, int width) const {
#if FUSE_ON_DEVICE
        const unsigned lanes = existing_lanes();
        // A lane mask below the width never leaves the segment, so the hardware need not know the width.
        return exchange(value, [=](unsigned word) { return __shfl_xor_sync(lanes, word, lane_mask); });
#else
        return lane_mask < width ? value : value;
#endif
    }

    template <class T>
    FUSE_HD T shuffle_down(T value, unsigned delta, int width) const {
#if FUSE_ON_DEVICE
        const unsigned lanes = existing_lanes();
        return exchange(value, [=](unsigned word) { return __shfl_down_sync(lanes, word, delta, width); });
#else
        return static_cast<int>(delta) < width ? value : value;
#endif
    }

    /// Lanes below delta keep their own value.
    template <class T>
    FUSE_HD T shuffle_up(T value, unsigned delta, int width) const {
#if FUSE_ON_DEVICE
        const unsigned lanes = existing_lanes();
        return exchange(value, [=](unsigned word) { return __shfl_up_sync(lanes, word, delta, width); });
#else
        return static_cast<int>(delta) < width ? value : value;
#endif
    }

    /// Only where folds_words.
    template <WordFold Op, class A>
    FUSE_HD A fold_words(A value) const {
        return detail::fold_words<Op>(value);
    }

    FUSE_HD unsigned fetch_add(unsigned* address, unsigned value) const {
        return detail::fetch_add(address, value);
    }

    FUSE_HD unsigned fetch_next_relaxed(unsigned* address, unsigned last) const {
        return detail::fetch_next_relaxed(address, last);
    }

    FUSE_HD std::uint64_t fetch_add_relaxed(std::uint64_t* address, std::uint64_t value) const {
        return detail::fetch_add_relaxed(address, value);
    }

    FUSE_HD unsigned load_acquire(const unsigned* address) const {
        return detail::load_acquire(address);
    }

    FUSE_HD std::uint64_t load_relaxed(const std::uint64_t* address) const {
        return detail::load_relaxed(address);
    }

    FUSE_HD void store_relaxed(std::uint64_t* address, std::uint64_t value) const {
        detail::store_relaxed(address, value);
    }

private:
    FUSE_HD static unsigned dynamic_shared_bytes() {
        unsigned bytes = 0;
#if FUSE_ON_DEVICE
        asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
#endif
        return bytes;
    }

#if FUSE_ON_DEVICE
    // The last warp of a block may be partial. A mask from the launch's shape names exactly the lanes that
    // exist; one from __activemask or a ballot would name whichever lanes happen to run together.
    FUSE_HD unsigned existing_lanes() const {
        if constexpr (!may_have_partial_warp) {
            return 0xffffffffu;
        } else {
            const unsigned first = (thread_y() * dim_x() + thread_x()) & ~31u;
            const unsigned left = dim_x() * dim_y() - first;
            return left >= 32 ? 0xffffffffu : (1u << left) - 1;
        }
    }

    template <class T, class Exchange>
    FUSE_HD static T exchange(T value, Exchange exchange_word) {
        static_assert(std::is_trivially_copyable_v<T>, "a shuffle copies the bytes of the value");
        constexpr int word_count = (sizeof(T) + 3) / 4;
        unsigned words[word_count] = {};
        memcpy(words, &value, sizeof(T));
        FUSE_UNROLL
        for (int i = 0; i < word_count; ++i) {
            words[i] = exchange_word(words[i]);
        }
        memcpy(&value, words, sizeof(T));
        return value;
    }
#endif

    unsigned half_bytes_;
    unsigned parity_ = 0;
};

using CudaBlock = ShapedCudaBlock<0, 0>;
/// The block of the language's kernels: a planner chose its shape.
class PlannedCudaBlock : public ShapedCudaBlock<0, 0, true> {
public:
    static constexpr bool spares_registers = true;
    using ShapedCudaBlock<0, 0, true>::ShapedCudaBlock;
};

static_assert(Shuffles<CudaBlock> && DeviceAtomics<CudaBlock> && AsyncCopies<CudaBlock> && ClusterSends<CudaBlock>);
static_assert(block_traits<CudaBlock> == BlockTraits{} && block_traits<PlannedCudaBlock> == planned_block);

FUSE_END_NAMESPACE

#endif
