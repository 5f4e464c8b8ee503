// SPDX-License-Identifier: Apache-2.0
//
// A user's reduction op, or binary functor with an identity, as a reduction op with all that the protocol of
// reduction_base.hpp asks for.
#pragma once

#include <type_traits>
#include <utility>

#include "fuse/ops/reductions/reduction_base.hpp"
#include "fuse/ops/types/compute_type.hpp"

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
inline constexpr bool copyable_op = std::is_trivially_copyable_v<Op>&& std::is_default_constructible_v<Op> &&
                                    (std::is_empty_v<Op> || std::is_copy_assignable_v<Op>);
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
            return static_cast<result>(a);
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

FUSE_END_NAMESPACE
