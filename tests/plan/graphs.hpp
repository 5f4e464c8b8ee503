// SPDX-License-Identifier: Apache-2.0
//
// The numbered nodes of statements, also of those that no kernel can run: a plan of these would not compile.
#pragma once

#include "fuse/fuse.hpp"

namespace fuse::testing {

template <class... S>
using graph_of = typename detail::Verdict<S...>::graph;

/// Why these statements cannot be one kernel.
template <class... S>
inline constexpr detail::Refusal refusal = detail::Verdict<S...>::refusal;

}  // namespace fuse::testing
