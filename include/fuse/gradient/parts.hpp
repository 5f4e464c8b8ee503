// SPDX-License-Identifier: Apache-2.0
//
// Parts and transposes of derivatives: gradient(loss, x)[0].
#pragma once

#include "fuse/gradient/flatten.hpp"
#include "fuse/lang/expression_parts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class Tag, class Id>
struct pinned_part {};
template <class Tag, class Id, class Scope>
struct part_owner<pinned_part<Tag, Id>, Scope> {
    static constexpr bool found = let_around<Tag, Scope>::found;
    using type = pinned_id<typename let_around<Tag, Scope>::type::id, Id>;
};
template <class Tag, class Id, class E>
struct Cutting<Pinned<Tag, Id, E>> : CuttingIdentified<Pinned<Tag, Id, E>, pinned_part<Tag, Id>> {};
template <class Tag, class Id, class E>
struct Turning<Pinned<Tag, Id, E>> : TurningIdentified<Pinned<Tag, Id, E>, pinned_part<Tag, Id>> {};

}  // namespace detail

FUSE_END_NAMESPACE
