// SPDX-License-Identifier: Apache-2.0
//
// A value that says where it goes: an output whose expression has such values is written at `position` where `kept`,
// and nowhere else.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

template <class T>
struct Scattered {
    using value_type = T;
    T value;
    index_t position;
    bool kept;
};

template <class T>
inline constexpr bool is_scattered = false;
template <class T>
inline constexpr bool is_scattered<Scattered<T>> = true;

/// A value that goes behind those kept before it, if it is kept.
struct ScatterKept {
    static constexpr const char* written = "compact(@0, @1)";
    template <class T>
    FUSE_HD constexpr Scattered<T> operator()(const T& value, bool kept, index_t kept_before) const {
        return {value, kept_before, kept};
    }
};

FUSE_END_NAMESPACE
