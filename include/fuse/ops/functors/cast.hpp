// SPDX-License-Identifier: Apache-2.0
//
// Conversion to another element type. A cast to a 16-bit floating-point type rounds to it and goes on in
// float, since functors compute in float: storing the result in that type is then exact.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"

FUSE_BEGIN_NAMESPACE

/// Floating point to integer truncates and saturates, NaN gives 0. Between integers: modulo 2^bits. To bool: whether x
/// is not zero.
template <class T>
struct Cast {
    static constexpr const char* name = "cast";
    template <class V>
        requires requires(V v) {
            static_cast<storage_t<T>>(v);
        }
    FUSE_HD constexpr compute_t<T> operator()(V x) const { return to_compute(from_compute<T>(x)); }
};

FUSE_END_NAMESPACE
