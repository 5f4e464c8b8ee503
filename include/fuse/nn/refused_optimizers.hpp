// SPDX-License-Identifier: Apache-2.0
//
// A learning rate that stands beside the options instead of among them, and arrays among the operands of an optimizer.
#pragma once

#include <concepts>

#include "fuse/lang/scalar.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class... A>
inline constexpr bool any_array = (false || ... || NoOperand<A>);
/// A floating-point number elsewhere than where the step stands, which may be one.
template <int Step, class... A>
constexpr bool any_rate() {
    [[maybe_unused]] int at = 0;
    return (false || ... || (at++ != Step && std::floating_point<A>));
}

}  // namespace detail

#define FUSE_REFUSE_OPTIMIZER(FUNCTION, STEP)                                                                          \
    template <class... A>                                                                                              \
        requires(detail::any_array<A...> || detail::any_rate<STEP, A...>())                                            \
    auto FUNCTION(const A&...) {                                                                                       \
        static_assert(!detail::any_array<A...>,                                                                        \
                      "fuse: an array is not an operand: a view of it is, view<\"p\">(t); a learning rate is a view "  \
                      "of one number, view<\"lr\">(t.data(), fuse::shape())");                                         \
        static_assert(detail::any_array<A...>,                                                                         \
                      "fuse: a learning rate that is a number stands among the options of an optimizer, {.lr = 0.1}"); \
        return detail::refused();                                                                                      \
    }
FUSE_REFUSE_OPTIMIZER(sgd, 3)
FUSE_REFUSE_OPTIMIZER(adam, 4)
FUSE_REFUSE_OPTIMIZER(adamw, 4)
FUSE_REFUSE_OPTIMIZER(lion, -1)
#undef FUSE_REFUSE_OPTIMIZER

FUSE_END_NAMESPACE
