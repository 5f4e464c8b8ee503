// SPDX-License-Identifier: Apache-2.0
//
// The one launch of several steps on a device: the launches of the steps side by side, and the memory that they need
// together.
#pragma once

#include "fuse/exec/steps.hpp"

FUSE_BEGIN_NAMESPACE

/// The one launch of steps on a device.
template <class... S>
struct StepsLaunch {
    using steps = detail::Steps<S...>;
    template <int I>
    using one = typename detail::prepared_step<Device, typename steps::template statements_t<I>>::type;
    template <class Sequence>
    struct all;
    template <int... I>
    struct all<std::integer_sequence<int, I...>> {
        using type = detail::steps_kernel<StepOf<steps::order.step[I].level, typename one<I>::family::kernels>...>;
    };
    using parts = typename all<std::make_integer_sequence<int, steps::order.steps>>::type;
    /// A list of one kernel.
    using kernels = typename parts::list;

    Launch launch;
    Params<typename parts::program> params{};

    FUSE_COLD StepsLaunch(const PreparedSteps<Device, S...>& prepared, const Policy& policy, const Device& device) {
        launch.name = "steps";
        launch.why = "results over other axes: all blocks wait for each other between levels";
        launch.dim_x = detail::step_threads(policy);
        launch.grid = 1;
        launch.steps_bytes = prepared.carried.bytes;
        detail::for_numbers<steps::order.steps>([&]<int I>() { take<I>(std::get<I>(prepared.step)); });
        launch.grid = detail::limited(launch.grid, 1, detail::resident_blocks(policy, device));
        launch.group = launch.grid;
    }

    /// memory: steps_bytes, aligned to detail::carried_alignment.
    void place(unsigned char* memory) {
        detail::for_numbers<steps::order.steps>([&]<int I>() {
            auto& step = get<I>(params.steps);
            detail::place_operands(step.params, memory);
            step.params.partials = memory + partials_[I];
        });
    }

private:
    template <int I, class Step>
    void take(const Step& step) {
        if (!step.has_value() || step->empty) {
            return;
        }
        const Launch& l = step->launch;
        auto& to = get<I>(params.steps);
        to.params = step->params;
        to.dim_x = l.dim_x;
        to.dim_y = l.dim_y;
        to.grid = static_cast<unsigned>(l.grid);
        to.kernel = static_cast<unsigned>(l.kernel);
        launch.grid = detail::largest(launch.grid, l.grid);
        partials_[I] = launch.steps_bytes;
        [&]<class... K>(type_list<K...>) {
            int number = 0;
            (take_sizes<K>(l, number++ == l.kernel), ...);
        }(typename one<I>::family::kernels{});
    }
    template <class K>
    void take_sizes(const Launch& l, bool runs) {
        if (runs) {
            constexpr std::size_t a = detail::carried_alignment;
            launch.steps_scratch = detail::largest(launch.steps_scratch, K::scratch_bytes(l));
            launch.steps_bytes += (K::partial_bytes(l) + a - 1) / a * a;
        }
    }

    std::size_t partials_[steps::order.steps] = {};
};

FUSE_END_NAMESPACE
