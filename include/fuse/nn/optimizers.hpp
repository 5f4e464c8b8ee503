// SPDX-License-Identifier: Apache-2.0
//
// Steps of optimizers: what the parameters and the moments are after a step, as expressions of one eval that reads each
// of them, and the gradient, once, and writes over them or elsewhere:
//
//   auto [param, exp_avg, exp_avg_sq] = adamw(p, grad, m, v, step, {.lr = 3e-4});
//   eval(cuda, p = param, m = exp_avg, v = exp_avg_sq);
//
// Members, names of options and their defaults are those of torch.optim; the moments start as zeros, `step` counts from
// 1, and numbers that depend on it alone are computed on the host, in double. Views that are named are read once. A
// learning rate that a schedule computes on the device is an expression before the options, in place of their lr. Options
// that torch.optim refuses throw argument_error (optimizer_options.hpp).
#pragma once

#include <cmath>

#include "fuse/lang/math.hpp"
#include "fuse/lang/operators.hpp"
#include "fuse/lang/selection.hpp"
#include "fuse/nn/optimizer_options.hpp"

// In every overload: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_RATE(L)                                                                                             \
    static_assert(L::rank == 0 && std::is_floating_point_v<value_t<L>>,                                                \
                  "fuse: the learning rate of an optimizer is a number among its options, or a floating-point scalar " \
                  "expression, such as a view of one number, view<\"lr\">(p, fuse::shape())")
#define FUSE_CHECK_STEP(S)                                                                                             \
    static_assert(detail::is_step<S>, "fuse: the step of an optimizer is an integer, or a scalar expression of one")

FUSE_BEGIN_NAMESPACE

template <class Param, class Buffer>
struct SgdStep {
    Param param;
    Buffer momentum_buffer;
};
template <class Param, class First, class Second>
struct AdamStep {
    Param param;
    First exp_avg;      ///< the mean of the gradient
    Second exp_avg_sq;  ///< and of its square
};
template <class Param, class First>
struct LionStep {
    Param param;
    First exp_avg;
};

