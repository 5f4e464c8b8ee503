// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps (plan/steps.hpp), ready to be launched: each step is prepared like statements
// of a user, and reads what earlier ones leave for it at addresses that no machine has; place() moves those into the
// memory that a launch provides. Nothing has been written when an exception leaves this file.
#pragma once

#include "fuse/exec/prepare.hpp"
#include "fuse/kernels/steps/family.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Calls f.template operator()<I>() for I = 0 .. N - 1: static_for of host code.
template <int N, class F>
void for_numbers(F&& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
        (f.template operator()<I>(), ...);
    }
    (std::make_integer_sequence<int, N>{});
}

/// A value that may not be there: std::optional, whose header costs every program more than this.
template <class T>
class Perhaps {
public:
    Perhaps() = default;
    Perhaps(const Perhaps& other) { *this = other; }
    Perhaps& operator=(const Perhaps& other) {
        has_value_ = false;
        if (other.has_value_) {
            emplace(*other);
        }
        return *this;
    }

    template <class... A>
    T& emplace(A&&... arguments) {
        has_value_ = true;
        return *new (bytes_) T(std::forward<A>(arguments)...);
    }
    bool has_value() const { return has_value_; }
    T* operator->() { return reinterpret_cast<T*>(bytes_); }
    const T* operator->() const { return reinterpret_cast<const T*>(bytes_); }
    T& operator*() { return *operator->(); }
    const T& operator*() const { return *operator->(); }

private:
    static_assert(std::is_trivially_destructible_v<T>);
    alignas(T) unsigned char bytes_[sizeof(T)];
    bool has_value_ = false;
};

template <class View>
OperandLayout layout_of(const View& view) {
    return {view.strides(), reinterpret_cast<std::uintptr_t>(view.data()), sizeof(typename View::storage_type)};
}

[[noreturn]] FUSE_COLD inline void throw_steps_overlap(const char* output, const char* other) {
    throw argument_error(Text() << "output " << output << " overlaps " << other
                                << ", which another step of the same eval reads or writes after it: write into another "
                                   "array, or evaluate it on its own");
}

/// Moves an operand from the addresses of carried results to memory.
template <class O>
void place_operand(O& o, unsigned char* memory) {
    if constexpr (requires { o.data; }) {
        const auto address = reinterpret_cast<std::uintptr_t>(o.data);
        if (address >= carried_base && address - carried_base < (std::uintptr_t{1} << 54U)) {
            o.data = reinterpret_cast<decltype(o.data)>(memory + (address - carried_base));
        }
    }
}
template <class P>
void place_operands(Params<P>& params, unsigned char* memory) {
    for_numbers<P::leaves::size>([&]<int I>() { place_operand(get<I>(params.leaves), memory); });
    for_numbers<P::outputs::size>([&]<int I>() { place_operand(get<I>(params.outputs), memory); });
}

/// One step on a device: its launch is a part of another one.
template <class... S>
struct DeviceStep {
    using plan_type = plan<S...>;
    using program = typename plan_type::program;
    using family = StepFamily<plan_type>;

    bool empty = false;
    double operand_bytes = 0;
    Shape domain;
    Launch launch;
    Params<program> params{};

    template <class Check>
    FUSE_COLD DeviceStep(const std::tuple<S...>& statements, const Policy& policy, const Device& device,
                         Check&& check) {
        Binding<plan_type, S...> binding(statements);
        domain = binding.domain().extent;
        empty = binding.output_size() == 0;
        if (empty) {
            return;
        }
        if (launch_hook() != nullptr) {
            operand_bytes = binding.operand_bytes();
        }
        binding.for_each_operand(check);
        binding.check_empty();
        Layout layout = make_layout(binding.domain(), family::facts::columns);
        layout.stretched = binding.stretched();
        layout.fill_size = binding.fill_size();
        note_vectors(binding.domain(), layout, family::facts::moving, family::facts::beside, family::facts::vector);
        launch = family::choose(layout, policy, device);
        params = binding.params(layout, launch.vector);
        params.share = launch.share;
        params.group = static_cast<unsigned>(launch.group);
    }
};

template <Target T, class Statements>
struct prepared_step;
template <class... S>
struct prepared_step<Device, std::tuple<S...>> {
    using type = DeviceStep<S...>;
};
template <class... S>
struct prepared_step<Cpu, std::tuple<S...>> {
    using type = Prepared<Cpu, S...>;
};

/// Whether such columns are long, and too few for a block each: then a barrier costs less than what blocks leave undone.
template <class Preparation>
bool is_better_stepped(const Preparation& prepared, const Policy& policy, const Device& device) {
    const Layout& layout = prepared.layout;
    const index_t bytes = layout.walked_size * layout.kept_size * layout.x_size * Preparation::facts::value.item_bytes;
    return prepared.launch.rereads && 2 * prepared.launch.grid < resident_blocks(policy, device) &&
           bytes > policy.stepped_bytes;
}

}  // namespace detail

/// All steps of statements S... .
template <Target T, class... S>
struct PreparedSteps {
    using steps = detail::Steps<S...>;
    static constexpr int count = steps::order.steps;

