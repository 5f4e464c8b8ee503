// SPDX-License-Identifier: Apache-2.0
//
// The thread blocks of the tests: what one emulated thread sees of its block. EmulatedBlock has all that the GPU's has,
// so the very templates that nvcc compiles run under the sanitizers, thread by thread. Collectives remember where they
// were called. Beside it stand views of the same thread with other promises, or as other machines have them.
#pragma once

#include "fuse/primitives/machine/block_traits.hpp"
#include "fuse/primitives/machine/host_block.hpp"
#include "support/emulated/block_state.hpp"

namespace fuse::testing {

class EmulatedBlock {
public:
    static constexpr int warp_size = 32;

    EmulatedBlock(BlockState& block, ThreadState& thread) : block_(block), thread_(thread) {}
    EmulatedBlock(const EmulatedBlock&) = delete;
    EmulatedBlock& operator=(const EmulatedBlock&) = delete;

    unsigned dim_x() const { return block_.launch().block.x; }
    unsigned dim_y() const { return block_.launch().block.y; }
    unsigned thread_x() const { return thread_.linear % dim_x(); }
    unsigned thread_y() const { return thread_.linear / dim_x(); }
    unsigned grid_x() const { return block_.launch().grid.x; }
    unsigned grid_y() const { return block_.launch().grid.y; }
    unsigned block_x() const { return block_.index().x; }
    unsigned block_y() const { return block_.index().y; }

    void sync(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        block_.arrive_at_barrier(thread_, Site{file, line});
    }

    void sync_warp(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        block_.arrive_at_warp_barrier(thread_, Site{file, line});
    }

    template <class T>
    T* scratch(unsigned count) {
        static_assert(alignof(T) <= 16, "scratch memory is 16-byte aligned");
        return static_cast<T*>(block_.take_scratch(thread_, count * sizeof(T)));
    }

    std::size_t scratch_bytes() const { return block_.half_bytes(); }

    unsigned char* own_memory() { return block_.own_memory(); }

    static constexpr bool has_clusters = true;
    unsigned cluster_blocks() const { return block_.cluster().blocks(); }
    unsigned cluster_rank() const { return block_.rank(); }
    template <class T>
    T* peer(T* own, unsigned rank) {
        return reinterpret_cast<T*>(block_.peer(thread_, reinterpret_cast<unsigned char*>(own), sizeof(T), rank));
    }
    void cluster_arrive(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        block_.arrive_in_cluster(thread_, Site{file, line});
    }
    void cluster_wait(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        block_.wait_for_cluster(thread_, Site{file, line});
    }

    /// The bytes arrive as late as they may: in wait_copies.
    template <int Bytes>
    void copy_async(void* to, const void* from) {
        static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "the hardware copies 4, 8 or 16 bytes");
        block_.start_copy(thread_, PendingCopy{to, from, Bytes});
    }

    void wait_copies() { block_.finish_copies(thread_); }

    static constexpr bool has_bulk_copies = true;
    void begin_bytes(std::uint64_t* barrier) { block_.begin_bytes(thread_, barrier); }
    void expect_bytes(std::uint64_t* barrier, unsigned bytes) { block_.expect_bytes(thread_, barrier, bytes); }
    void copy_bulk(void* to, const void* from, unsigned bytes, std::uint64_t* barrier, bool = false) {
        block_.copy_bulk(thread_, PendingCopy{to, from, bytes}, barrier);
    }
    void wait_bytes(std::uint64_t* barrier, unsigned parity) { block_.wait_bytes(thread_, barrier, parity); }
    void send(unsigned* own, unsigned word, unsigned rank, std::uint64_t* barrier) {
        block_.send(thread_, own, word, rank, barrier);
    }
    unsigned fetch_next_shared(unsigned* word, unsigned last) {
        if (block_.launch().yield_at_atomics) {
            block_.suspend(thread_);
        }
        {
            const Unobserved scope;
            ++block_.launch().progress;
        }
        unsigned before = __atomic_load_n(word, __ATOMIC_ACQUIRE);
        while (!__atomic_compare_exchange_n(word, &before, before >= last ? 0 : before + 1, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE)) {
        }
        return before;
    }

    template <class T>
    T shuffle(T value, int source_lane, int width, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        const unsigned in_segment = static_cast<unsigned>(source_lane) % static_cast<unsigned>(width);
        return exchange(value, ShuffleKind::index, segment(width) + in_segment, width, Site{file, line});
    }

    /// As on the GPU, a source lane beyond the segment means the own value.
    template <class T>
    T shuffle_xor(T value, int lane_mask, int width, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        const unsigned source = lane() ^ static_cast<unsigned>(lane_mask);
        const bool inside = source < segment(width) + static_cast<unsigned>(width);
        return exchange(value, ShuffleKind::exclusive_or, inside ? source : lane(), width, Site{file, line});
    }

