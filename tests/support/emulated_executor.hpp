// SPDX-License-Identifier: Apache-2.0
//
// The GPU executor without a GPU: the device strategies and the device kernels, run by emulated thread blocks on a
// small imaginary device. Its thresholds are scaled down so that arrays of a few hundred elements, for some kernels a
// few thousand, reach the whole ladder. Partial results and counters are exact-size heap blocks, and a launch must
// leave its counters at zero.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/emulated/emulate.hpp"

namespace fuse::testing {

inline constexpr Device small_device{.units = 2, .threads_per_unit = 256, .block_threads = 512};

inline constexpr Policy small_policy = [] {
    Policy p;
    p.short_row_bytes = 512;
    p.short_row_lanes = 4;
    p.short_row_vectors = 2;
    p.warp_row_bytes = 2048;
    p.row_block_threads = 64;
    p.row_block_vectors = 4;
    p.long_row_threads = 64;
    p.lookback_threads = 64;
    p.lookback_min_threads = 32;
    p.one_block_bytes = 1024;
    p.split_min_bytes = 512;
    p.blocks_per_unit = 4;
    p.column_lanes = 8;
    p.column_min_lanes = 4;
    p.column_threads = 32;
    return p;
}();

/// What the launches of a test were: "rows resident 4", "rows resident items 16", "split 4", ...
class LaunchRecord {
public:
    void add(const Strategy& s, int widest_vector) {
        const bool items = s.kernel == KernelKind::rows_resident && s.vector < widest_vector;
        seen_.insert(to_string(s.kernel) + std::string(items ? " items " : " ") + std::to_string(s.vectors));
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

class EmulatedExecutor {
public:
    EmulatedExecutor() = default;
    explicit EmulatedExecutor(LaunchRecord& record, Order order = Order::shuffled, unsigned seed = 1)
        : record_(&record), order_(order), seed_(seed) {}

    EmulatedExecutor with(const Policy& policy) const {
        EmulatedExecutor e = *this;
        e.policy_ = policy;
        return e;
    }
    EmulatedExecutor with(const Device& device) const {
        EmulatedExecutor e = *this;
        e.device_ = device;
        return e;
    }

    template <class... S>
    void run(const boost::hana::tuple<S...>& statements) const {
        using Preparation = Prepared<false, S...>;
        Preparation prepared(
            statements,
            [this]<class Facts>(Facts, const Layout& layout) { return choose<Facts>(layout, policy_, device_); },
            [](const auto&) {});
        if (prepared.empty) {
            return;
        }
        device_ladder<typename Preparation::plan_type>(prepared.strategy, [&]<class K>() {
            if (record_ != nullptr) {
                record_->add(prepared.strategy, Preparation::facts::vector);
            }
            this->launch<K>(prepared.params, prepared.strategy);
        });
    }

    template <class E>
    value_t<E> value(const E& expression) const {
        const std::unique_ptr<value_t<E>> result(new value_t<E>{});
        const View<value_t<E>, name_t<"value">> output(result.get(), Shape{}, Shape{});
        run(boost::hana::make_tuple(output = expression));
        return *result;
    }

private:
    static constexpr std::size_t shared_limit = 48 * 1024;

    template <class K>
    void launch(Params<typename K::program>& params, const Strategy& s) const {
        check_launch<K>(s);
        const bool cooperative = K::link == Link::grid_sync;
        const bool looks_back = K::link == Link::lookback;
        const auto groups = static_cast<std::size_t>(s.grid / s.group);
        const std::unique_ptr<unsigned[]> counters(new unsigned[cooperative ? 2 : groups]());
        const std::size_t bytes = partial_bytes<K>(s);
        const std::unique_ptr<unsigned char[]> partials(new unsigned char[bytes]);
        std::fill_n(partials.get(), bytes, static_cast<unsigned char>(looks_back ? 0 : 0xCD));
        if (looks_back) {
            params.chunk = static_cast<index_t>(bytes / sizeof(std::uint64_t));
        }
        params.counters = counters.get();
        params.partials = partials.get();
        const Dim2 grid{static_cast<unsigned>(s.grid), 1};
        const Dim2 block{s.dim_x, s.dim_y};
        const auto body = [&params](EmulatedBlock& any) {
            PlannedEmulatedBlock b(any);
            run_kernel<K>(b, params);
        };
        emulate(grid, block, shared_bytes<K>(s), body,
                EmulateOptions{order_, seed_, cooperative || looks_back, own_bytes<K>(s)});
        for (std::size_t i = 0; i < (cooperative ? 1 : groups); ++i) {
            if (counters[i] != 0) {
                throw launch_fault("counter " + std::to_string(i) + " is not zero after the launch");
            }
        }
    }

    template <class K>
    void check_launch(const Strategy& s) const {
        const unsigned threads = s.dim_x * s.dim_y;
        if (threads == 0 || threads > static_cast<unsigned>(K::max_threads)) {
            throw launch_fault("a block of " + std::to_string(threads) + " threads for a kernel of at most " +
                               std::to_string(K::max_threads));
        }
        if (s.grid < 1 || s.grid > max_grid || s.group < 1 || s.grid % s.group != 0) {
            throw launch_fault("a grid of " + std::to_string(s.grid) + " blocks in groups of " +
                               std::to_string(s.group));
        }
        if (s.vector != K::vector) {
            throw launch_fault("a strategy for vectors of " + std::to_string(s.vector) + " and a kernel for " +
                               std::to_string(K::vector));
        }
        if (shared_bytes<K>(s) > shared_limit) {
            throw launch_fault(std::to_string(shared_bytes<K>(s)) + " bytes of shared memory");
        }
    }

    LaunchRecord* record_ = nullptr;
    Order order_ = Order::shuffled;
    unsigned seed_ = 1;
    Policy policy_ = small_policy;
    Device device_ = small_device;
};

}  // namespace fuse::testing
