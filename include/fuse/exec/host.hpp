// SPDX-License-Identifier: Apache-2.0
//
// fuse::host: runs statements on the CPU with the same kernels as the GPU. Each block is one thread with packs of 64
// items; blocks are spread over the cores with OpenMP when the program is compiled with it. Results do not depend on
// the number of cores. An eval within a parallel region, or beside another that has the cores, stays on its thread.
#pragma once

#include <vector>

#if defined(_OPENMP)
#include <omp.h>

#include <atomic>
#include <exception>
#endif

#include "fuse/exec/executor.hpp"
#include "fuse/exec/host_vectors.hpp"
#include "fuse/numeric.hpp"
#include "fuse/primitives/machine/host_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if defined(_OPENMP)
/// Holds the cores for one eval, if no other eval has them and the caller is not one of many threads of OpenMP: several
/// teams at once would have more threads than there are cores.
class AllCores {
public:
    explicit AllCores(bool wanted) : held_(wanted && omp_in_parallel() == 0 && taken_.try_lock()) {}
    AllCores(const AllCores&) = delete;
    AllCores& operator=(const AllCores&) = delete;
    ~AllCores() {
        if (held_) {
            taken_.unlock();
        }
    }
    bool held() const { return held_; }
    int count() const { return held_ ? omp_get_max_threads() : 1; }

private:
    static inline SpinLock taken_;
    bool held_;
};

/// The first exception of a functor in any thread of a team, which it must not leave, for the thread that called.
class FirstException {
public:
    void keep() {
        if (!failed_.exchange(true)) {
            first_ = std::current_exception();
        }
    }
    bool failed() const { return failed_.load(std::memory_order_relaxed); }
    void rethrow() const {
        if (first_ != nullptr) {
            std::rethrow_exception(first_);
        }
    }

private:
    std::atomic<bool> failed_{false};
    std::exception_ptr first_;
};
#else
struct AllCores {
    explicit AllCores(bool) {}
    static bool held() { return false; }
    static int count() { return 1; }
};
#endif

/// One stage of kernel K for block b of a grid.
template <class K, int Stage>
struct HostStage {
    template <class P>
    static FUSE_HD void run(const P& params, const index_t& b, const index_t& grid) {
        HostBlock block(static_cast<unsigned>(b), 0, static_cast<unsigned>(grid), 1, nullptr, 0);
        K::template stage<Stage>(block, params);
    }
};

/// Runs one stage for the blocks of a grid (every block, or the first of each group).
template <class K, int Stage, class P>
void run_host_stage(const P& params, index_t grid, index_t step, int vector_bits, bool parallel) {
    const auto run = widest<HostStage<K, Stage>, P, index_t, index_t>(vector_bits);
#if defined(_OPENMP)
    if (parallel && grid > step) {
        FirstException exception;
#pragma omp parallel for schedule(static)
        for (index_t b = 0; b < grid; b += step) {
            if (!exception.failed()) {
                try {
                    run(params, b, grid);
                } catch (...) {
                    exception.keep();
                }
            }
        }
        exception.rethrow();
        return;
    }
#else
    static_cast<void>(parallel);
#endif
    for (index_t b = 0; b < grid; b += step) {  // a team of one takes a quarter of a microsecond
        run(params, b, grid);
    }
}

/// Stages run one after the other: nothing has to wait inside a kernel.
template <class K, class P>
void run_host_kernel(const P& params, const Launch& l, int vector_bits, bool parallel) {
    const auto run = [&]<int I>() {
        // Blocks that have nobody to wait for have finished.
        if (I == 0 || l.link != Link::none) {
            const bool first_of_group = K::takes_neighbours || (K::link == Link::last_block && I > 0);
            run_host_stage<K, I>(params, l.grid, first_of_group ? params.group : 1, vector_bits, parallel);
        }
    };
    [&]<int... I>(std::integer_sequence<int, I...>) {
        (run.template operator()<I>(), ...);
    }
    (std::make_integer_sequence<int, K::stages>{});
}

}  // namespace detail

/// The CPU executor. Copyable, without state of its own beyond the policy.
class HostExecutor : public ExecutorBase<HostExecutor, Cpu> {
public:
    constexpr HostExecutor() = default;
    static constexpr const char* name = "host";
    constexpr Cpu target() const { return {}; }

    template <class K, class Preparation>
    void launch(Preparation& prepared) const {
        complete<K>(prepared.launch);
        prepared.params.share = prepared.launch.share;
        prepared.params.group = static_cast<unsigned>(prepared.launch.group);
        std::vector<std::max_align_t> partials(prepared.launch.partial_bytes / sizeof(std::max_align_t) + 1);
        prepared.params.partials = partials.data();
        const Layout& layout = prepared.layout;
        const index_t items = layout.kept_size * layout.walked_size * layout.x_size + layout.fill_size;
        const bool large = items * Preparation::facts::value.item_bytes > policy().host_serial_bytes;
        const detail::AllCores cores(large);
        if constexpr (K::takes_neighbours) {
            prepared.params.group = static_cast<unsigned>(ceil_div(prepared.launch.grid, cores.count()));
        }
        detail::run_host_kernel<K>(prepared.params, prepared.launch, policy().host_vector_bits, cores.held());
    }

    /// One step after the other.
    template <class Preparation>
    void launch_steps(Preparation& prepared) const {
        std::vector<std::max_align_t> memory(prepared.carried.bytes / sizeof(std::max_align_t) + 1);
        prepared.place(reinterpret_cast<unsigned char*>(memory.data()));
        prepared.launch.name = "steps";
        prepared.launch.grid = 1;
        std::apply([this](auto&... step) { (this->launch_step(step), ...); }, prepared.step);
    }

private:
    template <class Step>
    void launch_step(Step& step) const {
        if (step.has_value() && !step->empty) {
            step->with_kernel([&]<class K>() { this->template launch<K>(*step); });
        }
    }
};

inline constexpr HostExecutor host{};

FUSE_END_NAMESPACE
