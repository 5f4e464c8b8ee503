// SPDX-License-Identifier: Apache-2.0
//
// Channels: axis 1 of an operand of shape (n, channels, ...), as PyTorch has images. What batch_norm, instance_norm and
// group_norm share.
#pragma once

#include "fuse/lang/reductions.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <int First, class Sequence, int... Before>
struct axes_from;
template <int First, int... I, int... Before>
struct axes_from<First, std::integer_sequence<int, I...>, Before...> {
    using type = axes_t<Before..., (First + I)...>;
};
/// The axes of one channel of the whole batch.
template <class X>
using batch_axes = typename axes_from<2, std::make_integer_sequence<int, (X::rank < 2 ? 0 : X::rank - 2)>, 0>::type;
/// Those of one channel, or group of channels, of one sample.
template <class X>
using sample_axes = typename axes_from<2, std::make_integer_sequence<int, (X::rank < 2 ? 0 : X::rank - 2)>>::type;

/// e with axes of extent 1 behind its own.
template <int Count, class E>
constexpr auto before_axes(const E& e) {
    if constexpr (Count <= 0) {
        return e;
    } else {
        return before_axes<Count - 1>(expand_dims<E::rank>(e));
    }
}
/// An operand of shape (channels), along axis 1 of X.
template <class X, class E>
constexpr auto per_channel(const E& e) {
    return before_axes<(E::rank == 1 ? X::rank - 2 : 0)>(e);
}

/// What a norm has per channel.
template <class... E>
concept AllPerChannel = ((E::rank <= 1) && ...);

}  // namespace detail

FUSE_END_NAMESPACE

/// In the function that the user has called.
#define FUSE_CHECK_CHANNELS(X, ...)                                                                                    \
    static_assert(X::rank >= 2, "fuse: the input has shape (n, channels, ...)");                                       \
    static_assert(::fuse::detail::AllPerChannel<__VA_ARGS__>, "fuse: what there is per channel has shape (channels)")
#define FUSE_CHECK_POSITIONS(X, ...)                                                                                   \
    static_assert(X::rank >= 3,                                                                                        \
                  "fuse: the input has shape (n, channels, ...) with an axis of positions, or of the channels of a "   \
                  "group, behind those");                                                                              \
    static_assert(::fuse::detail::AllPerChannel<__VA_ARGS__>, "fuse: what there is per channel has shape (channels)")
