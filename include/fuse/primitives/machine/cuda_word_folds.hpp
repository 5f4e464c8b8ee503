// SPDX-License-Identifier: Apache-2.0
//
// redux.sync: since sm_80 the hardware folds a 32-bit integer over a whole warp in one instruction, instead of five
// shuffles and five operations.
#pragma once

#if defined(__CUDACC__)

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
inline constexpr bool has_word_folds = true;
#else
inline constexpr bool has_word_folds = false;
#endif

/// The fold over all lanes of a complete warp, in every lane. Only where has_word_folds.
template <WordFold Op, class A>
FUSE_HD A fold_words(A value) {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    constexpr unsigned lanes = 0xffffffffu;
    if constexpr (Op == WordFold::min) {
        value = __reduce_min_sync(lanes, value);
    } else if constexpr (Op == WordFold::max) {
        value = __reduce_max_sync(lanes, value);
    } else {
        const unsigned word = static_cast<unsigned>(value);
        if constexpr (Op == WordFold::add) {
            value = static_cast<A>(__reduce_add_sync(lanes, word));
        } else if constexpr (Op == WordFold::bit_and) {
            value = static_cast<A>(__reduce_and_sync(lanes, word));
        } else if constexpr (Op == WordFold::bit_or) {
            value = static_cast<A>(__reduce_or_sync(lanes, word));
        } else {
            value = static_cast<A>(__reduce_xor_sync(lanes, word));
        }
    }
#endif
    return value;
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
