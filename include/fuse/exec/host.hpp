// SPDX-License-Identifier: Apache-2.0
//
// fuse::host: runs statements on the CPU with the same kernels as the GPU. Each block is one thread with packs of 64 items;
// blocks are spread over the cores with OpenMP when the program is compiled with it. Results do not depend on the
// number of cores.
#pragma once

#include <vector>

#include "fuse/exec/ladder.hpp"
#include "fuse/exec/prepare.hpp"
#include "fuse/lang/statement.hpp"
#include "fuse/primitives/machine/host_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Runs one stage of kernel K for the blocks of a grid (every block, or the first of each group).
template <class K, int Stage, class P>
void run_host_stage(const P& params, index_t grid, index_t step, bool parallel) {
    const auto one = [&params, grid](index_t b) {
        HostBlock block(static_cast<unsigned>(b), 0, static_cast<unsigned>(grid), 1, nullptr, 0);
        K::template stage<Stage>(block, params);
    };
#if defined(_OPENMP)
#pragma omp parallel for schedule(static) if (parallel)
    for (index_t b = 0; b < grid; b += step) {
        one(b);
    }
#else
    static_cast<void>(parallel);
    for (index_t b = 0; b < grid; b += step) {
        one(b);
    }
#endif
}

/// Stages run one after the other: nothing has to wait inside a kernel.
template <class K, class P>
void run_host_kernel(const P& params, const Strategy& s, bool parallel) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
        (run_host_stage<K, I>(params, s.grid, K::link == Link::last_block && I > 0 ? s.group : 1, parallel), ...);
    }
    (std::make_integer_sequence<int, K::stages>{});
}

}  // namespace detail

/// The CPU executor. Copyable, without state of its own beyond the policy.
class HostExecutor {
public:
    constexpr HostExecutor() = default;
    /// The same executor with other thresholds.
    constexpr HostExecutor with(const Policy& policy) const {
        HostExecutor e = *this;
        e.policy_ = policy;
        return e;
    }
    constexpr const Policy& policy() const { return policy_; }

    template <class... S>
    void run(const boost::hana::tuple<S...>& statements) const {
        auto prepared = prepare(statements);
        if (prepared.empty) {
            return;
        }
        const Strategy& s = prepared.strategy;
        const Layout& layout = prepared.layout;
        const index_t items = layout.outer_size * layout.seq_size * layout.x_size + layout.fill_size;
        const bool parallel = items * Prepared<true, S...>::facts::value.item_bytes > policy_.host_serial_bytes;
        host_ladder<plan<S...>>(s, [&]<class K>() {
            std::vector<std::max_align_t> partials(partial_bytes<K>(s) / sizeof(std::max_align_t) + 1);
            prepared.params.partials = partials.data();
            detail::run_host_kernel<K>(prepared.params, s, parallel);
        });
    }

    /// All that comes before the kernel, for explain().
    template <class... S>
    Prepared<true, S...> prepare(const boost::hana::tuple<S...>& statements) const {
        return {statements,
                [this]<class Facts>(Facts, const Layout& layout) { return choose_host<Facts>(layout, policy_); },
                [](const auto&) {}};
    }
    static constexpr const char* name = "host";
    /// Bytes per second of memory; 0: not known.
    static double bandwidth() { return 0; }

    /// The value of a scalar expression.
    template <class E>
    value_t<E> value(const E& expression) const {
        value_t<E> result{};
        const View<value_t<E>, name_t<"value">> output(&result, Shape{}, Shape{});
        run(boost::hana::make_tuple(output = expression));
        return result;
    }

private:
    Policy policy_;
};

inline constexpr HostExecutor host{};

FUSE_END_NAMESPACE
