// SPDX-License-Identifier: Apache-2.0
//
// redux.sync: since sm_80 the hardware folds a 32-bit integer over a whole warp in one instruction, instead of five
// shuffles and five operations. It knows only some operations, so the reduction is recognised by its type; every
// other type of reduction or accumulator keeps its shuffles. WarpReduce asks here.
#pragma once

#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

template <class T, class Acc>
struct SumReduction;
template <class T, class Acc>
struct MinReduction;
template <class T, class Acc>
struct MaxReduction;
template <class T, class Acc>
struct AnyReduction;
template <class T, class Acc>
struct AllReduction;
template <class T, class Acc>
struct BitAndReduction;
template <class T, class Acc>
struct BitOrReduction;
template <class T, class Acc>
struct BitXorReduction;

namespace detail {

enum class Redux { none, add, min, max, bit_and, bit_or, bit_xor };

template <class R>
inline constexpr Redux redux_of = Redux::none;
template <class T, class Acc>
inline constexpr Redux redux_of<SumReduction<T, Acc>> = Redux::add;
template <class T, class Acc>
inline constexpr Redux redux_of<MinReduction<T, Acc>> = Redux::min;
template <class T, class Acc>
inline constexpr Redux redux_of<MaxReduction<T, Acc>> = Redux::max;
template <class T, class Acc>
inline constexpr Redux redux_of<AnyReduction<T, Acc>> = Redux::bit_or;
template <class T, class Acc>
inline constexpr Redux redux_of<AllReduction<T, Acc>> = Redux::bit_and;
template <class T, class Acc>
inline constexpr Redux redux_of<BitAndReduction<T, Acc>> = Redux::bit_and;
template <class T, class Acc>
inline constexpr Redux redux_of<BitOrReduction<T, Acc>> = Redux::bit_or;
template <class T, class Acc>
inline constexpr Redux redux_of<BitXorReduction<T, Acc>> = Redux::bit_xor;

/// Whether R on accumulators of type A is such an operation. A must be R's own: an unsigned maximum of ints that are
/// only stored as signed is another operation.
template <class R, class A>
inline constexpr bool fits_redux = [] {
    if constexpr (redux_of<R> != Redux::none) {
        return std::is_same_v<A, typename R::accumulator> && std::is_integral_v<A> && sizeof(A) == 4;
    } else {
        return false;
    }
}();

/// The same, where this compilation has the instruction.
template <class B, class R, class A>
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
inline constexpr bool uses_redux = B::warp_size == 32 && fits_redux<R, A>;
#else
inline constexpr bool uses_redux = false;
#endif

/// The fold over all 32 lanes of a complete warp, in every lane. Only where uses_redux.
template <class R, class A>
FUSE_HD A warp_redux(A value) {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    constexpr unsigned lanes = 0xffffffffu;
    constexpr Redux op = redux_of<R>;
    if constexpr (op == Redux::min) {
        value = __reduce_min_sync(lanes, value);
    } else if constexpr (op == Redux::max) {
        value = __reduce_max_sync(lanes, value);
    } else {
        const unsigned word = static_cast<unsigned>(value);
        if constexpr (op == Redux::add) {
            value = static_cast<A>(__reduce_add_sync(lanes, word));
        } else if constexpr (op == Redux::bit_and) {
            value = static_cast<A>(__reduce_and_sync(lanes, word));
        } else if constexpr (op == Redux::bit_or) {
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
