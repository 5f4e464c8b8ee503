// SPDX-License-Identifier: Apache-2.0
//
// Which folds over a warp are one instruction where the block has it (WordFolds). The hardware knows only some
// operations, so the reduction is recognised by its type; every other type of reduction or accumulator keeps its
// shuffles. WarpReduce asks here.
#pragma once

#include <type_traits>

#include "fuse/ops/reductions/logic.hpp"
#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"
#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class R>
inline constexpr WordFold word_fold_of = WordFold::none;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<SumReduction<T, Acc>> = WordFold::add;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<MinReduction<T, Acc>> = WordFold::min;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<MaxReduction<T, Acc>> = WordFold::max;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<AnyReduction<T, Acc>> = WordFold::bit_or;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<AllReduction<T, Acc>> = WordFold::bit_and;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<BitAndReduction<T, Acc>> = WordFold::bit_and;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<BitOrReduction<T, Acc>> = WordFold::bit_or;
template <class T, class Acc>
inline constexpr WordFold word_fold_of<BitXorReduction<T, Acc>> = WordFold::bit_xor;

/// Whether R on accumulators of type A is such an operation. A must be R's own: an unsigned maximum of ints that are
/// only stored as signed is another operation.
template <class R, class A>
inline constexpr bool is_word_fold = [] {
    if constexpr (word_fold_of<R> != WordFold::none) {
        return std::is_same_v<A, typename R::accumulator> && std::is_integral_v<A> && sizeof(A) == 4;
    } else {
        return false;
    }
}();

/// The same, where the block has the instruction.
template <class B, class R, class A>
inline constexpr bool folds_as_word = WordFolds<B>&& is_word_fold<R, A>;

}  // namespace detail

FUSE_END_NAMESPACE
