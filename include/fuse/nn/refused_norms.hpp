// SPDX-License-Identifier: Apache-2.0
//
// Norms along an axis that is given as a number, as PyTorch's dim: here axes are types. What is no temperature. And
// cross_entropy with what nn.hpp adds to it.
#pragma once

#include <concepts>

#include "fuse/lang/scalar.hpp"

#define FUSE_NUMBER_IN_SOFTMAX                                                                                         \
    "fuse: softmax and log_softmax take an expression, axes<...> and a temperature, which is a floating-point "        \
    "number: softmax(x, axes<1>, 2.0)"
#define FUSE_NUMBER_FOR_AXES                                                                                           \
    "fuse: the axes of a norm are axes<...>, not a number: write softmax(x, axes<1>); an eps or a temperature is a "   \
    "floating-point number"

FUSE_BEGIN_NAMESPACE

template <Expression X, std::integral A, class... More>
auto softmax(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, std::integral A, class... More>
auto log_softmax(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, class A, class... More>
    requires(!std::integral<A> && sizeof...(More) > 0 && !(sizeof...(More) == 1 && (std::floating_point<More> && ...)))
auto softmax(const X&, A, const More&...) {
    static_assert(sizeof(X) == 0, FUSE_NUMBER_IN_SOFTMAX);
    return detail::refused();
}
template <Expression X, class A, class... More>
    requires(!std::integral<A> && sizeof...(More) > 0 && !(sizeof...(More) == 1 && (std::floating_point<More> && ...)))
auto log_softmax(const X&, A, const More&...) {
    static_assert(sizeof(X) == 0, FUSE_NUMBER_IN_SOFTMAX);
    return detail::refused();
}
template <Expression X, std::integral A, class... More>
auto layer_norm(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, Expression G, std::integral A, class... More>
auto layer_norm(const X&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, Expression G, Expression B, std::integral A, class... More>
auto layer_norm(const X&, const G&, const B&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, std::integral A, class... More>
auto rms_norm(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, Expression G, std::integral A, class... More>
auto rms_norm(const X&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, std::integral A, class... More>
auto l2_normalize(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}

/// A text for a reduction, as PyTorch has it.
#define FUSE_REFUSE_TEXT(LOSS)                                                                                         \
    template <Expression X, class T, class A>                                                                          \
        requires std::is_array_v<A>                                                                                    \
    auto LOSS(const X&, const T&, const A&) {                                                                          \
        static_assert(                                                                                                 \
            sizeof(X) == 0,                                                                                            \
            "fuse: the reduction of a loss is reduction::mean, sum or none: mse_loss(x, t, reduction::sum)");          \
        return detail::refused();                                                                                      \
    }
FUSE_REFUSE_TEXT(mse_loss)
FUSE_REFUSE_TEXT(l1_loss)
FUSE_REFUSE_TEXT(huber_loss)
FUSE_REFUSE_TEXT(binary_cross_entropy_with_logits)
FUSE_REFUSE_TEXT(cross_entropy)
FUSE_REFUSE_TEXT(kl_div)
#undef FUSE_REFUSE_TEXT

template <Expression X, Expression T, std::integral A>
auto cross_entropy(const X&, const T&, A) {
    static_assert(sizeof(X) == 0,
                  "fuse: the class that cross_entropy ignores is a template argument: cross_entropy<-100>(x, t)");
    return detail::refused();
}
/// With weights it is that of cross_entropy.hpp, which is more constrained.
template <index_t IgnoreIndex = -100, Expression X, Expression T, Expression W, class... O>
constexpr auto cross_entropy(const X& input, const T&, const W&, O...) {
    static_assert(
        sizeof(X) == 0,
        "fuse: cross_entropy with weights of the classes needs fuse/nn.hpp; what follows them is a reduction, "
        "loss::label_smoothing or loss::z_loss");
    return input;
}

FUSE_END_NAMESPACE
