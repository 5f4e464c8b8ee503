// SPDX-License-Identifier: Apache-2.0
//
// From the op a user names to the reduction op that kernels run: `reduction_op_t<Op, T>`. In this order an op is
//     1. one that names its reduction op: a member template `reduction_op<T, Acc>` (Mean, ArgMax, ...), of itself or,
//        for a functor (Add<>, Max<>, ...), of FoldedBy
//     2. a reduction op itself: `accumulator`, `init`, `leaf`, `combine`; the rest of the protocol has defaults
//     3. a plain binary functor with an `identity`: a function, a template of the type, or a static constant
// and otherwise an error in one sentence (lang/refused_ops.hpp). 2 and 3 are taken to be commutative unless they declare
// `static constexpr bool commutative = false`. Ops of 2 and 3 may have state, which reduce carries (carried.hpp).
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/comparison.hpp"
#include "fuse/ops/functors/exponential.hpp"
#include "fuse/ops/reductions/arg_min_max.hpp"
#include "fuse/ops/reductions/logic.hpp"
#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/own_op.hpp"
#include "fuse/ops/reductions/pick.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"
#include "fuse/ops/types/scattered.hpp"

#include <type_traits>
#include <utility>

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Op>
constexpr bool declared_associative() {
    if constexpr (requires { Op::associative; })
        return Op::associative;
    return true;
}

template <class F, class A>
constexpr bool folds() {
    if constexpr (std::is_invocable_v<F, A, A>) {
        return std::is_convertible_v<std::invoke_result_t<F, A, A>, A>;
    } else {
        return false;
    }
}

template <class Op, class T, class Acc>
concept NamesReduction = requires {
    typename Op::template reduction_op<T, Acc>;
};

template <class Op, class T, class Acc>
concept HasNamedReduction = NamesReduction<FoldedBy<Op>, T, Acc> || NamesReduction<Op, T, Acc>;

/// Why Op is no reduction of elements of T.
enum class OpFault {
    none,
    scattered,  ///< elements of a compaction
    elements,   ///< built in, for elements of other types
    accumulate,
    state,
    no_accumulator,  ///< it does not name the type
    accumulator,
    init,
    leaf,
    combine,
    project,
    value_type,
    order,
    identity,
    call
};

/// Whether a member of an op of case 2 can be called, and gives an accumulator.
template <class Op>
concept Begins = requires(Op op) {
    { op.init() } -> std::convertible_to<typename Op::accumulator>;
};
template <class Op, class T>
concept TakesElement = requires(Op op, T v, index_t i) {
    { op.leaf(v, i) } -> std::convertible_to<typename Op::accumulator>;
};
template <class Op>
concept Combines = requires(Op op, typename Op::accumulator a) {
    { op.combine(a, a) } -> std::convertible_to<typename Op::accumulator>;
};
template <class Op>
concept HasProject = requires {
    &Op::project;
};
/// An op of case 2 but for the name of its accumulator.
template <class Op>
concept LacksAccumulator = requires(Op op) {
    op.init();
    &Op::combine;
};

template <class A>
inline constexpr bool kept_as_bytes = std::is_trivially_copyable_v<A>&& std::is_copy_assignable_v<A>;

/// Of case 2. State: whether the op may have any.
template <class Op, class T, class Acc, bool State>
constexpr OpFault self_reducing_fault() {
    using value_type = typename ValueTypeOf<Op, T>::type;
    return !std::is_void_v<Acc>                         ? OpFault::accumulate
           : ReductionOp<Op>                            ? OpFault::none
           : !(State ? copyable_op<Op> : stateless<Op>) ? OpFault::state
           : !kept_as_bytes<typename Op::accumulator>   ? OpFault::accumulator
           : !Projects<Op> && HasProject<Op>            ? OpFault::project
           : !std::is_convertible_v<T, value_type>      ? OpFault::value_type
           : !Begins<Op>                                ? OpFault::init
           : !TakesElement<Op, value_type>              ? OpFault::leaf
           : !Combines<Op>                              ? OpFault::combine
                                                        : OpFault::none;
}

/// Of case 3, accumulating in A.
template <class F, class A, bool State>
constexpr OpFault functor_fault() {
    if constexpr (!declared_associative<F>()) {
        return OpFault::order;
    } else if constexpr (!(State ? copyable_op<F> : stateless<F>)) {
        return OpFault::state;
    } else {
        return !HasIdentity<F, A>  ? OpFault::identity
               : !folds<F, A>()    ? OpFault::call
               : !kept_as_bytes<A> ? OpFault::accumulator
                                   : OpFault::none;
    }
}

template <class Op, class T, class Acc, bool State>
constexpr OpFault op_fault_of() {
    if constexpr (is_scattered<T>) {
        return OpFault::scattered;
    } else if constexpr (HasNamedReduction<Op, T, Acc>) {
        return std::is_empty_v<Op> ? OpFault::none : OpFault::state;
    } else if constexpr (HasNamedReduction<Op, int, void>) {
        return OpFault::elements;
    } else if constexpr (SelfReducing<Op>) {
        return self_reducing_fault<Op, T, Acc, State>();
    } else if constexpr (LacksAccumulator<Op>) {
        return OpFault::no_accumulator;
    } else {
        return functor_fault<Op, std::conditional_t<std::is_void_v<Acc>, T, Acc>, State>();
    }
}
template <class Op, class T, class Acc, bool State = false>
inline constexpr OpFault op_fault = op_fault_of<Op, T, Acc, State>();

/// After an error a count stands in, so that no second error follows.
template <class Op, class T, class Acc>
constexpr auto reduction_for() {
    if constexpr (NamesReduction<FoldedBy<Op>, T, Acc>) {
        return std::type_identity<typename FoldedBy<Op>::template reduction_op<T, Acc>>{};
    } else if constexpr (NamesReduction<Op, T, Acc>) {
        return std::type_identity<typename Op::template reduction_op<T, Acc>>{};
    } else if constexpr (op_fault<Op, T, Acc> != OpFault::none) {
        return std::type_identity<CountNonzeroReduction<bool>>{};
    } else if constexpr (ReductionOp<Op>) {
        return std::type_identity<Op>{};
    } else if constexpr (SelfReducing<Op>) {
        return std::type_identity<CompletedReduction<Op, T>>{};
    } else {
        return std::type_identity<LiftedReduction<Op, T, std::conditional_t<std::is_void_v<Acc>, T, Acc>>>{};
    }
}

}  // namespace detail

/// The reduction op that Op means for elements of T; Acc, if given, is the type to accumulate in.
template <class Op, class T, class Acc = void>
using reduction_op_t = typename decltype(detail::reduction_for<Op, compute_t<T>, Acc>())::type;

FUSE_END_NAMESPACE
