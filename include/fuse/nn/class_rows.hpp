// SPDX-License-Identifier: Apache-2.0
//
// What losses of classes share: operands of shape (n, classes, ...), one target class per row, a weight for each class.
#pragma once

#include "fuse/nn/loss_options.hpp"
#include "fuse/ops/functors/selection.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A vector along the classes, axis 1 of Rank.
template <int Rank, Expression W>
constexpr auto along_classes(const W& w) {
    if constexpr (W::rank == Rank - 1) {
        return w;
    } else {
        return along_classes<Rank>(expand_dims<-1>(w));
    }
}

/// x[i, t[i]]: -infinity where the target is none of the classes.
template <Expression X, Expression T>
constexpr auto pick_class(const X& x, const T& t) {
    return reduce(PickOrNothing{}, map(WithIndex{}, x, expand_dims<1>(t)), axes<1>);
}
/// w[t[i]], 0 where the target is none of the classes. x lends the weights its place.
template <Expression W, Expression X, Expression T>
constexpr auto pick_weight(const W& w, const X& x, const T& t) {
    const auto weights = map(FirstOf{}, along_classes<X::rank>(w), x);
    return reduce(PickOrZero{}, map(WithIndex{}, weights, expand_dims<1>(t)), axes<1>);
}

/// What FUSE_CHECK_CLASS_TARGETS checks.
template <class X, class T>
inline constexpr bool are_class_targets = X::rank >= 2 && T::rank == X::rank - 1 && std::is_integral_v<value_t<T>>;

}  // namespace detail

#define FUSE_CHECK_CLASS_TARGETS(X, T, NAME)                                                                           \
    static_assert(X::rank >= 2, "fuse: " NAME ": the input has shape (n, classes)");                                   \
    static_assert(X::rank < 2 || T::rank == X::rank - 1,                                                               \
                  "fuse: " NAME ": the target has the input's shape without the classes");                             \
    static_assert(std::is_integral_v<value_t<T>>, "fuse: " NAME ": the target holds class indices, integers")
#define FUSE_CHECK_CLASS_WEIGHTS(W, NAME)                                                                              \
    static_assert(W::rank == 1, "fuse: " NAME ": the weight is a vector, one number for each class")

FUSE_END_NAMESPACE
