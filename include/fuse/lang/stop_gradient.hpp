// SPDX-License-Identifier: Apache-2.0
//
// stop_gradient(x): x, which gradient() (fuse/gradient.hpp) takes for a constant. softmax and its kin shift by such a
// maximum: their value does not depend on it.
#pragma once

#include "fuse/lang/part_at.hpp"
#include "fuse/lang/print.hpp"

FUSE_BEGIN_NAMESPACE

template <class E>
struct StopGradient : unary_node<E> {
    using unary_node<E>::unary_node;

    template <class X>
    constexpr auto with(const X& x) const {
        return StopGradient<X>(x);
    }
    FUSE_PART_AT(StopGradient)
    FUSE_RARE void print(Text& out) const { out << this->expression; }
};

/// The value of x, with derivative 0 (PyTorch's detach).
template <Expression E>
constexpr StopGradient<E> stop_gradient(const E& e) {
    return StopGradient<E>(e);
}

FUSE_END_NAMESPACE
