// SPDX-License-Identifier: Apache-2.0
//
// The sum of (x - m)^2, where m is the mean of x over the same axes, need not wait for m: squared deviations are folded
// together with the mean (ops/reductions/deviations.hpp). So where nothing holds the data on chip a variance is one
// reduction of x, and no second phase. Rows are held in most cases: they keep two phases, exact and for free.
#pragma once

#include "fuse/ops/reductions/deviations.hpp"
#include "fuse/plan/node_data.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class R>
inline constexpr bool is_mean = false;
template <class T, class Acc>
inline constexpr bool is_mean<MeanReduction<T, Acc>> = true;

/// What sums squares, or takes their mean, in floating point.
template <class R>
inline constexpr bool folds_squares = false;
template <class T, class Acc>
inline constexpr bool folds_squares<SumReduction<T, Acc>> = std::is_floating_point_v<accumulator_t<T, Acc>>;
template <class T, class Acc>
inline constexpr bool folds_squares<MeanReduction<T, Acc>> = std::is_floating_point_v<accumulator_t<T, Acc>>;
template <int Ddof, class T, class Acc>
inline constexpr bool folds_squares<MeanWithDofReduction<Ddof, T, Acc>> =
    std::is_floating_point_v<accumulator_t<T, Acc>>;

/// Whether folded axes are the innermost of those along which the operand varies, and not all of them.
constexpr bool folds_rows(std::uint32_t folded, std::uint32_t varies) {
    const std::uint32_t kept = varies & ~folded;
    return kept != 0 && kept < (folded & (~folded + 1U));
}

/// The reduction of E by R over axes along which it varies. mean: that which it does not need.
template <class R, class E, std::uint32_t Mask>
struct joined_fold {
    using type = ir::Reduction<R, E, Mask>;
};
template <class R, class M, class E, std::uint32_t Mask>
    requires(folds_squares<R>&& is_mean<M> && !folds_rows(Mask, varies<E>))
struct joined_fold<R, ir::Call<Square<>, stateless_id, ir::Call<Sub<>, stateless_id, E, ir::Reduction<M, E, Mask>>>,
                   Mask> {
    using type = ir::Reduction<DeviationsReduction<R>, E, Mask>;
    using mean = ir::Reduction<M, E, Mask>;
};

/// A sink that does not hear of one reduction (plan/lower.hpp).
template <class Sink, class Reduction>
struct WithoutReduction {
    Sink& sink;

    template <class Leaf, class View>
    void leaf(const View& view) {
        sink.template leaf<Leaf>(view);
    }
    template <class Leaf, class Scalar>
    void scalar(const Scalar& scalar) {
        sink.template scalar<Leaf>(scalar);
    }
    template <class Id, class F>
    void functor(const F& functor) {
        sink.template functor<Id>(functor);
    }
    template <class Other, std::uint64_t Axes, class Node>
    void reduction(const Node& node) {
        if constexpr (!std::is_same_v<Other, Reduction>) {
            sink.template reduction<Other, Axes>(node);
        }
    }
    auto& nodes() { return sink.nodes(); }
};

}  // namespace detail

FUSE_END_NAMESPACE
