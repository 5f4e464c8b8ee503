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
constexpr auto sigmoid(const X& x) {
    return apply(Sigmoid<>{}, x);
}
/// x * (1 + erf(x / sqrt(2))) / 2 (Hendrycks and Gimpel 2016)
template <Expression X>
constexpr auto gelu(const X& x) {
    return apply(Gelu<>{}, x);
}
/// the tanh approximation of gelu (same paper)
template <Expression X>
constexpr auto gelu_tanh(const X& x) {
    return apply(GeluTanh<>{}, x);
}
/// max(x, 0); NaN stays NaN
template <Expression X>
constexpr auto relu(const X& x) {
    return apply(Relu<>{}, x);
}
/// x * sigmoid(x)
template <Expression X>
constexpr auto silu(const X& x) {
    return apply(Silu<>{}, x);
}
/// log(1 + exp(x)), without overflow
template <Expression X>
constexpr auto softplus(const X& x) {
    return apply(Softplus<>{}, x);
}
/// log(sigmoid(x))
template <Expression X>
constexpr auto logsigmoid(const X& x) {
    return apply(LogSigmoid<>{}, x);
}
/// x where x > 0, else negative_slope * x
template <Expression X, OperandLike A = constant_t<1, 100>>
constexpr auto leaky_relu(const X& x, const A& negative_slope = {}) {
    return apply(LeakyRelu<>{}, x, negative_slope);
}
/// x where x > 0, else alpha * (exp(x) - 1)
template <Expression X, OperandLike A = constant_t<1>>
constexpr auto elu(const X& x, const A& alpha = {}) {
    return apply(Elu<>{}, x, alpha);
}
/// x where x > 0, else alpha * (exp(x / alpha) - 1)
template <Expression X, OperandLike A = constant_t<1>>
constexpr auto celu(const X& x, const A& alpha = {}) {
    return apply(Celu<>{}, x, alpha);
}
/// 1.0507 * elu(x, 1.6733), the constants of Klambauer et al. 2017
template <Expression X>
constexpr auto selu(const X& x) {
    return apply(Selu<>{}, x);
}
/// x * tanh(softplus(x))
template <Expression X>
constexpr auto mish(const X& x) {
    return apply(Mish<>{}, x);
}
/// x * clamp(x + 3, 0, 6) / 6
template <Expression X>
constexpr auto hardswish(const X& x) {
    return apply(HardSwish<>{}, x);
}
/// clamp(x + 3, 0, 6) / 6
template <Expression X>
constexpr auto hardsigmoid(const X& x) {
    return apply(HardSigmoid<>{}, x);
}
/// x - tanh(x), accurate near 0
template <Expression X>
constexpr auto tanhshrink(const X& x) {
    return apply(TanhShrink<>{}, x);
}

FUSE_END_NAMESPACE