    template <class T>
    T shuffle_down(T value, unsigned delta, int width, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE()) {
        const unsigned source = lane() + delta;
        const bool inside = source < segment(width) + static_cast<unsigned>(width);
        return exchange(value, ShuffleKind::down, inside ? source : lane(), width, Site{file, line});
    }

    template <class T>
    T shuffle_up(T value, unsigned delta, int width, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        const bool inside = lane() >= segment(width) + delta;
        return exchange(value, ShuffleKind::up, inside ? lane() - delta : lane(), width, Site{file, line});
    }

    unsigned fetch_add(unsigned* address, unsigned value) {
        if (block_.launch().yield_at_atomics) {
            block_.suspend(thread_);
        }
        {
            const Unobserved scope;
            ++block_.launch().progress;
        }
        return __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
    }

    unsigned fetch_next_relaxed(unsigned* address, unsigned last) {
        if (block_.launch().yield_at_atomics) {
            block_.suspend(thread_);
        }
        {
            const Unobserved scope;
            ++block_.launch().progress;
        }
        return HostBlock::fetch_next_relaxed(address, last);
    }

    std::uint64_t fetch_add_relaxed(std::uint64_t* address, std::uint64_t value) {
        if (block_.launch().yield_at_atomics) {
            block_.suspend(thread_);
        }
        {
            const Unobserved scope;
            ++block_.launch().progress;
        }
        return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
    }

    unsigned load_acquire(const unsigned* address) { return __atomic_load_n(address, __ATOMIC_ACQUIRE); }

    std::uint64_t load_relaxed(const std::uint64_t* address) { return __atomic_load_n(address, __ATOMIC_RELAXED); }

    void store_relaxed(std::uint64_t* address, std::uint64_t value) {
        {
            const Unobserved scope;
            ++block_.launch().progress;
        }
        __atomic_store_n(address, value, __ATOMIC_RELAXED);
    }

    void relax(unsigned = 32) { block_.suspend(thread_); }

private:
    friend class PlannedEmulatedBlock;
    friend class WideEmulatedBlock;

    unsigned lane() const { return thread_.linear % block_.launch().warp_size; }
    unsigned segment(int width) const { return lane() / static_cast<unsigned>(width) * static_cast<unsigned>(width); }

    template <class T>
    T exchange(T value, ShuffleKind kind, unsigned source_lane, int width, Site site) {
        static_assert(std::is_trivially_copyable_v<T>, "a shuffle copies the bytes of the value");
        T result = value;
        block_.arrive_at_shuffle(thread_, ShuffleCall{kind, width, source_lane, &value, &result, sizeof(T), site});
        return result;
    }

    BlockState& block_;
    ThreadState& thread_;
};

/// The counterpart of PlannedCudaBlock: the same thread, with that block's promises.
class PlannedEmulatedBlock : public EmulatedBlock {
public:
    static constexpr bool regular = true;
    static constexpr bool spares_registers = true;

    explicit PlannedEmulatedBlock(EmulatedBlock& any) : EmulatedBlock(any.block_, any.thread_) {}
    PlannedEmulatedBlock(PlannedEmulatedBlock& same) : EmulatedBlock(same.block_, same.thread_) {}
};

/// With warps of 64, as AMD's GPUs have them.
class WideEmulatedBlock : public EmulatedBlock {
public:
    static constexpr int warp_size = 64;

    explicit WideEmulatedBlock(EmulatedBlock& any) : EmulatedBlock(any.block_, any.thread_) {}
};

/// A thread block and nothing else: no shuffles, no atomics, no shared memory but scratch.
class CoreEmulatedBlock {
public:
    static constexpr int warp_size = EmulatedBlock::warp_size;

    explicit CoreEmulatedBlock(EmulatedBlock& any) : any_(any) {}

    unsigned dim_x() const { return any_.dim_x(); }
    unsigned dim_y() const { return any_.dim_y(); }
    unsigned thread_x() const { return any_.thread_x(); }
    unsigned thread_y() const { return any_.thread_y(); }
    unsigned grid_x() const { return any_.grid_x(); }
    unsigned grid_y() const { return any_.grid_y(); }
    unsigned block_x() const { return any_.block_x(); }
    unsigned block_y() const { return any_.block_y(); }
    void sync(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { any_.sync(file, line); }
    template <class T>
    T* scratch(unsigned count) {
        return any_.scratch<T>(count);
    }
    std::size_t scratch_bytes() const { return any_.scratch_bytes(); }

private:
    EmulatedBlock& any_;
};

static_assert(Shuffles<EmulatedBlock> && DeviceAtomics<EmulatedBlock> && AsyncCopies<EmulatedBlock> &&
              ClusterSends<EmulatedBlock>);
static_assert(block_traits<EmulatedBlock> == BlockTraits{} && block_traits<PlannedEmulatedBlock> == planned_block);
static_assert(ThreadBlock<CoreEmulatedBlock> && !Warps<CoreEmulatedBlock> && !DeviceAtomics<CoreEmulatedBlock>);

}  // namespace fuse::testing
