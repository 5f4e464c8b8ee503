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
    template <int I>
    using kernels_of = concat_t<typename one<I>::family::kernels, typename detail::one_pass_kernel<steps, I>::type>;
    template <class Sequence>
    struct all;
    template <int... I>
    struct all<std::integer_sequence<int, I...>> {
        static constexpr bool walks = ((detail::one_pass_kernel<steps, I>::type::size > 0) || ...);
        using type = detail::steps_kernels<walks, StepOf<steps::order.step[I].level, kernels_of<I>>...>;
    };
    using parts = typename all<std::make_integer_sequence<int, steps::order.steps>>::type;
    using kernels = typename parts::list;

    Launch launch;
    Params<typename parts::program> params{};

    FUSE_COLD StepsLaunch(const PreparedSteps<Device, S...>& prepared, const Policy& policy, const Device& device) {
        launch.name = "steps";
        launch.kernel = prepared.joined ? 1 : 0;
        launch.why = "results over other axes: all blocks wait for each other between levels";
        launch.dim_x = prepared.threads;
        launch.grid = 1;
        launch.steps_bytes = prepared.carried.bytes;
        detail::for_numbers<steps::order.steps>([&]<int I>() { take<I>(std::get<I>(prepared.step)); });
        launch.grid = detail::limited(launch.grid, 1, detail::resident_blocks(policy, device));
        launch.group = launch.grid;
        detail::for_numbers<steps::order.steps>([&]<int I>() {
            const auto& step = std::get<I>(prepared.step);
            if (step.has_value() && step->launch.kernel == static_cast<int>(StepKernels::one_pass)) {
                leave_room(step->launch, step->params.kept_size, typename detail::one_pass_kernel<steps, I>::type{});
            }
        });
    }

    /// Calls f(type_list<K>{}), K: the kernel of the launch.
    template <class F>
    void with_kernel(F&& f) const {
        [&]<class... K>(type_list<K...>) {
            int number = 0;
            ((number++ == launch.kernel ? f(type_list<K>{}) : void()), ...);
        }(kernels{});
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
        constexpr int level = steps::order.step[I].level;
        params.levels |= level < 64 && l.grid > 0 && step->rows < 0 ? std::uint64_t{1} << (level % 64) : 0;
        partials_[I] = launch.steps_bytes;
        [&]<class... K>(type_list<K...>) {
            int number = 0;
            (take_sizes<K>(l, number++ == l.kernel), ...);
        }(kernels_of<I>{});
    }
    /// For what blocks leave of columns beside rows, when the number of blocks is known.
    void leave_room(const Launch&, index_t, type_list<>) {}
    template <int A, class P, int V, int N, class... C>
    void leave_room(const Launch& l, index_t rows, type_list<OnePassKernel<A, P, V, N, C...>>) {
        using K = OnePassKernel<A, P, V, N, C...>;
        const index_t places = K::most_members(rows, launch.grid, l.dim_y) * K::slots(l.dim_x);
        const auto room = [&](int step, const auto& columns, std::size_t accumulator) {
            partials_[step] = launch.steps_bytes;
            launch.steps_bytes += whole(static_cast<std::size_t>(places) * accumulator);
            launch.steps_scratch = detail::largest(
                launch.steps_scratch, y_reduce_scratch_bytes(columns.dim_x, columns.dim_y, accumulator, planned_block));
        };
        (room(C::step, get<C::step>(params.steps), sizeof(typename C::accumulator)), ...);
    }
    static constexpr std::size_t whole(std::size_t bytes) {
        constexpr std::size_t a = detail::carried_alignment;
        return (bytes + a - 1) / a * a;
    }
    template <class K>
    void take_sizes(const Launch& l, bool runs) {
        if (runs) {
            launch.steps_scratch = detail::largest(launch.steps_scratch, K::scratch_bytes(l));
            launch.steps_bytes += whole(K::partial_bytes(l));
        }
    }

    std::size_t partials_[steps::order.steps] = {};
};

FUSE_END_NAMESPACE
