// SPDX-License-Identifier: Apache-2.0
//
// The GPU executor without a GPU: the device's launches and kernels, run by emulated thread blocks on a small imaginary
// device. Its thresholds are scaled down so that arrays of a few hundred elements, for some kernels a few thousand,
// reach every kernel. Partial results and counters are exact-size heap blocks, and a launch must zero its counters.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/emulated/emulate.hpp"
#include "support/launches.hpp"

namespace fuse::testing {

inline constexpr Device small_device{
    .units = 2, .threads_per_unit = 256, .block_threads = 512, .cluster_blocks = 4, .bulk_copies = true};

inline constexpr Policy small_policy = [] {
    Policy p;
    p.short_row_bytes = 512;
    p.short_row_threads = 4;
    p.short_row_vectors = 2;
    p.warp_row_bytes = 2048;
    p.row_block_threads = 64;
    p.row_block_vectors = 4;
    p.register_row_bytes = 16384;
    p.staged_block_bytes = 16384;
    p.long_row_threads = 64;
    p.lookback_threads = 64;
    p.lookback_min_threads = 32;
    p.one_block_bytes = 1024;
    p.split_min_bytes = 512;
    p.backwards_bytes = 256;
    p.blocks_per_unit = 4;
    p.column_x_threads = 8;
    p.column_min_x_threads = 4;
    p.column_threads = 32;
    p.shared_column_bytes = 80000;
    p.shared_row_bytes = 160000;
    return p;
}();

/// What the launches of a test were: "rows resident 4", "rows peeled 4", "split 4", ...
class LaunchRecord {
public:
    void add(const Launch& l) {
        seen_.insert(std::string(l.name) + " " + std::to_string(l.vectors) +
                     (l.cluster > 1 ? " in clusters of " + std::to_string(l.cluster) : ""));
    }
    /// Whether this kernel ran: with the number of vectors, or any form of it.
    bool saw(const std::string& kernel) const {
        return std::any_of(seen_.begin(), seen_.end(),
                           [&](const std::string& s) { return s == kernel || s.rfind(kernel + " ", 0) == 0; });
    }
    const std::set<std::string>& all() const { return seen_; }

private:
    std::set<std::string> seen_;
};

/// A launch that no GPU would accept, or that left its counters dirty.
class launch_fault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class EmulatedExecutor : public ExecutorBase<EmulatedExecutor, Device> {
    using Base = ExecutorBase<EmulatedExecutor, Device>;

public:
    EmulatedExecutor() : Base(small_policy) {}
    explicit EmulatedExecutor(LaunchRecord& record, Order order = Order::shuffled, unsigned seed = 1)
        : EmulatedExecutor() {
        record_ = &record;
        order_ = order;
        seed_ = seed;
    }
    static constexpr const char* name = "emulated";
    Device target() const { return device_; }

    using Base::with;
    EmulatedExecutor with(const Device& device) const {
        EmulatedExecutor e = *this;
        e.device_ = device;
        return e;
    }

    /// The results are an exact-size heap block.
    template <class... E>
    std::tuple<value_t<E>...> values(const E&... expressions) const {
        const std::unique_ptr<std::tuple<value_t<E>...>> results(new std::tuple<value_t<E>...>{});
        fuse::detail::run_into(*this, *results, expressions...);
        return *results;
    }

    template <class K, class Preparation>
    void launch(Preparation& prepared) const {
        Launch& l = prepared.launch;
        complete<K>(l);
        if (record_ != nullptr) {
            record_->add(l);
        }
        check_launch<K>(l);
        const bool cooperative = l.link == Link::grid_sync;
        const bool looks_back = l.link == Link::lookback;
        const bool together = cooperative || looks_back || l.link == Link::tickets || l.link == Link::group_sync;
        const auto words = static_cast<std::size_t>(cooperative ? 2 : K::counter_words(l));
        const std::unique_ptr<unsigned[]> counters(new unsigned[words]());
        const std::unique_ptr<unsigned char[]> partials(new unsigned char[l.partial_bytes]);
        std::fill_n(partials.get(), l.partial_bytes, static_cast<unsigned char>(looks_back ? 0 : 0xCD));
        auto& params = prepared.params;
        params.share = l.share;
        params.state_words = l.state_words;
        params.group = static_cast<unsigned>(l.group);
        params.counters = counters.get();
        params.partials = partials.get();
        const Dim2 grid{static_cast<unsigned>(l.grid), 1};
        const Dim2 block{l.dim_x, l.dim_y};
        const auto body = [&params](EmulatedBlock& any) {
            PlannedEmulatedBlock b(any);
            run_kernel<K>(b, params);
        };
        emulate(grid, block, l.shared_bytes, body, EmulateOptions{order_, seed_, together, l.own_bytes, 32, l.cluster});
        for (std::size_t i = 0; i < (cooperative ? 1 : words); ++i) {
            if (counters[i] != 0) {
                throw launch_fault("counter " + std::to_string(i) + " is not zero after the launch");
            }
        }
    }

    /// A launch whose statements are done in steps.
    template <class... S>
    void launch_steps(PreparedSteps<Device, S...>& prepared) const {
        StepsLaunch<S...> one(prepared, policy(), device_);
        one.with_kernel([&]<class K>(type_list<K>) { launch_steps_by<K>(one); });
        prepared.launch = one.launch;
    }

private:
    static constexpr std::size_t shared_limit = 48 * 1024;

    template <class K, class One>
    void launch_steps_by(One& one) const {
        complete<K>(one.launch);
        if (record_ != nullptr) {
            record_->add(one.launch);
        }
        check_launch<K>(one.launch);
        const std::size_t bytes = one.launch.partial_bytes;
        const std::unique_ptr<std::max_align_t[]> memory(new std::max_align_t[bytes / sizeof(std::max_align_t)]);
        std::fill_n(reinterpret_cast<unsigned char*>(memory.get()), bytes, static_cast<unsigned char>(0xCD));
        unsigned counters[2] = {};
        one.place(reinterpret_cast<unsigned char*>(memory.get()));
        one.params.counters = counters;
        const auto body = [&one](EmulatedBlock& any) {
            PlannedEmulatedBlock b(any);
            run_kernel<K>(b, one.params);
        };
        emulate({static_cast<unsigned>(one.launch.grid), 1}, {one.launch.dim_x, one.launch.dim_y},
                one.launch.shared_bytes, body, EmulateOptions{order_, seed_, true});
    }

    template <class K>
    void check_launch(const Launch& l) const {
        const std::string fault = disagreement<K>(l);
        if (!fault.empty()) {
            throw launch_fault(fault);
        }
        if (l.grid < 1 || l.grid > max_grid || l.group < 1 || l.grid % l.group != 0) {
            throw launch_fault("a grid of " + std::to_string(l.grid) + " blocks in groups of " +
                               std::to_string(l.group));
        }
        if (l.shared_bytes > shared_limit) {
            throw launch_fault(std::to_string(l.shared_bytes) + " bytes of shared memory");
        }
    }

    LaunchRecord* record_ = nullptr;
    Order order_ = Order::shuffled;
    unsigned seed_ = 1;
    Device device_ = small_device;
};

}  // namespace fuse::testing
