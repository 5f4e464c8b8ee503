// SPDX-License-Identifier: Apache-2.0
//
// emulate(grid, block, shared_bytes, kernel): launches `kernel(EmulatedBlock&)` on the CPU, one fiber per
// thread. A thread runs until it waits in a collective, so the order of threads within a stretch between two
// barriers is ours to choose: forward, reverse, or shuffled anew in every round by a seed. Any of them may
// reveal a missing barrier. An exception of a thread (an emulation_error, a failed REQUIRE) ends the launch
// and reaches the caller.
#pragma once

#include <deque>
#include <random>

#include "support/emulated/emulated_block.hpp"

namespace fuse::testing {

enum class Order { forward, reverse, shuffled };

struct EmulateOptions {
    Order order = Order::forward;
    unsigned seed = 1;
    bool cooperative = false;   // all blocks of the grid alive at once, else one after the other
    std::size_t own_bytes = 0;  // of the shared memory, a multiple of 16: the kernel's own, not scratch
    unsigned warp_size = 32;
    unsigned cluster = 1;  // blocks of a cluster, alive at once
};

class EmulatedLaunch {
public:
    using Invoke = void (*)(const void* kernel, EmulatedBlock& block);

    EmulatedLaunch(Dim2 grid, Dim2 block, std::size_t shared_bytes, Invoke invoke, const void* kernel,
                   EmulateOptions options)
        : half_bytes_((shared_bytes - options.own_bytes) / 2), invoke_(invoke), kernel_(kernel), options_(options),
          random_(options.seed) {
        state_.grid = grid;
        state_.block = block;
        state_.warp_size = options.warp_size;
        state_.yield_at_atomics = options.order == Order::shuffled;
    }

    CollectiveCounts run() {
        if (options_.cluster == 0 || state_.grid.count() % options_.cluster != 0) {
            throw emulation_error("a grid of " + std::to_string(state_.grid.count()) + " blocks in clusters of " +
                                  std::to_string(options_.cluster));
        }
        const unsigned clusters = state_.grid.count() / options_.cluster;
        std::vector<unsigned> order(clusters);
        for (unsigned i = 0; i < clusters; ++i) {
            order[i] = options_.order == Order::reverse ? clusters - 1 - i : i;
        }
        if (options_.order == Order::shuffled) {
            std::shuffle(order.begin(), order.end(), random_);
        }
        if (options_.cooperative) {
            run_together(order);
        } else {
            for (unsigned index : order) {
                run_together({index});
            }
        }
        return state_.counts;
    }

private:
    static constexpr int idle_rounds_limit = 1000;

    struct Thread {
        Thread(EmulatedLaunch& its_launch, BlockState& its_block, ThreadState& its_state)
            : launch(its_launch), block(its_block), state(its_state), fiber(&Thread::body, this) {
            state.fiber = &fiber;
        }

        static void body(void* self) {
            Thread& me = *static_cast<Thread*>(self);
            acquire(&me.launch.started_);
            try {
                EmulatedBlock view(me.block, me.state);
                me.launch.invoke_(me.launch.kernel_, view);
                me.block.exit(me.state);
            } catch (const UnwindFiber&) {
            } catch (...) {
                const Unobserved scope;
                me.launch.state_.error = std::current_exception();
            }
            release(&me.launch.ended_);
        }

        EmulatedLaunch& launch;
        BlockState& block;
        ThreadState& state;
        Fiber fiber;
    };

    void run_together(const std::vector<unsigned>& cluster_indices) {
        std::deque<ClusterState> clusters;
        std::deque<BlockState> blocks;
        std::deque<Thread> threads;
        std::vector<Thread*> order;
        for (unsigned cluster_index : cluster_indices) {
            ClusterState& cluster = clusters.emplace_back(state_, options_.cluster);
            for (unsigned rank = 0; rank < options_.cluster; ++rank) {
                const unsigned index = cluster_index * options_.cluster + rank;
                BlockState& block =
                    blocks.emplace_back(state_, cluster, Dim2{index % state_.grid.x, index / state_.grid.x},
                                        half_bytes_, options_.own_bytes);
                for (ThreadState& thread : block.threads()) {
                    order.push_back(&threads.emplace_back(*this, block, thread));
                }
            }
        }
        if (options_.order == Order::reverse) {
            std::reverse(order.begin(), order.end());
        }
        release(&started_);
        schedule(order);
        if (state_.error) {
            unwind(threads);
        }
        acquire(&ended_);
        if (state_.error) {
            std::rethrow_exception(state_.error);
        }
    }

    void schedule(std::vector<Thread*>& order) {
        int idle_rounds = 0;
        while (!order.empty() && !state_.error) {
            if (options_.order == Order::shuffled) {
                std::shuffle(order.begin(), order.end(), random_);
            }
            const std::size_t progress = state_.progress;
            for (Thread* thread : order) {
                if (thread->state.wait == ThreadState::Wait::none) {
                    thread->fiber.resume();
                    if (state_.error) {
                        return;
                    }
                }
            }
            std::erase_if(order, [](const Thread* thread) { return thread->fiber.finished(); });
            idle_rounds = progress == state_.progress ? idle_rounds + 1 : 0;
            if (idle_rounds > idle_rounds_limit) {
                state_.error = std::make_exception_ptr(emulation_error(
                    "no thread makes progress: " + std::to_string(order.size()) + " threads spin or wait for ever"));
            }
        }
    }

    void unwind(std::deque<Thread>& threads) {
        state_.unwinding = true;
        for (Thread& thread : threads) {
            if (thread.fiber.started() && !thread.fiber.finished()) {
                thread.fiber.resume();
            }
        }
    }

    LaunchState state_{};
    std::size_t half_bytes_;
    Invoke invoke_;
    const void* kernel_;
    EmulateOptions options_;
    std::mt19937 random_;
    char started_ = 0;  // tokens for ThreadSanitizer
    char ended_ = 0;
};

/// Returns how many barriers and shuffles were completed.
template <class Kernel>
CollectiveCounts emulate(Dim2 grid, Dim2 block, std::size_t shared_bytes, const Kernel& kernel,
                         EmulateOptions options = {}) {
    const auto invoke = [](const void* erased, EmulatedBlock& view) { (*static_cast<const Kernel*>(erased))(view); };
    return EmulatedLaunch(grid, block, shared_bytes, invoke, &kernel, options).run();
}

}  // namespace fuse::testing
