// SPDX-License-Identifier: Apache-2.0
//
// VectorType: the pack that moves in one access. No load or store of the GPU is wider than 16 bytes, whatever the type
// of the items; a wider vector would silently be several.
#pragma once

#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// Items of T in one 16-byte access, at least one.
template <class T>
inline constexpr int max_vector = sizeof(T) < 16 ? static_cast<int>(16 / sizeof(T)) : 1;

namespace detail {

template <class T, int V>
struct VectorOf {
    static_assert(V <= max_vector<T>, "a vector is at most 16 bytes (one item of a larger type)");
    using type = Pack<T, V>;
};

}  // namespace detail

/// Pack<T, V> of at most 16 bytes; of types above that, one item.
template <class T, int V = max_vector<T>>
using VectorType = typename detail::VectorOf<T, V>::type;

FUSE_END_NAMESPACE
