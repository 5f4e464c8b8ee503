// SPDX-License-Identifier: Apache-2.0
//
// The thread-block concept: all that block-level code may know about the machine it runs on. A primitive
// takes a block as its first argument and never names threadIdx, __syncthreads, __shfl_* or __shared__, so
// one body serves the GPU (CudaBlock), the CPU executor (HostBlock) and the fibers of the tests
// (EmulatedBlock).
//
// ThreadBlock is what every machine has. What only some have is a refinement, and a primitive requires what it uses:
//   Shuffles       lanes of a warp exchange values; Warps: or a warp is one thread, and there is nothing to exchange
//   WordFolds      one instruction folds a 32-bit integer over a warp
//   DeviceAtomics  blocks reach each other through memory
//   AsyncCopies    copies to shared memory that a thread need not wait for
//   OwnMemory      shared memory beyond that of collectives
//   BufferMemory   both: what a kernel works on waits in a buffer of its own
//   Clusters       blocks that run together reach each other's own memory
//   BulkCopies     one thread has large pieces copied to shared memory, and many wait for their bytes
//   ClusterSends   both: words that a block of a cluster waits for as for copied bytes
//
// x is the fast axis: the linear id of a thread is y * dim_x + x, and warp w holds the warp_size ids from w * warp_size
// on.
#pragma once

#include <concepts>
#include <cstdint>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// A group of dim_x * dim_y threads that can meet at a barrier and share memory.
///
/// `scratch<T>(count)` gives the shared memory of one collective. It is double-buffered: each call flips a
/// parity bit and returns the other half of the launch's dynamic shared memory. A collective may therefore
/// write, sync, read and return: the next one writes elsewhere, and the one after that comes after the next
/// one's barrier. Hence two rules: every thread of the block calls it, and whoever calls it also reaches a
/// barrier afterwards.
template <class B>
concept ThreadBlock = requires(B& block, unsigned n) {
    { B::warp_size } -> std::convertible_to<int>;
    { block.dim_x() } -> std::convertible_to<unsigned>;
    { block.dim_y() } -> std::convertible_to<unsigned>;
    { block.thread_x() } -> std::convertible_to<unsigned>;
    { block.thread_y() } -> std::convertible_to<unsigned>;
    { block.grid_x() } -> std::convertible_to<unsigned>;
    { block.grid_y() } -> std::convertible_to<unsigned>;
    { block.block_x() } -> std::convertible_to<unsigned>;
    { block.block_y() } -> std::convertible_to<unsigned>;
    block.sync();
    { block.template scratch<double>(n) } -> std::same_as<double*>;
    { block.scratch_bytes() } -> std::convertible_to<std::size_t>;
};

/// Shuffles are warp collectives: every existing lane of the warp takes part, with the same kind and width (a power of
/// two up to warp_size). They carry any trivially copyable type. `sync_warp` is one as well: a barrier of the warp.
template <class B>
concept Shuffles = ThreadBlock<B> && requires(B& block, unsigned n, int lane, double value) {
    { block.shuffle(value, lane, lane) } -> std::same_as<double>;
    { block.shuffle_xor(value, lane, lane) } -> std::same_as<double>;
    { block.shuffle_down(value, n, lane) } -> std::same_as<double>;
    { block.shuffle_up(value, n, lane) } -> std::same_as<double>;
    block.sync_warp();
};

/// Blocks for warp primitives: their lanes shuffle, or a warp has but one.
template <class B>
concept Warps = Shuffles<B> ||(ThreadBlock<B>&& B::warp_size == 1);

/// What one instruction can do to the 32-bit integers of a warp.
enum class WordFold { none, add, min, max, bit_and, bit_or, bit_xor };

/// `fold_words<Op>(value)`: the fold over all lanes of a complete warp, in every lane. Whether a block type has it may
/// depend on the architecture that is compiled for: it says so in `folds_words`.
template <class B>
concept WordFolds = Shuffles<B> && B::folds_words && requires(B& block, unsigned word) {
    { block.template fold_words<WordFold::add>(word) } -> std::same_as<unsigned>;
};