namespace detail {

template <class P, class B>
constexpr SgdStep<P, B> sgd_step(const P& param, const B& buffer) {
    return {param, buffer};
}
template <class P, class M>
constexpr LionStep<P, M> lion_step(const P& param, const M& exp_avg) {
    return {param, exp_avg};
}

/// beta * old + (1 - beta) * now
template <class Old, class Now>
constexpr auto moving_average(const Old& old, const Now& now, double beta) {
    return old * beta + now * (1 - beta);
}

template <class P, class M, class V>
constexpr AdamStep<P, M, V> adam_step(const P& param, const M& exp_avg, const V& exp_avg_sq) {
    return {param, exp_avg, exp_avg_sq};
}

/// 1 - beta^step: of a number on the host, of an expression in the type of the moments, without the cancellation.
template <class V>
double bias_correction(double beta, index_t step) {
    return 1 - std::pow(beta, static_cast<double>(step));
}
template <class V, Expression S>
auto bias_correction(double beta, const S& step) {
    return -expm1(cast<V>(step) * std::log(beta));
}
inline double reciprocal_root(double x) {
    return 1 / std::sqrt(x);
}
template <Expression X>
auto reciprocal_root(const X& x) {
    return rsqrt(x);
}

/// How far Adam goes: step_size * m / (sqrt(v) / sqrt(1 - beta2^step) + eps), m and v being those after the step.
template <class O, class M, class V, class S, class L>
auto adam_way(const M& exp_avg, const V& exp_avg_sq, const S& step, const L& lr, const O& o) {
    using T = value_t<V>;
    const auto root = reciprocal_root(bias_correction<T>(o.beta2, step));
    return exp_avg / (sqrt(exp_avg_sq) * root + o.eps) * (lr / bias_correction<T>(o.beta1, step));
}

template <class S>
inline constexpr bool is_step = std::is_arithmetic_v<S>;
template <Expression S>
inline constexpr bool is_step<S> = S::rank == 0 && std::is_integral_v<value_t<S>>;

FUSE_COLD inline void check_step(index_t step) {
    if (step < 1) {
        throw argument_error(Text() << "the steps of an optimizer count from 1, and this is step " << step);
    }
}
template <Expression S>
void check_step(const S&) {}

/// A learning rate in the type that parameters are computed in.
template <class P, Expression L>
auto rate_of(const L& lr) {
    return cast<value_t<P>>(lr);
}

/// grad + weight_decay * param. Without decay the gradient, chosen: of an infinite parameter 0 times it would be NaN.
template <class G, class P>
auto with_decay(const G& grad, const P& param, double weight_decay) {
    return let(grad, [=](const auto& g) { return where(scalar(weight_decay != 0), g + param * weight_decay, g); });
}

/// lr in the following: a number or a scalar expression.
template <class P, class G, class L>
auto sgd_with(const P& param, const G& grad, const L& lr, const SgdOptions& o) {
    check_options("sgd", o);
    if (o.momentum != 0 || o.nesterov) {
        throw argument_error(
            Text() << "sgd with momentum takes a momentum buffer: sgd(p, grad, buffer, step, options)");
    }
    return let(param, [=](const auto& p) { return p - with_decay(grad, p, o.weight_decay) * lr; });
}
template <class P, class G, class B, class L>
auto sgd_with(const P& param, const G& grad, const B& buffer, index_t step, const L& lr, const SgdOptions& o) {
    check_step(step);
    check_options("sgd", o);
    if (o.nesterov && (o.momentum <= 0 || o.dampening != 0)) {
        throw argument_error(Text() << "sgd: nesterov needs a momentum above 0 and no dampening");
    }
    // Chosen, not multiplied by 0: whatever a new buffer holds.
    const auto first = scalar(step == 1 || o.momentum == 0);
    const auto next = [=](const auto& g) { return where(first, g, buffer * o.momentum + g * (1 - o.dampening)); };
    const auto updated = let(param, [=](const auto& p) {
        return p - let(with_decay(grad, p, o.weight_decay), [=](const auto& g) {
                   return let(next(g),
                              [=](const auto& b) { return where(scalar(o.nesterov), g + b * o.momentum, b) * lr; });
               });
    });
    return sgd_step(updated, let(with_decay(grad, param, o.weight_decay), next));
}
template <class P, class G, class M, class V, class S, class L>
auto adam_with(const P& param, const G& grad, const M& exp_avg, const V& exp_avg_sq, const S& step, const L& lr,
               const AdamOptions& o) {
    check_step(step);
    check_options("adam", o);
    const auto first = [=](const auto& g) { return moving_average(exp_avg, g, o.beta1); };
    const auto second = [=](const auto& g) { return moving_average(exp_avg_sq, square(g), o.beta2); };
    const auto decayed = with_decay(grad, param, o.weight_decay);
    const auto updated = let(param, [=](const auto& p) {
        return p - let(with_decay(grad, p, o.weight_decay),
                       [=](const auto& g) { return adam_way(first(g), second(g), step, lr, o); });
    });
    return adam_step(updated, first(decayed), second(decayed));
}
template <class P, class G, class M, class V, class S, class L>
auto adamw_with(const P& param, const G& grad, const M& exp_avg, const V& exp_avg_sq, const S& step, const L& lr,
                const AdamWOptions& o) {
    check_step(step);
    check_options("adamw", o);
    const auto first = [=](const auto& g) { return moving_average(exp_avg, g, o.beta1); };
    const auto second = [=](const auto& g) { return moving_average(exp_avg_sq, square(g), o.beta2); };
    const auto updated = param * (1 - lr * o.weight_decay) -
                         let(grad, [=](const auto& g) { return adam_way(first(g), second(g), step, lr, o); });
    return adam_step(updated, first(grad), second(grad));
}
template <class P, class G, class M, class L>
auto lion_with(const P& param, const G& grad, const M& exp_avg, const L& lr, const LionOptions& o) {
    check_options("lion", o);
    return lion_step(param * (1 - lr * o.weight_decay) - sign(moving_average(exp_avg, grad, o.beta1)) * lr,
                     moving_average(exp_avg, grad, o.beta2));
}

}  // namespace detail

