// SPDX-License-Identifier: Apache-2.0
//
// The size of a look-back's state (lookback.hpp), for those who only have to provide the memory.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// 64-bit words before the messages.
inline constexpr index_t lookback_header_words = 2;

/// 64-bit words of state for `rows` rows of `tiles` tiles, in groups of `group` (the threads of a block), with
/// accumulators of `words` 32-bit words: a message for each tile, and for each group but the first of a row. They are
/// zero before their first use, and afterwards belong to look-backs alone.
FUSE_HD constexpr index_t lookback_state_words(index_t tiles, index_t rows, index_t group, int words) {
    return lookback_header_words + rows * (tiles + (tiles + group - 1) / group - 1) * words;
}

FUSE_END_NAMESPACE
