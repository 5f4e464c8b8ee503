// SPDX-License-Identifier: Apache-2.0
//
// Several steps in one launch: the kernels of the other families, run one after the other by the same blocks. Steps of
// one level do not read each other; between levels all blocks meet. Where blocks share rows or columns they leave partial
// results, meet, and the first block of each group folds them in their order. Columns that are folded in a walk along rows
// (one_pass.hpp) are done with these rows, whatever their level; the kernel of such launches has nothing else for these steps,
// nor has the other one such walks: what is never run would take registers from what is.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/steps/ladder.hpp"
#include "fuse/kernels/steps/step_block.hpp"

FUSE_BEGIN_NAMESPACE

/// A step at a level, by one of Kernels, all of one program.
template <int Level, class Kernels>
struct StepOf {
    using kernels = Kernels;
    using program = typename at_t<Kernels, 0>::program;
    static constexpr int level = Level;
};

/// Steps in the order of their levels. It stands where a program stands.
template <class... Step>
struct StepsProgram {
    using steps = type_list<Step...>;
    static constexpr int levels = detail::largest(0, (Step::level + 1)...);
};

/// What a launch says of one step.
template <class P>
struct StepParams {
    Params<P> params;
    unsigned dim_x;
    unsigned dim_y;
    unsigned grid;    ///< places; 0: there is nothing to do
    unsigned kernel;  ///< which of its kernels
};

template <class... Step>
struct Params<StepsProgram<Step...>> : BlockSharing {
    std::uint64_t levels;  ///< bit i: level i has something to do; what lies behind 64 has
    Tuple<StepParams<typename Step::program>...> steps;
};

namespace detail {

/// Whether threads go down columns of 16-bit numbers or shorter ones, of which a vector has many.
template <class Kernels>
inline constexpr bool down_many_columns = false;
template <class... K>
inline constexpr bool down_many_columns<type_list<K...>> = ((K::down_columns && K::vector > 4) || ...);

}  // namespace detail

/// Joined: all columns that can be are folded in a walk along rows; else none is.
template <class P, bool Joined>
struct StepsKernel;
template <class... Step, bool Joined>
struct StepsKernel<StepsProgram<Step...>, Joined> : Kernel<StepsProgram<Step...>, 1, 1, Link::grid_sync> {
    using program = StepsProgram<Step...>;
    static constexpr int max_threads = Joined ? most_walk_threads : most_step_threads;
    /// More blocks hide more of the time that rows are on their way; many columns side by side need the registers.
    static constexpr int min_blocks = Joined ? 1 : (detail::down_many_columns<typename Step::kernels> || ...) ? 2 : 3;
    static constexpr bool in_waves = true;
    static constexpr std::size_t scratch_bytes(const Launch& l) { return l.steps_scratch; }
    static constexpr std::size_t partial_bytes(const Launch& l) { return l.steps_bytes; }

    template <DeviceAtomics B>
    static FUSE_HD void run(B& block, const Params<program>& p) {
        StepBlock<B, max_threads> own(block);
        run_levels(block, own, p, std::make_integer_sequence<int, program::levels>{});
    }

private:
    template <int I>
    using step = at_t<typename program::steps, I>;

    // Functions and not lambdas, which nvcc calls where they have grown large: of pointers that come from a call it does not
    // know that they are to global memory.
    template <class B, class Own, int... Level>
    static FUSE_HD void run_levels(B& block, Own& own, const Params<program>& p, std::integer_sequence<int, Level...>) {
        (run_level<Level>(block, own, p), ...);
    }
    template <int Level, class B, class Own>
    static FUSE_HD void run_level(B& block, Own& own, const Params<program>& p) {
        if constexpr (Level > 0) {
            if (Level < 64 && ((p.levels >> (Level % 64)) & 1U) == 0) {
                return;
            }
            grid_sync(block, p.counters, block.grid_x());
        }
        each_of<Level>([&]<int I>() FUSE_INLINE_LAMBDA { one_step<I>(block, own, p.steps); });
        if constexpr (links<Level>) {
            bool any = false;
            each_of<Level>([&]<int I>() FUSE_INLINE_LAMBDA { any = any || is_shared<I>(get<I>(p.steps)); });
            if (any) {
                grid_sync(block, p.counters, block.grid_x());
                each_of<Level>([&]<int I>() FUSE_INLINE_LAMBDA { finish_step<I>(block, own, p.steps); });
            }
        }
    }

