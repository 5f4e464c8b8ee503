// SPDX-License-Identifier: Apache-2.0
//
// reduce(op, x, axes<...>, keepdims, accumulate<T>): folds axes of an expression with a reduction op.
#pragma once

#include <bit>

#include "fuse/lang/axes.hpp"
#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/refused_ops.hpp"
#include "fuse/ops/reductions/carried.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The axes in `mask` are reduced: kept with extent 1, or dropped.
FUSE_COLD constexpr Shape reduced_shape(const Shape& operand, std::uint32_t mask, bool keep) {
    Shape s;
    for (int i = 0; i < operand.rank; ++i) {
        const bool reduced = ((mask >> i) & 1U) != 0;
        if (!reduced || keep) {
            s[s.rank++] = reduced ? 1 : operand[i];
        }
    }
    return s;
}

/// In place of Acc: of no elements the result is what the op begins with, though it has no identity for users.
template <class Acc>
struct or_initial {};
template <class Acc>
struct accumulation {
    using type = Acc;
    static constexpr bool of_nothing = false;
};
template <class Acc>
struct accumulation<or_initial<Acc>> {
    using type = Acc;
    static constexpr bool of_nothing = true;
};

}  // namespace detail

/// Op folded over the axes in Mask (bit i = axis i of E). Keep: the axes stay with extent 1.
/// Acc: accumulator type, or void for the default of the op.
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct Reduce : unary_node<E> {
    using unary_node<E>::unary_node;
    using op_type = Op;
    using reduction_op = reduction_op_t<Op, value_t<E>, typename detail::accumulation<Acc>::type>;
    static constexpr bool of_nothing = detail::accumulation<Acc>::of_nothing;
    using value_type = typename reduction_op::result;
    static constexpr std::uint32_t mask = Mask;
    static constexpr bool keeps = Keep;
    static constexpr int rank = Keep ? E::rank : E::rank - std::popcount(Mask);
    static constexpr bool counts = false;
    static constexpr bool own_coordinates = true;

    static constexpr Shape result_shape(const Shape& operand) { return detail::reduced_shape(operand, Mask, Keep); }
    static constexpr AxisMap result_axes(const AxisMap& operand) {
        AxisMap m;
        m.consistent = operand.consistent;
        for (int i = 0; i < operand.rank; ++i) {
            if (Keep || !folds(i)) {
                m.axis[m.rank++] = operand.axis[i];
            }
        }
        return m;
    }
    /// What the operand knows, then what the result knows, then what is likely; no axis of the domain twice.
    template <class Likely>
    static constexpr AxisMap operand_axes(const AxisMap& own, const AxisMap& known) {
        AxisMap m = known;
        int next = 0;
        for (int i = 0; i < m.rank; ++i) {
            if (Keep || !folds(i)) {
                const int from_result = own.axis[next++];
                if (m.axis[i] == AxisMap::open) {
                    m.axis[i] = from_result;
                } else if (!folds(i) && m.axis[i] != from_result) {
                    m.consistent = false;
                }
            }
        }
        m.fill_apart(Likely::value, Likely::domain);
        for (int i = 0; i < m.rank; ++i) {
            for (int j = 0; j < i; ++j) {
                m.consistent = m.consistent && m.axis[i] != m.axis[j];
            }
        }
        return m;
    }

    template <class X>
    constexpr auto with(const X& x) const {
        return Reduce<Op, X, Mask, Keep, Acc>(x);
    }
    FUSE_PART_AT(Reduce)
    FUSE_RARE void print(Text& out) const {
        out << detail::reduction_name<reduction_op>() << "(";
        detail::print_argument(out, detail::erase(this->expression));
        if (Mask != (1U << E::rank) - 1U) {
            detail::print_axes(out, Mask, E::rank);
        }
        if constexpr (requires { reduction_op::ignoring_nan; }) {
            out << ", nan::ignore";
        }
        if constexpr (requires { reduction_op::ddof; }) {
            out << ", ddof = " << reduction_op::ddof;
        }
        out << (Keep ? ", keepdims)" : ")");
    }

private:
    static constexpr bool folds(int axis) { return ((Mask >> axis) & 1U) != 0; }
};

namespace detail {

template <class Op, class Options, bool Keep, class Acc = typename Options::accumulator, Expression E>
constexpr auto make_reduce(const E& e) {
    if constexpr (E::rank == 0 && E::counts) {
        return Scalar<value_t<E>, unnamed>(value_t<E>());  // refused by the function called; no second error follows
    } else if constexpr (E::rank == 0) {
        // Along an axis of one element, with all rules that there are for reductions.
        return Reduce<Op, ExpandDims<0, E>, 1U, false, Acc>(expand_dims<0>(e));
    } else {
        return Reduce<Op, E, Options::axes::template mask<E::rank>(), Keep, Acc>(e);
    }
}

/// By an op with state.
template <class Options, bool Keep, class Op, Expression E>
constexpr auto make_carried_reduce(const Op& op, const E& e) {
    if constexpr (E::rank == 0 && !E::counts) {
        return make_carried_reduce<Options, false>(op, expand_dims<0>(e));
    } else {
        const auto r = completed<Op, compute_t<value_t<E>>, typename Options::accumulator>(op);
        using R = std::remove_const_t<decltype(r)>;
        using Carried = CarriedReduction<R>;
        return map(ProjectByOp<R>{r}, make_reduce<Carried, Options, Keep, void>(map(AttachOp<R>{r}, e)));
    }
}

}  // namespace detail

/// e folded by op, an object of one of the kinds of ops/reductions/reduction.hpp. Its state, a level or a temperature, is
/// copied into the kernel; an op without any is its type alone.
template <class Op, Expression E, class... Options>
constexpr auto reduce(const Op& op, const E& e, Options...) {
    FUSE_CHECK_REDUCTION(E, Options);
    using O = reduce_options<Options...>;
    FUSE_CHECK_OP(Op, value_t<E>, typename O::accumulator, true);
    using detail::OpFault;
    constexpr bool sound = detail::op_fault<Op, value_t<E>, typename O::accumulator, true> == OpFault::none;
    if constexpr (std::is_empty_v<Op> || !sound) {
        return detail::make_reduce<Op, O, O::keep>(e);
    } else {
        return detail::make_carried_reduce<O, O::keep>(op, e);
    }
}

FUSE_END_NAMESPACE
