// SPDX-License-Identifier: Apache-2.0
//
// The activations of neural networks: each is a map of the functor of the same name in ops/. Names, defaults and
// semantics are those of torch.nn.functional.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/ops/ops.hpp"

FUSE_BEGIN_NAMESPACE

/// 1 / (1 + exp(-x))
template <Expression X>
constexpr map_t<Sigmoid<>, X> sigmoid(const X& x) {
    return detail::apply(Sigmoid<>{}, x);
}
/// x * (1 + erf(x / sqrt(2))) / 2 (Hendrycks and Gimpel 2016)
template <Expression X>
constexpr map_t<Gelu<>, X> gelu(const X& x) {
    return detail::apply(Gelu<>{}, x);
}
/// the tanh approximation of gelu (same paper)
template <Expression X>
constexpr map_t<GeluTanh<>, X> gelu_tanh(const X& x) {
    return detail::apply(GeluTanh<>{}, x);
}
/// max(x, 0); NaN stays NaN
template <Expression X>
constexpr map_t<Relu<>, X> relu(const X& x) {
    return detail::apply(Relu<>{}, x);
}
/// x * sigmoid(x)
template <Expression X>
constexpr map_t<Silu<>, X> silu(const X& x) {
    return detail::apply(Silu<>{}, x);
}
/// log(1 + exp(x)), without overflow
template <Expression X>
constexpr map_t<Softplus<>, X> softplus(const X& x) {
    return detail::apply(Softplus<>{}, x);
}
/// log(sigmoid(x))
template <Expression X>
constexpr map_t<LogSigmoid<>, X> logsigmoid(const X& x) {
    return detail::apply(LogSigmoid<>{}, x);
}
/// x where x > 0, else negative_slope * x
template <class X, class A = constant_t<1, 100>>
    requires Operands<X, A>
constexpr map_t<LeakyRelu<>, X, A> leaky_relu(const X& x, const A& negative_slope = {}) {
    return detail::apply(LeakyRelu<>{}, x, negative_slope);
}
/// x where x > 0, else alpha * (exp(x) - 1)
template <class X, class A = constant_t<1>>
    requires Operands<X, A>
constexpr map_t<Elu<>, X, A> elu(const X& x, const A& alpha = {}) {
    return detail::apply(Elu<>{}, x, alpha);
}
/// x where x > 0, else alpha * (exp(x / alpha) - 1)
template <class X, class A = constant_t<1>>
    requires Operands<X, A>
constexpr map_t<Celu<>, X, A> celu(const X& x, const A& alpha = {}) {
    return detail::apply(Celu<>{}, x, alpha);
}
/// 1.0507 * elu(x, 1.6733), the constants of Klambauer et al. 2017
template <Expression X>
constexpr map_t<Selu<>, X> selu(const X& x) {
    return detail::apply(Selu<>{}, x);
}
/// x * tanh(softplus(x))
template <Expression X>
constexpr map_t<Mish<>, X> mish(const X& x) {
    return detail::apply(Mish<>{}, x);
}
/// x * clamp(x + 3, 0, 6) / 6
template <Expression X>
constexpr map_t<HardSwish<>, X> hardswish(const X& x) {
    return detail::apply(HardSwish<>{}, x);
}
/// clamp(x + 3, 0, 6) / 6
template <Expression X>
constexpr map_t<HardSigmoid<>, X> hardsigmoid(const X& x) {
    return detail::apply(HardSigmoid<>{}, x);
}
/// x - tanh(x), accurate near 0
template <Expression X>
constexpr map_t<TanhShrink<>, X> tanhshrink(const X& x) {
    return detail::apply(TanhShrink<>{}, x);
}

FUSE_END_NAMESPACE
