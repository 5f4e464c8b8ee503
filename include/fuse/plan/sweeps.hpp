// SPDX-License-Identifier: Apache-2.0
//
// The phases of a program as the sweeps of a kernel. As a rule each phase is a sweep of its own, as it needs the results
// of the one before. A sum of exp(x - m), where m is the maximum of x, does not: it is folded together with the maximum,
// shifted by the largest element so far and rescaled where a larger one comes (M. Milakov, N. Gimelshein, "Online
// normalizer calculation for softmax", arXiv:1805.02867). That saves softmax and logsumexp a sweep, for a few more
// exponentials; a kernel that keeps exp(x - m) for its output in registers is better off without.
#pragma once

#include "fuse/ops/functors/arithmetic.hpp"
#include "fuse/ops/functors/exponential.hpp"
#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"
#include "fuse/plan/program.hpp"

FUSE_BEGIN_NAMESPACE

/// The sum by R of exp(E - Shift), where Shift is a function of the maximum of E, reduction number Max of the phase before.
template <class R, class E, class Shift, int Max>
struct ShiftedSum {
    using reduction_op = R;
    using expression = E;
    using shift = Shift;
    static constexpr int max = Max;
};

/// A phase and the one behind it, whose sums are all shifted by maxima of the first. First: number of its first reduction.
template <class Maxima, class Sums, int First>
struct OnlinePhase {
    static constexpr int size = Maxima::size + Sums::size;
    static constexpr bool commutative = Maxima::commutative;
};

/// One sweep: its phase, the number of its first reduction, the leaves that it reads.
template <class Ph, int First, std::uint64_t Leaves>
struct Sweep {
    using phase = Ph;
    static constexpr int first = First;
    static constexpr std::uint64_t leaves = Leaves;
};

/// Number of the first reduction of phase I; I = number of phases gives that of the epilogue.
template <class P, int I>
inline constexpr int first_result = [] {
    if constexpr (I == 0) {
        return 0;
    } else {
        return first_result<P, I - 1> + at_t<typename P::phases, I - 1>::size;
    }
}();

namespace detail {

/// The one result that an expression of results, constants and functors without state reads; several: no such one.
inline constexpr int no_result = -1;
inline constexpr int several_results = -2;

template <class E>
inline constexpr int lone_result = several_results;
template <int I>
inline constexpr int lone_result<kir::Result<I>> = I;
template <class T, long Num, long Den>
inline constexpr int lone_result<kir::Constant<T, Num, Den>> = no_result;
template <class F, class... Args>
inline constexpr int lone_result<kir::Call<F, -1, Args...>> = [] {
    int found = no_result;
    const auto take = [&found](int result) {
        found = result == no_result || result == found ? found : found == no_result ? result : several_results;
    };
    (take(lone_result<Args>), ...);
    return found;
}();

template <class R, class E>
inline constexpr bool is_max_of = false;
template <std::floating_point T, class E, unsigned Along>
inline constexpr bool is_max_of<kir::Reduction<MaxReduction<T>, E, Along>, E> = true;

/// The ShiftedSum that a reduction is behind phase Ph with its first number; void: none.
template <class Ph, int First, class Reduction>
struct shifted_sum {
    using type = void;
};
template <class Ph, int First, std::floating_point T, class Acc, class E, class Shift, unsigned Along>
struct shifted_sum<Ph, First,
                   kir::Reduction<SumReduction<T, Acc>, kir::Call<Exp<>, -1, kir::Call<Sub<>, -1, E, Shift>>, Along>> {
    static constexpr int number = lone_result<Shift> - First;
    static constexpr bool matches = [] {
        if constexpr (lone_result<Shift> >= First && number < Ph::size) {
            return is_max_of<typename Ph::template at<number>, E>;
        } else {
            return false;
        }
    }();
    using type = std::conditional_t<matches, ShiftedSum<SumReduction<T, Acc>, E, Shift, number>, void>;
};

/// The second phase as a list of ShiftedSum; void where it is not one.
template <class Ph, int First, class Next>
struct shifted_sums;
template <class Ph, int First, class... R>
struct shifted_sums<Ph, First, Phase<R...>> {
    static constexpr bool all = (!std::is_void_v<typename shifted_sum<Ph, First, R>::type> && ...);
    using type = std::conditional_t<all, type_list<typename shifted_sum<Ph, First, R>::type...>, void>;
};

template <class P, bool Online, int I>
constexpr auto sweeps_from() {
    using stages = typename P::stages;
    if constexpr (I >= P::phases::size) {
        return type_list<>{};
    } else {
        using Ph = at_t<typename P::phases, I>;
        constexpr int first = first_result<P, I>;
        constexpr std::uint64_t leaves = at_t<stages, I>::reads::leaves;
        if constexpr (Online && I + 1 < P::phases::size) {
            using Sums = typename shifted_sums<Ph, first, at_t<typename P::phases, I + 1>>::type;
            if constexpr (!std::is_void_v<Sums>) {
                using Both = Sweep<OnlinePhase<Ph, Sums, first>, first, leaves | at_t<stages, I + 1>::reads::leaves>;
                return concat_t<type_list<Both>, decltype(sweeps_from<P, Online, I + 2>())>{};
            } else {
                return concat_t<type_list<Sweep<Ph, first, leaves>>, decltype(sweeps_from<P, Online, I + 1>())>{};
            }
        } else {
            return concat_t<type_list<Sweep<Ph, first, leaves>>, decltype(sweeps_from<P, Online, I + 1>())>{};
        }
    }
}

}  // namespace detail

/// The sweeps of program P over its walked axes, in order: type_list<Sweep<...>...>. Online: with two phases in one where
/// that is possible.
template <class P, bool Online>
using sweeps_t = decltype(detail::sweeps_from<P, Online, 0>());

/// Whether there are such.
template <class P>
inline constexpr bool online_program = sweeps_t<P, true>::size < P::phases::size;

FUSE_END_NAMESPACE