    template <int Level, class F>
    static FUSE_HD void each_of(F&& f) {
        static_for<sizeof...(Step)>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (step<I>::level == Level) {
                f.template operator()<I>();
            }
        });
    }
    template <class K>
    static constexpr bool is_linked = K::link == Link::last_block;
    template <class K>
    static constexpr bool is_one_pass = requires {
        K::ahead;
    };
    template <int I, class K>
    static constexpr bool walks_over() {
        if constexpr (is_one_pass<K>) {
            return K::template folds<I>;
        } else {
            return false;
        }
    }
    /// Whether there is a walk along the rows of step I, or one in which its columns are folded.
    template <int I>
    static constexpr bool is_joined =
        []<class... K>(type_list<K...>) { return (walks_over<I, K>() || ...); }(concat_t<typename Step::kernels...>{});
    /// Whether kernel K of step I is a part of this one.
    template <int I, class K>
    static constexpr bool has = Joined ? is_one_pass<K> || !is_joined<I> : !is_one_pass<K>;
    template <int I, class... K>
    static constexpr bool any_linked(type_list<K...>) {
        return ((is_linked<K> && has<I, K>) || ...);
    }
    /// Whether blocks share rows or columns in some step of a level.
    template <int Level>
    static constexpr bool links = []<int... I>(std::integer_sequence<int, I...>) {
        return ((Step::level == Level && any_linked<I>(typename Step::kernels{})) || ...);
    }
    (std::make_integer_sequence<int, sizeof...(Step)>{});

    /// Calls f.template operator()<K>() for the kernel of a step.
    template <int I, class F>
    static FUSE_HD void with_kernel(unsigned number, F&& f) {
        static_for<step<I>::kernels::size>([&]<int J>() FUSE_INLINE_LAMBDA {
            using K = at_t<typename step<I>::kernels, J>;
            if constexpr (has<I, K>) {
                if (number == J) {
                    f.template operator()<K>();
                }
            }
        });
    }
    template <int I, class S>
    static FUSE_HD bool is_shared(const S& s) {
        bool shared = false;
        with_kernel<I>(s.kernel, [&]<class K>() FUSE_INLINE_LAMBDA {
            shared = is_linked<K> && s.grid > 0 && !(K::lone_link == Link::none && s.params.group == 1);
        });
        return shared;
    }

    template <int I, class B, class Own, class S>
    static FUSE_HD void one_step(B& block, Own& own, const S& steps) {
        const auto& s = get<I>(steps);
        if (s.grid == 0) {
            return;
        }
        own.shape(s.dim_x, s.dim_y);
        with_kernel<I>(s.kernel, [&]<class K>() FUSE_INLINE_LAMBDA {
            if constexpr (is_one_pass<K>) {
                own.place(block.block_x(), block.grid_x());
                K::walk(own, s.params, steps);
            } else if constexpr (is_linked<K>) {
                for (unsigned place = block.block_x(); place < s.grid; place += block.grid_x()) {
                    own.place(place, s.grid);
                    K::template stage<0>(own, s.params);
                }
            } else {  // a kernel that steps through the work
                own.place(block.block_x(), block.grid_x());
                K::template stage<0>(own, s.params);
            }
        });
    }
    template <int I, class B, class Own, class S>
    static FUSE_HD void finish_step(B& block, Own& own, const S& steps) {
        const auto& s = get<I>(steps);
        if (!is_shared<I>(s)) {
            return;
        }
        own.shape(s.dim_x, s.dim_y);
        with_kernel<I>(s.kernel, [&]<class K>() FUSE_INLINE_LAMBDA {
            if constexpr (is_one_pass<K>) {
                own.place(block.block_x(), block.grid_x());
                K::finish(own, s.params, s.dim_x, steps);
            } else if constexpr (is_linked<K>) {
                const unsigned group = s.params.group;
                for (unsigned place = block.block_x() * group; place < s.grid; place += block.grid_x() * group) {
                    own.place(place, s.grid);
                    K::template stage<1>(own, s.params);
                }
            }
        });
    }
};

namespace detail {

/// The kernels of steps: where there are walks that fold columns, a second one with these. As a list to deduce them from:
/// nvcc names a kernel in a stub as the source does, and cannot name statements, which may have lambdas.
template <bool Walks, class... Step>
struct steps_kernels {
    using program = StepsProgram<Step...>;
    using list = concat_t<type_list<StepsKernel<program, false>>,
                          std::conditional_t<Walks, type_list<StepsKernel<program, true>>, type_list<>>>;
};

}  // namespace detail

FUSE_END_NAMESPACE
