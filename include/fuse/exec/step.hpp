// SPDX-License-Identifier: Apache-2.0
//
// One of several steps (exec/steps.hpp), ready to be a part of a launch, and what is done to its operands: they are moved
// into the memory of the launch, and compared with those of another step.
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
    void reset() { has_value_ = false; }
    bool has_value() const { return has_value_; }
    T* operator->() { return reinterpret_cast<T*>(bytes_); }
    const T* operator->() const { return reinterpret_cast<const T*>(bytes_); }
    T& operator*() { return *operator->(); }
    const T& operator*() const { return *operator->(); }

private:
    static_assert(FUSE_IS_TRIVIALLY_DESTRUCTIBLE(T));
    alignas(T) unsigned char bytes_[sizeof(T)];
    bool has_value_ = false;
};

template <class View>
OperandLayout layout_of(const View& view) {
    return {view.strides(), reinterpret_cast<std::uintptr_t>(view.data()), sizeof(typename View::storage_type)};
}

[[noreturn]] FUSE_RARE inline void throw_steps_overlap(const char* output, const char* other) {
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
    Layout layout;
    Launch launch;
    Params<program> params{};
    int rows = -1;  ///< the step in whose walk along rows these columns are folded

    FUSE_COLD DeviceStep(const std::tuple<S...>& statements, const Policy& policy, const Device& device,
                         const Onlooker& onlooker) {
        Binding<plan_type, S...> binding(statements, onlooker);
        domain = binding.domain().extent;
        empty = binding.output_size() == 0;
        if (empty) {
            return;
        }
        if (launch_hook() != nullptr) {
            operand_bytes = binding.operand_bytes();
        }
        binding.check_elements();
        layout = make_layout(binding.domain(), family::facts::columns);
        layout.stretched = binding.stretched();
        layout.fill_size = binding.fill_size();
        note_vectors(binding.domain(), layout, family::facts::moving, family::facts::beside, family::facts::vector);
        launch = family::choose(layout, policy, device);
        params = binding.params(layout, launch.vector);
        share();
    }

    /// For blocks of another number of threads.
    FUSE_COLD void choose_again(const Policy& policy, const Device& device) {
        launch = family::choose(layout, policy, device);
        share();
    }

private:
    void share() {
        params.share = launch.share;
        params.group = static_cast<unsigned>(launch.group);
    }
};

/// Whether an operand of rows is, at each row and each position along it, that of columns under the same name.
template <class T, int K, int W, int K2, int W2>
bool is_same_operand(const Operand<T, K, W>& rows, const Operand<T, K2, W2>& columns, int row_dims) {
    bool same = rows.data == columns.data && rows.x == columns.x;
    for (int i = 1; same && i <= row_dims; ++i) {
        same = rows.kept[K - i] == columns.walked[W2 - i];
    }
    return same;
}
template <class Rows, class Columns>
bool is_same_operand(const Rows&, const Columns&, int) {
    return true;
}

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

}  // namespace detail

FUSE_END_NAMESPACE
