// SPDX-License-Identifier: Apache-2.0
//
// Who needs the result of a collective: all of its threads, or only the first one. The second lets the others
// skip the last step. Passed as a tag, the last argument of every block-level reduction.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Every thread of the row, column or block gets the result, the same bits everywhere.
struct AllThreads {
    static constexpr bool all = true;
};

/// Only thread 0 of the row, column or block has a defined result.
struct OneThread {
    static constexpr bool all = false;
};

FUSE_END_NAMESPACE
