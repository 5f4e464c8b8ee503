// SPDX-License-Identifier: Apache-2.0
//
// broadcast(a, b) packs operands for a map: map(Square<>{}, broadcast(a, b)). Not a node.
#pragma once

#include "fuse/lang/map.hpp"

FUSE_BEGIN_NAMESPACE

/// Operands that will meet in one map.
template <class... Args>
struct Broadcast {
    Tuple<Args...> args;
};

template <class... A>
    requires Operands<A...>
constexpr auto broadcast(const A&... a) {
    return Broadcast<decltype(detail::as_node<void>(a))...>{{{detail::as_node<void>(a)}...}};
}

template <class F, class... Args>
constexpr auto map(const F& f, const Broadcast<Args...>& pack) {
    return detail::on_elements(pack.args, [&f](const Args&... a) { return Map<F, Args...>(f, a...); });
}

FUSE_END_NAMESPACE
