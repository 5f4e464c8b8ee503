// SPDX-License-Identifier: Apache-2.0
//
// Where a coordinate of a part is in the whole.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// first + i * step. Wraps: what is at `extent` and beyond comes round again. Divides: by what is no 1.
template <bool Wraps, bool Divides>
struct PlaceInWhole {
    static constexpr const char* name = "place";
    index_t first;
    index_t step;
    index_t extent;
    index_t divisor;
    FUSE_HD constexpr index_t operator()(index_t i) const {
        const index_t at = (first + i * step) / (Divides ? divisor : 1);
        return Wraps && at >= extent ? at - extent : at;
    }
};

FUSE_END_NAMESPACE
