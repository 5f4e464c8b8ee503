// SPDX-License-Identifier: Apache-2.0
//
// The sweeps of kernels on a device that read rows again in each of them: what sums squared deviations from a mean of the
// phase before need not wait for that (ops/reductions/deviations.hpp), and is folded together with it. Where rows are
// held, two phases are exact, and for free; of columns and of everything lowering has joined them already
// (plan/deviations.hpp).
#pragma once

#include "fuse/plan/deviations.hpp"
#include "fuse/plan/leaf_sets.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What folds the same as a reduction behind phase Ph with its first number, and does not wait for a mean of that; void:
/// there is none.
template <class Ph, int First, class Reduction>
struct deviations_behind {
    using type = void;
};
template <class Ph, int First, class R, class E, int Mean, unsigned Along>
    requires(folds_squares<R>&& Mean >= First && Mean < First + Ph::size)
struct deviations_behind<
    Ph, First, kir::Reduction<R, kir::Call<Square<>, -1, kir::Call<Sub<>, -1, E, kir::Result<Mean>>>, Along>> {
    using before = typename Ph::template at<Mean - First>;
    static constexpr bool matches =
        is_mean<typename before::reduction_op> && std::is_same_v<typename before::expression, E>;
    using type = std::conditional_t<matches, kir::Reduction<DeviationsReduction<R>, E, Along>, void>;
};

/// Two sweeps as one; void where the second must wait.
template <class A, class B>
struct sweeps_as_one {
    using type = void;
};
template <class... A, int First, leaf_set Leaves, class... B, int Next, leaf_set NextLeaves>
struct sweeps_as_one<Sweep<Phase<A...>, First, Leaves>, Sweep<Phase<B...>, Next, NextLeaves>> {
    template <class R>
    using behind = typename deviations_behind<Phase<A...>, First, R>::type;
    using type = std::conditional_t<(!std::is_void_v<behind<B>> && ...),
                                    Sweep<Phase<A..., behind<B>...>, First, Leaves | NextLeaves>, void>;
};

template <class... S>
constexpr auto joined_sweeps(type_list<S...> sweeps) {
    return sweeps;
}
template <class A, class B, class... S>
constexpr auto joined_sweeps(type_list<A, B, S...>) {
    using both = typename sweeps_as_one<A, B>::type;
    if constexpr (std::is_void_v<both>) {
        return concat_t<type_list<A>, decltype(joined_sweeps(type_list<B, S...>{}))>{};
    } else {
        return concat_t<type_list<both>, decltype(joined_sweeps(type_list<S...>{}))>{};
    }
}

/// Outputs that are written while the last phase is folded may wait for the one before.
template <class P>
constexpr auto rereading_sweeps() {
    if constexpr (leaf_sets<P>::writes_early) {
        return sweeps_t<P, true>{};
    } else {
        return joined_sweeps(sweeps_t<P, true>{});
    }
}

}  // namespace detail

template <class P>
using rereading_sweeps_t = decltype(detail::rereading_sweeps<P>());

/// All that a kernel with these sweeps may fold: where operands are stretched it takes each phase by itself.
template <class P, class Sweeps>
using possible_sweeps_t = std::conditional_t<P::stretches, concat_t<Sweeps, sweeps_t<P, false>>, Sweeps>;

FUSE_END_NAMESPACE