/// `fetch_add` is a release and an acquire at device scope, `load_acquire` an acquire; `fetch_add_relaxed`,
/// `fetch_next_relaxed` (after `last` comes 0), `load_relaxed` and `store_relaxed` are atomic at device scope and order
/// nothing; `relax` is for spin loops: it lets
/// others run for about so many nanoseconds.
template <class B>
concept DeviceAtomics = ThreadBlock<B> &&
    requires(B& block, unsigned* counter, const unsigned* flag, std::uint64_t* word, unsigned n) {
    { block.fetch_add(counter, n) } -> std::same_as<unsigned>;
    { block.fetch_add_relaxed(word, std::uint64_t{}) } -> std::same_as<std::uint64_t>;
    { block.fetch_next_relaxed(counter, n) } -> std::same_as<unsigned>;
    { block.load_acquire(flag) } -> std::same_as<unsigned>;
    { block.load_relaxed(word) } -> std::same_as<std::uint64_t>;
    block.store_relaxed(word, std::uint64_t{});
    block.relax();
    block.relax(n);
};

/// `copy_async<Bytes>` starts to copy 4, 8 or 16 aligned bytes from global to shared memory, `wait_copies` waits for
/// all that this thread has started (copy_async.hpp).
template <class B>
concept AsyncCopies = ThreadBlock<B> && requires(B& block, void* to, const void* from) {
    block.template copy_async<16>(to, from);
    block.wait_copies();
};

/// `own_memory` is the shared memory of the launch beyond scratch: 16-byte aligned, the kernel's own.
template <class B>
concept OwnMemory = ThreadBlock<B> && requires(B& block) {
    { block.own_memory() } -> std::same_as<unsigned char*>;
};

template <class B>
concept BufferMemory = AsyncCopies<B> && OwnMemory<B>;

/// A cluster is cluster_blocks() consecutive blocks of the grid that run at the same time, at most max_cluster_blocks; 1:
/// the launch has none. `peer(own, rank)` is where block `rank` of the cluster has what this block has at `own`, an
/// address in own_memory. All threads of a cluster `cluster_arrive` and then `cluster_wait` for each other: what they
/// wrote before the one, all see after the other. A type may say that its blocks never form any: has_clusters.
inline constexpr unsigned max_cluster_blocks = 16;

template <class B>
concept Clusters = OwnMemory<B> && requires(B& block, double* own, unsigned rank) {
    { B::has_clusters } -> std::convertible_to<bool>;
    { block.cluster_blocks() } -> std::same_as<unsigned>;
    { block.cluster_rank() } -> std::same_as<unsigned>;
    { block.peer(own, rank) } -> std::same_as<double*>;
    block.cluster_arrive();
    block.cluster_wait();
};

/// Large pieces are copied to own_memory without threads: sixteen-byte aligned, a multiple of 16 bytes. A barrier of bytes is
/// a word of own_memory. `begin_bytes`, by one thread before a barrier of the block, makes it one; then phases follow each
/// other, with parity 0, 1, 0, ...: one `expect_bytes` says how many bytes a phase brings, `copy_bulk` brings some of them,
/// from then on long-lived in the L2 cache if it is told so, and `wait_bytes` waits until they are there; every thread that reads them must. `fetch_next_shared` is a release and an
/// acquire among the threads of the block, on a word of own_memory (after `last` comes 0). Copies write memory that threads
/// have read only if each of them has let the thread that starts the copy know. A type may say that it lacks them:
/// has_bulk_copies.
template <class B>
concept BulkCopies = OwnMemory<B> && Shuffles<B> &&
    requires(B& block, std::uint64_t* barrier, unsigned* word, void* to, const void* from, unsigned n) {
    { B::has_bulk_copies } -> std::convertible_to<bool>;
    block.begin_bytes(barrier);
    block.expect_bytes(barrier, n);
    block.copy_bulk(to, from, n, barrier);
    block.copy_bulk(to, from, n, barrier, true);
    block.wait_bytes(barrier, n);
    { block.fetch_next_shared(word, n) } -> std::same_as<unsigned>;
};

/// `send(own, word, rank, barrier)` writes a word of own_memory of block `rank` of the cluster, where this block has `own`,
/// and counts its 4 bytes at the barrier of bytes that is there where this block has `barrier`. The other block must have
/// begun, and must wait for it before it leaves.
template <class B>
concept ClusterSends = Clusters<B> && BulkCopies<B> &&
    requires(B& block, unsigned* own, unsigned word, unsigned rank, std::uint64_t* barrier) {
    block.send(own, word, rank, barrier);
};

template <ThreadBlock B>
FUSE_HD unsigned linear_thread(B& block) {
    return block.thread_y() * block.dim_x() + block.thread_x();
}

template <ThreadBlock B>
FUSE_HD unsigned block_threads(B& block) {
    return block.dim_x() * block.dim_y();
}

/// Halves of the dynamic shared memory start 16-byte aligned: sizes of one half are rounded up with this.
FUSE_HD constexpr std::size_t scratch_round_up(std::size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

FUSE_END_NAMESPACE