    bool empty = false;        ///< no output has an element: nothing to launch
    double operand_bytes = 0;  ///< of all operands and outputs of the steps; if a hook is told of launches
    Launch launch;             ///< of all steps, once it is known
    detail::CarriedResults carried;

    template <class Sequence>
    struct tuple_of;
    template <int... I>
    struct tuple_of<std::integer_sequence<int, I...>> {
        using type = std::tuple<
            detail::Perhaps<typename detail::prepared_step<T, typename steps::template statements_t<I>>::type>...>;
    };
    /// Steps that nothing needs, because outputs have no elements, are not there.
    typename tuple_of<std::make_integer_sequence<int, count>>::type step;

    template <class Check>
    FUSE_COLD PreparedSteps(const std::tuple<S...>& statements, const Policy& policy, const T& target, Check&& check)
        : carried(steps::carry(statements)) {
        const bit_set needed = needed_results(statements);
        empty = !has_elements(statements);
        detail::for_numbers<count>([&]<int I>() { take_step<I>(statements, needed, policy, target, check); });
    }

    /// memory: carried.bytes, aligned to detail::carried_alignment.
    void place(unsigned char* memory) {
        std::apply(
            [memory](auto&... one) { ((one.has_value() ? detail::place_operands(one->params, memory) : void()), ...); },
            step);
    }

private:
    using roots = std::make_index_sequence<sizeof...(S)>;

    static bool has_elements(const std::tuple<S...>& statements) {
        return std::apply([](const auto&... s) { return ((s.output.size() > 0) || ...); }, statements);
    }
    /// Bit i: reduction i is needed by an output that has elements.
    static bit_set needed_results(const std::tuple<S...>& statements) {
        bit_set needed = 0;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((needed |=
              std::get<I>(statements).output.size() > 0 ? steps::nodes.root_node(static_cast<int>(I)).needs : 0),
             ...);
        }
        (roots{});
        return needed;
    }
    template <int I>
    static bool is_needed(const std::tuple<S...>& statements, bit_set needed) {
        bool any = false;
        for (int r = 0; r < steps::reductions; ++r) {
            any = any || (steps::order.of_reduction[r] == I && detail::in_set(needed, r));
        }
        [&]<std::size_t... R>(std::index_sequence<R...>) {
            ((any = any || (steps::order.of_root[R] == I && std::get<R>(statements).output.size() > 0)), ...);
        }
        (roots{});
        return any;
    }
    template <int I, class Check>
    void take_step(const std::tuple<S...>& statements, bit_set needed, const Policy& policy, const T& target,
                   Check& check) {
        const auto own = steps::template statements<I>(statements, carried);
        check_step<I>(statements, own, roots{});
        if (is_needed<I>(statements, needed)) {
            auto& one = std::get<I>(step);
            one.emplace(own, policy, target, check);
            operand_bytes += one->operand_bytes;
        }
    }

    template <class Leaf>
    static bool overlaps_memory(const Shape& shape, const OperandLayout& written, const Leaf& leaf) {
        OperandLayout read = detail::layout_of(leaf);
        if constexpr (requires { leaf.source(); }) {
            read.stride = leaf.source().view.stride;
            return Leaf::in_memory && ranges_overlap(shape, written, leaf.source().view.shape, read);
        } else {
            return ranges_overlap(shape, written, leaf.shape(), read);
        }
    }
    /// What other steps write must not be read by a step beside or behind them, nor written by any. own: what step I does.
    template <int I, class Own, std::size_t... R>
    static void check_step(const std::tuple<S...>& statements, const Own& own, std::index_sequence<R...>) {
        (check_output<I, steps::order.of_root[R]>(std::get<R>(statements).output, own), ...);
    }
    template <int I, int Writer, class Output, class Own>
    static void check_output(const Output& output, const Own& own) {
        if constexpr (Writer != I) {
            const OperandLayout written = detail::layout_of(output);
            const auto refuse = [&]<class Leaf>(const Leaf& leaf) {
                if constexpr (Leaf::reads) {
                    if (overlaps_memory(output.shape(), written, leaf)) {
                        detail::throw_steps_overlap(Output::name_type::text, Leaf::name_type::text);
                    }
                }
            };
            std::apply(
                [&](const auto&... s) {
                    (refuse(s.output), ...);
                    if constexpr (steps::order.step[I].level >= steps::order.step[Writer].level) {
                        (detail::for_each_leaf(s.expression, refuse), ...);
                    }
                },
                own);
        }
    }
};

namespace detail {

template <bool InSteps, Target T, class... S>
struct preparation {
    using type = Prepared<T, S...>;
};
template <Target T, class... S>
struct preparation<true, T, S...> {
    using type = PreparedSteps<T, S...>;
};

/// Columns with several phases, which blocks can share only step by step.
template <Target T, class... S>
inline constexpr bool may_be_stepped = false;
template <class... S>
    requires(!Verdict<S...>::in_steps)
inline constexpr bool may_be_stepped<Device, S...> = program_facts<plan<S...>, Device>::value.shares_phases();

}  // namespace detail

/// What is launched for statements: one program, or the steps that it takes.
template <Target T, class... S>
using Preparation = typename detail::preparation<detail::Verdict<S...>::in_steps, T, S...>::type;

FUSE_END_NAMESPACE
