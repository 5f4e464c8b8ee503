// SPDX-License-Identifier: Apache-2.0
//
// What a loss does with its elements: PyTorch's argument reduction='mean' | 'sum' | 'none' | 'batchmean', as
// types.
#pragma once

#include "fuse/lang/reductions.hpp"
#include "fuse/lang/shape.hpp"

/// What a map says of containers and arrays, in the loss that the user calls, so that it comes early: a macro, because
/// static_assert takes no text but a literal.
#define FUSE_CHECK_OPERANDS(...)                                                                                       \
    static_assert(!detail::any_no_operand<__VA_ARGS__>,                                                                \
                  "fuse: a container is not an operand: a view of it is, x + view<\"v\">(v)")

FUSE_BEGIN_NAMESPACE

namespace reduction {

/// The mean over all elements: the default of every loss, as in PyTorch.
struct mean_t {};
inline constexpr mean_t mean{};
struct sum_t {};
inline constexpr sum_t sum{};
/// One loss per element.
struct none_t {};
inline constexpr none_t none{};
/// The sum divided by the extent of the first axis.
struct batchmean_t {};
inline constexpr batchmean_t batchmean{};

}  // namespace reduction

template <class R>
concept LossReduction =
    std::same_as<R, reduction::mean_t> || std::same_as<R, reduction::sum_t> || std::same_as<R, reduction::none_t>;

namespace detail {

template <class... A>
inline constexpr bool any_no_operand = (NoOperand<A> || ...);

/// Whether operands of these types, some of which may be numbers, have a first axis to count where R does.
template <class R, class... A>
inline constexpr bool has_batch = !std::same_as<R, reduction::batchmean_t> || largest(rank_v<node_t<void, A>>...) > 0;

template <Expression E>
constexpr auto reduce_loss(const E& loss, reduction::mean_t) {
    return mean(loss);
}
template <Expression E>
constexpr auto reduce_loss(const E& loss, reduction::sum_t) {
    return sum(loss);
}
template <Expression E>
constexpr auto reduce_loss(const E& loss, reduction::none_t) {
    return loss;
}
template <Expression E>
auto reduce_loss(const E& loss, reduction::batchmean_t) {
    return sum(loss) / static_cast<double>(shape_of(loss)[0]);
}

}  // namespace detail

FUSE_END_NAMESPACE