/// Without momentum: param - lr * (grad + weight_decay * param). As torch.optim.SGD.
template <Expression P, Expression G>
auto sgd(const P& param, const G& grad, const SgdOptions& o = {}) {
    return detail::sgd_with(param, grad, o.lr, o);
}
template <Expression P, Expression G, Expression L>
auto sgd(const P& param, const G& grad, const L& lr, const SgdOptions& o = {}) {
    FUSE_CHECK_RATE(L);
    return detail::sgd_with(param, grad, detail::rate_of<P>(lr), o);
}
/// {param, momentum_buffer}: with g = grad + weight_decay * param the buffer becomes momentum * buffer + (1 -
/// dampening) * g, and g in step 1; the parameters go by lr times it, or times g + momentum * it with nesterov. As
/// torch.optim.SGD; Sutskever et al., "On the importance of initialization and momentum in deep learning", ICML 2013.
/// Throws argument_error for a step below 1.
template <Expression P, Expression G, Expression B>
auto sgd(const P& param, const G& grad, const B& buffer, index_t step, const SgdOptions& o = {}) {
    return detail::sgd_with(param, grad, buffer, step, o.lr, o);
}
template <Expression P, Expression G, Expression B, Expression L>
auto sgd(const P& param, const G& grad, const B& buffer, index_t step, const L& lr, const SgdOptions& o = {}) {
    FUSE_CHECK_RATE(L);
    return detail::sgd_with(param, grad, buffer, step, detail::rate_of<P>(lr), o);
}

/// {param, exp_avg, exp_avg_sq}: Kingma, Ba, "Adam", arXiv:1412.6980, algorithm 1; weight_decay * param is added to the
/// gradient. As torch.optim.Adam. The step is a number or, so that a captured CUDA graph can count, a scalar
/// expression, such as a view of one integer. Throws argument_error for a number below 1.
template <Expression P, Expression G, Expression M, Expression V, class S>
auto adam(const P& param, const G& grad, const M& exp_avg, const V& exp_avg_sq, const S& step,
          const AdamOptions& o = {}) {
    FUSE_CHECK_STEP(S);
    return detail::adam_with(param, grad, exp_avg, exp_avg_sq, step, o.lr, o);
}
template <Expression P, Expression G, Expression M, Expression V, class S, Expression L>
auto adam(const P& param, const G& grad, const M& exp_avg, const V& exp_avg_sq, const S& step, const L& lr,
          const AdamOptions& o = {}) {
    FUSE_CHECK_RATE(L);
    FUSE_CHECK_STEP(S);
    return detail::adam_with(param, grad, exp_avg, exp_avg_sq, step, detail::rate_of<P>(lr), o);
}
/// The same with the decay apart from the gradient, param * (1 - lr * weight_decay): Loshchilov, Hutter, "Decoupled
/// Weight Decay Regularization", arXiv:1711.05101, algorithm 2. As torch.optim.AdamW.
template <Expression P, Expression G, Expression M, Expression V, class S>
auto adamw(const P& param, const G& grad, const M& exp_avg, const V& exp_avg_sq, const S& step,
           const AdamWOptions& o = {}) {
    FUSE_CHECK_STEP(S);
    return detail::adamw_with(param, grad, exp_avg, exp_avg_sq, step, o.lr, o);
}
template <Expression P, Expression G, Expression M, Expression V, class S, Expression L>
auto adamw(const P& param, const G& grad, const M& exp_avg, const V& exp_avg_sq, const S& step, const L& lr,
           const AdamWOptions& o = {}) {
    FUSE_CHECK_RATE(L);
    FUSE_CHECK_STEP(S);
    return detail::adamw_with(param, grad, exp_avg, exp_avg_sq, step, detail::rate_of<P>(lr), o);
}

/// {param, exp_avg}: Chen et al., "Symbolic Discovery of Optimization Algorithms", arXiv:2302.06675, algorithm 2: param
/// * (1 - lr * weight_decay) - lr * sign(beta1 * exp_avg + (1 - beta1) * grad), and then the moment with beta2. Options
/// are those of the authors.
template <Expression P, Expression G, Expression M>
auto lion(const P& param, const G& grad, const M& exp_avg, const LionOptions& o = {}) {
    return detail::lion_with(param, grad, exp_avg, o.lr, o);
}
template <Expression P, Expression G, Expression M, Expression L>
auto lion(const P& param, const G& grad, const M& exp_avg, const L& lr, const LionOptions& o = {}) {
    FUSE_CHECK_RATE(L);
    return detail::lion_with(param, grad, exp_avg, detail::rate_of<P>(lr), o);
}

FUSE_END_NAMESPACE
