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
#include "fuse/ops/reductions/pick.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"

#include <type_traits>
#include <utility>

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Op>
constexpr bool declared_commutative() {
    if constexpr (requires { Op::commutative; })
        return Op::commutative;
    return true;
}
template <class Op>
constexpr bool declared_has_index() {
    if constexpr (requires { Op::has_index; })
        return Op::has_index;
    return true;
}
template <class Op>
constexpr bool declared_has_identity() {
    if constexpr (requires { Op::has_identity; })
        return Op::has_identity;
    return true;
}
template <class Op>
constexpr const char* declared_name() {
    if constexpr (requires { Op::name; })
        return Op::name;
    return "reduce";
}

template <class Op, class T>
struct ValueTypeOf {
    using type = T;
};
template <class Op, class T>
    requires requires {
        typename Op::value_type;
    }
struct ValueTypeOf<Op, T> {
    using type = typename Op::value_type;
};

template <class Op>
concept Projects = requires(typename Op::accumulator a, index_t n) {
    Op{}.project(a, n);
};

/// `result` if the op declares it, else what its project returns, else the accumulator itself.
template <class Op>
struct ResultOf {
    using type = typename Op::accumulator;
};
template <Projects Op>
    requires(!requires { typename Op::result; })
struct ResultOf<Op> {
    using type =
        compute_t<std::remove_cvref_t<decltype(Op{}.project(std::declval<typename Op::accumulator>(), index_t{}))>>;
};
template <class Op>
    requires requires {
        typename Op::result;
    }
struct ResultOf<Op> {
    using type = typename Op::result;
};

template <class Op>
concept SelfReducing = requires {
    typename Op::accumulator;
};

/// Copied to the device, and made there where there is nothing to copy.
template <class Op>
inline constexpr bool copyable_op = std::is_trivially_copyable_v<Op>&& std::is_default_constructible_v<Op>;
template <class Op>
inline constexpr bool stateless = std::is_empty_v<Op>&& copyable_op<Op>;

}  // namespace detail

/// A user's reduction op with the optional parts of the protocol filled in. Empty if the op is. Its functions are called
/// on copies, as they need not be const.
template <class Op, class T>
struct CompletedReduction {
    using value_type = typename detail::ValueTypeOf<Op, T>::type;
    using accumulator = typename Op::accumulator;
    using result = typename detail::ResultOf<Op>::type;
    static constexpr const char* name = detail::declared_name<Op>();
    static constexpr bool commutative = detail::declared_commutative<Op>();
    static constexpr bool has_index = detail::declared_has_index<Op>();
    static constexpr bool has_identity = detail::declared_has_identity<Op>();

    FUSE_HD constexpr accumulator init() const { return Op(op).init(); }
    FUSE_HD constexpr accumulator leaf(value_type v, index_t i) const { return Op(op).leaf(v, i); }
    FUSE_HD constexpr accumulator reduce(accumulator a, value_type v, index_t i) const {
        if constexpr (requires { Op(op).reduce(a, v, i); }) {
            return Op(op).reduce(a, v, i);
        } else {
            return Op(op).combine(a, Op(op).leaf(v, i));
        }
    }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const { return Op(op).combine(a, b); }
    FUSE_HD constexpr result project(accumulator a, index_t n) const {
        if constexpr (detail::Projects<Op>) {
            return static_cast<result>(Op(op).project(a, n));
        } else {
            return a;
        }
    }

    [[no_unique_address]] Op op{};
};

namespace detail {

template <class F, class A>
concept HasIdentity = requires {
    F{}.identity();
}
|| requires {
    F{}.template identity<A>();
}
|| requires {
    static_cast<A>(F::identity);
};

template <class F, class A>
FUSE_HD constexpr A identity_of(const F& f) {
    if constexpr (requires { F(f).identity(); }) {
        return static_cast<A>(F(f).identity());
    } else if constexpr (requires { F(f).template identity<A>(); }) {
        return static_cast<A>(F(f).template identity<A>());
    } else {
        // Through a local constant: device code may not refer to a static member of class type.
        constexpr A identity = static_cast<A>(F::identity);
        return identity;
    }
}

}  // namespace detail

/// A binary functor with an identity, as a reduction op that accumulates in A. Empty if the functor is.
template <class F, class T, class A>
struct LiftedReduction : detail::BasicReduction<LiftedReduction<F, T, A>, T, A> {
    static constexpr const char* name = detail::declared_name<F>();
    static constexpr bool commutative = detail::declared_commutative<F>();

    FUSE_HD constexpr A init() const { return detail::identity_of<F, A>(f); }
    FUSE_HD constexpr A leaf(T v, index_t) const { return static_cast<A>(v); }
    FUSE_HD constexpr A reduce(A a, T v, index_t i) const { return combine(a, leaf(v, i)); }
    FUSE_HD constexpr A combine(A a, A b) const { return static_cast<A>(F(f)(a, b)); }

    [[no_unique_address]] F f{};
};

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
    elements,  ///< built in, for elements of other types
    accumulate,
    state,
    accumulator,
    project,
    value_type,
    order,
    identity,
    call
};

/// Of case 2. State: whether the op may have any.
template <class Op, class T, class Acc, bool State>
constexpr OpFault self_reducing_fault() {
    using value_type = typename ValueTypeOf<Op, T>::type;
    return !std::is_void_v<Acc>                                      ? OpFault::accumulate
           : ReductionOp<Op>                                         ? OpFault::none
           : !(State ? copyable_op<Op> : stateless<Op>)              ? OpFault::state
           : !std::is_trivially_copyable_v<typename Op::accumulator> ? OpFault::accumulator
                                                                     : !Projects<Op> && requires {
        &Op::project;
    }
    ? OpFault::project : !std::is_convertible_v<T, value_type> ? OpFault::value_type : OpFault::none;
}

/// Of case 3, accumulating in A.
template <class F, class A, bool State>
constexpr OpFault functor_fault() {
    if constexpr (!declared_associative<F>()) {
        return OpFault::order;
    } else if constexpr (!(State ? copyable_op<F> : stateless<F>)) {
        return OpFault::state;
    } else {
        return !HasIdentity<F, A>                 ? OpFault::identity
               : !folds<F, A>()                   ? OpFault::call
               : !std::is_trivially_copyable_v<A> ? OpFault::accumulator
                                                  : OpFault::none;
    }
}

template <class Op, class T, class Acc, bool State>
constexpr OpFault op_fault_of() {
    if constexpr (HasNamedReduction<Op, T, Acc>) {
        return std::is_empty_v<Op> ? OpFault::none : OpFault::state;
    } else if constexpr (HasNamedReduction<Op, int, void>) {
        return OpFault::elements;
    } else if constexpr (SelfReducing<Op>) {
        return self_reducing_fault<Op, T, Acc, State>();
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
