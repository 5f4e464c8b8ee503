// SPDX-License-Identifier: Apache-2.0
//
// cross_entropy with weights of the classes, label smoothing and z-loss, and of targets that are probabilities. Without
// any of them it is the function of classification_loss.hpp.
#pragma once

#include "fuse/lang/stop_gradient.hpp"
#include "fuse/nn/class_rows.hpp"
#include "fuse/nn/classification_loss.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The weights of a cross_entropy that has none.
struct NoWeight {};

/// What every row of logits is reduced to. The maximum first: everything else is of the distances from it, and what is
/// made of these does not change with it.
template <Expression X>
struct LogitRows {
    X x;
    constexpr auto highest() const { return stop_gradient(max(x, axes<1>)); }
    /// highest - x: not negative.
    constexpr auto below() const { return stop_gradient(max(x, axes<1>, keepdims)) - x; }
    constexpr auto log_total() const { return log(sum(exp(x - stop_gradient(max(x, axes<1>, keepdims))), axes<1>)); }
    /// The cross-entropy of uniform probabilities.
    constexpr auto uniform(NoWeight) const { return mean(below(), axes<1>) + log_total(); }
    template <Expression W>
    constexpr auto uniform(const W& w) const {
        const auto weights = along_classes<X::rank>(w);
        return mean(weights * below(), axes<1>) + mean(map(FirstOf{}, weights, x), axes<1>) * log_total();
    }
    /// Of the probabilities p. A class whose probability is 0 counts for nothing, also where its logit is -infinity; to the
    /// derivative with respect to p it counts.
    template <Expression P>
    constexpr auto of_probabilities(const P& p) const {
        const auto none = p == constant<0> && isinf(below());
        return sum(p * where(none, constant<0>, below()), axes<1>) + sum(p, axes<1>) * log_total();
    }
    constexpr auto square_of_logsumexp() const { return square(highest() + log_total()); }
};

/// hard, of which label_smoothing passes a part on to all classes.
template <class Rows, class E, class W, class... O>
constexpr auto smoothed(const Rows& rows, const E& hard, const W& w, const O&... options) {
    if constexpr (is_among<loss::label_smoothing, O...>) {
        const double part = option_of<loss::label_smoothing>(options...).value;
        return hard * (1 - part) + rows.uniform(w) * part;
    } else {
        return hard;
    }
}

/// `reduced` of the losses and of the z-losses of the rows.
template <class Rows, class E, class R, class... O>
constexpr auto with_z_loss(const Rows& rows, const E& reduced, const R& reduce_rows, const O&... options) {
    if constexpr (is_among<loss::z_loss, O...>) {
        return reduced + reduce_rows(rows.square_of_logsumexp()) * option_of<loss::z_loss>(options...).coefficient;
    } else {
        return reduced;
    }
}

template <index_t IgnoreIndex, class X, class T, class W, class... O>
constexpr auto cross_entropy_of_classes(const X& x, const T& t, const W& w, const O&... options) {
    using R = reduction_among<O...>;
    const LogitRows<X> rows{x};
    const auto counted = t != constant<IgnoreIndex>;
    const auto unweighted = rows.highest() - pick_class(x, t) + rows.log_total();
    const auto reduce_counted_rows = [&](const auto& each) {
        const auto rest = where(counted, each, constant<0>);
        if constexpr (std::same_as<R, reduction::mean_t>) {
            return sum(rest) / count_nonzero(map(FirstOf{}, counted, rows.highest()));
        } else {
            return reduce_loss(rest, R{});
        }
    };
    if constexpr (std::same_as<W, NoWeight>) {
        const auto each = smoothed(rows, unweighted, w, options...);
        return with_z_loss(rows, reduce_counted_rows(each), reduce_counted_rows, options...);
    } else {
        const auto scale = where(counted, pick_weight(w, x, t), constant<0>);
        const auto each = where(counted, smoothed(rows, unweighted * scale, w, options...), constant<0>);
        if constexpr (std::same_as<R, reduction::mean_t>) {
            return with_z_loss(rows, sum(each) / sum(scale), reduce_counted_rows, options...);
        } else {
            return with_z_loss(rows, reduce_loss(each, R{}), reduce_counted_rows, options...);
        }
    }
}

