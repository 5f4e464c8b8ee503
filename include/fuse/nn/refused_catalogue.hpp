// SPDX-License-Identifier: Apache-2.0
//
// As refused_norms.hpp, of the norms that nn.hpp adds: axes that are given as a number, and an eps that is an integer.
#pragma once

#include "fuse/nn/refused_norms.hpp"

FUSE_BEGIN_NAMESPACE

template <Expression X, std::integral A, class... More>
auto softmin(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, Expression M, std::integral A>
auto masked_softmax(const X&, const M&, A) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <int Ddof = 0, Expression X, std::integral A>
auto standardize(const X&, A) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, std::integral A, class... More>
auto layer_norm_with_statistics(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression G, std::integral A, class... More>
auto layer_norm_with_statistics(const X&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression G, Expression B, std::integral A, class... More>
auto layer_norm_with_statistics(const X&, const G&, const B&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, std::integral A, class... More>
auto rms_norm_with_statistics(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression G, std::integral A, class... More>
auto rms_norm_with_statistics(const X&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, std::integral A, class... More>
auto add_layer_norm(const X&, const R&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, Expression G, std::integral A, class... More>
auto add_layer_norm(const X&, const R&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, Expression G, Expression B, std::integral A, class... More>
auto add_layer_norm(const X&, const R&, const G&, const B&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, std::integral A, class... More>
auto add_rms_norm(const X&, const R&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, Expression G, std::integral A, class... More>
auto add_rms_norm(const X&, const R&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, std::integral A>
auto instance_norm(const X&, A) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}

FUSE_END_NAMESPACE
