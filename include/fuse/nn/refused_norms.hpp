// SPDX-License-Identifier: Apache-2.0
//
// Norms along an axis that is given as a number, as PyTorch's dim: here axes are types. What is no temperature.
#pragma once

#include <concepts>

#include "fuse/lang/axes.hpp"
#include "fuse/lang/scalar.hpp"

#define FUSE_NUMBER_IN_SOFTMAX                                                                                         \
    "fuse: softmax and log_softmax take an expression, axes<...> and a temperature, which is a floating-point "        \
    "number: softmax(x, axes<1>, 2.0); one that is an expression divides, softmax(x / t)"
#define FUSE_NUMBER_FOR_AXES                                                                                           \
    "fuse: the axes of a norm are axes<...>, not a number: write softmax(x, axes<1>); an eps or a temperature is a "   \
    "floating-point number"

FUSE_BEGIN_NAMESPACE

namespace detail {
/// Neither axes, a temperature or both, nor an axis that is an integer.
template <class A, class... More>
inline constexpr bool no_norm_options =
    !std::integral<A> && !(sizeof...(More) == 1 && (std::floating_point<More> && ...));
template <class A>
inline constexpr bool no_norm_options<A> = !std::is_arithmetic_v<A> && !AxesOption<A>;
/// Scales and shifts, axes and an eps, in another order.
template <class A>
inline constexpr int place_in_norm = Expression<A>            ? 0
                                     : AxesOption<A>          ? 1
                                     : std::floating_point<A> ? 2
                                                              : 3;
template <class... A>
inline constexpr bool out_of_order_in_norm = [] {
    bool known = true;
    bool ordered = true;
    int last = 0;
    ((known = known && place_in_norm<A> < 3, ordered = ordered && place_in_norm<A> >= last, last = place_in_norm<A>),
     ...);
    return known && !ordered;
}();
}  // namespace detail

/// NORM(x, gamma, 1e-6, axes<1>), or NORM(x, axes<1>, gamma).
#define FUSE_REFUSE_ORDER_IN_NORM(NORM)                                                                                \
    template <Expression X, class... A>                                                                                \
        requires detail::out_of_order_in_norm<A...>                                                                    \
    auto NORM(const X&, const A&...) {                                                                                 \
        static_assert(sizeof(X) == 0, "fuse: a norm takes its scale and shift, then axes<...>, then an eps: "          \
                                      "layer_norm(x, gamma, beta, axes<1>, 1e-6)");                                    \
        return detail::refused();                                                                                      \
    }
FUSE_REFUSE_ORDER_IN_NORM(layer_norm)
FUSE_REFUSE_ORDER_IN_NORM(rms_norm)

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
    requires detail::no_norm_options<A, More...>
auto softmax(const X&, A, const More&...) {
    static_assert(sizeof(X) == 0, FUSE_NUMBER_IN_SOFTMAX);
    return detail::refused();
}
template <Expression X, class A, class... More>
    requires detail::no_norm_options<A, More...>
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

FUSE_END_NAMESPACE