template <class X, class P, class W, class... O>
constexpr auto cross_entropy_of_probabilities(const X& x, const P& p, const W& w, const O&... options) {
    const LogitRows<X> rows{x};
    const auto reduce_rows = [](const auto& each) { return reduce_loss(each, reduction_among<O...>{}); };
    if constexpr (std::same_as<W, NoWeight>) {
        const auto each = smoothed(rows, rows.of_probabilities(p), w, options...);
        return with_z_loss(rows, reduce_rows(each), reduce_rows, options...);
    } else {
        const auto each = smoothed(rows, rows.of_probabilities(p * along_classes<X::rank>(w)), w, options...);
        return with_z_loss(rows, reduce_rows(each), reduce_rows, options...);
    }
}

template <index_t IgnoreIndex, class X, class T, class W, class... O>
constexpr auto cross_entropy_with(const X& x, const T& t, const W& w, const O&... options) {
    if constexpr (std::is_integral_v<value_t<T>>) {
        return cross_entropy_of_classes<IgnoreIndex>(x, t, w, options...);
    } else {
        return cross_entropy_of_probabilities(x, t, w, options...);
    }
}

/// What FUSE_CHECK_CROSS_ENTROPY checks of them.
template <class X, class T>
inline constexpr bool are_cross_entropy_targets = X::rank >= 2 &&
                                                  T::rank == X::rank - (std::is_integral_v<value_t<T>> ? 1 : 0);

}  // namespace detail

#define FUSE_CHECK_CROSS_ENTROPY(X, T, ...)                                                                            \
    static_assert(X::rank >= 2, "fuse: cross_entropy: the input has shape (n, classes)");                              \
    static_assert(X::rank < 2 || detail::are_cross_entropy_targets<X, T>,                                              \
                  "fuse: cross_entropy: class indices have the input's shape without the classes, probabilities that " \
                  "of the input");                                                                                     \
    static_assert(detail::LossOptions<loss::label_smoothing, loss::z_loss>::template allow<__VA_ARGS__>,               \
                  "fuse: cross_entropy takes a reduction, loss::label_smoothing(a) and loss::z_loss(c), each once")

/// The same with loss::label_smoothing(a): (1 - a) times the loss of the target plus a times the mean of the losses of
/// all classes (Szegedy et al., arXiv:1512.00567, sec. 7); and with loss::z_loss(c): plus c * logsumexp(input_i)^2. The
/// options follow in any order, the reduction among them.
template <index_t IgnoreIndex = -100, Expression X, Expression T, LossOption... O>
    requires((detail::is_among<loss::label_smoothing, O...> || detail::is_among<loss::z_loss, O...>))
constexpr auto cross_entropy(const X& input, const T& target, O... options) {
    FUSE_CHECK_CROSS_ENTROPY(X, T, O...);
    return detail::let_if<detail::are_cross_entropy_targets<X, T>>(
        detail::in_floating(input), target, [&](const auto& x, const auto& t) {
            return detail::cross_entropy_with<IgnoreIndex>(x, t, detail::NoWeight{}, options...);
        });
}

/// The same with a weight for each class, a vector, by which the losses are multiplied. The mean over rows with class
/// indices is their sum divided by the sum of the weights of the targets, as in torch.nn.functional.cross_entropy; a
/// target outside the classes gives NaN. The z-loss is not weighted: its mean is over the rows that count.
template <index_t IgnoreIndex = -100, Expression X, Expression T, Expression W, LossOption... O>
constexpr auto cross_entropy(const X& input, const T& target, const W& weight, O... options) {
    FUSE_CHECK_CROSS_ENTROPY(X, T, O...);
    FUSE_CHECK_CLASS_WEIGHTS(W, "cross_entropy");
    return detail::let_if<(detail::are_cross_entropy_targets<X, T> && W::rank == 1)>(
        detail::in_floating(input), target, detail::in_floating<W, X>(weight),
        [&](const auto& x, const auto& t, const auto& w) {
            return detail::cross_entropy_with<IgnoreIndex>(x, t, w, options...);
        });
}

/// -sum_c target_ic * log_softmax(input)_ic, the mean over the rows i. target: probabilities, of the input's shape. A
/// class of probability 0 counts for nothing even where its logit is -infinity (PyTorch: NaN).
template <index_t IgnoreIndex = -100, Expression X, Expression T, LossReduction R = reduction::mean_t>
    requires(std::is_floating_point_v<value_t<T>>)
constexpr auto cross_entropy(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_CROSS_ENTROPY(X, T, R);
    return detail::let_if<detail::are_cross_entropy_targets<X, T>>(
        detail::in_floating(input), target, [how](const auto& x, const auto& t) {
            return detail::cross_entropy_with<IgnoreIndex>(x, t, detail::NoWeight{}, how);
        });
}

FUSE_END_NAMESPACE
