// SPDX-License-Identifier: Apache-2.0
//
// Minimum, maximum and clamp. min and max give NaN when either operand is NaN; the variants that ignore NaN
// give the other operand. On the device max.NaN.f32 is one instruction, for reductions: nvcc does not know that equal
// assembly gives equal values, and computes what follows from it at each place again, so that maps, which derivatives repeat,
// compare. Host compilers have one comparison and look for NaN in the bits: of two comparisons that decide one value g++ makes
// branches, g++ 13 in the loops of argmax and gelu.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"
#include "fuse/ops/functors/host_bits.hpp"
#include "fuse/ops/types/bits.hpp"

#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

/// a if it is chosen, or if `nan` is NaN, else b. nvcc's files do without the masks, which every one of them would pay for.
template <Arithmetic C>
FUSE_HD constexpr C chosen_or_nan(bool chosen, C nan, C a, C b) {
#if !defined(__CUDACC__)
    if constexpr (std::is_same_v<C, float> || std::is_same_v<C, double>) {
        return mix_values(mask_for<C>(chosen) | mask_of_nan(nan), a, b);
    }
#endif
    const C other = chosen ? a : b;
    return is_nan(nan) ? a : other;
}

/// b when unordered: only a NaN in a is still to be kept.
template <Arithmetic C>
FUSE_HD constexpr C larger_or_nan(C a, C b) {
    return chosen_or_nan(a > b, a, a, b);
}
template <Arithmetic C>
FUSE_HD constexpr C smaller_or_nan(C a, C b) {
    return chosen_or_nan(a < b, a, a, b);
}

// Of numbers alone: lookup by arguments comes here for expressions, too, whose types name functors.
template <Arithmetic C>
FUSE_HD constexpr C larger(C a, C b) {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    if constexpr (std::is_same_v<C, float>) {
        if (!is_constant_evaluated()) {
            float result;
            asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
            return result;
        }
    }
#endif
    return larger_or_nan(a, b);
}

template <Arithmetic C>
FUSE_HD constexpr C smaller(C a, C b) {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    if constexpr (std::is_same_v<C, float>) {
        if (!is_constant_evaluated()) {
            float result;
            asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
            return result;
        }
    }
#endif
    return smaller_or_nan(a, b);
}

template <Arithmetic C>
FUSE_HD constexpr C maximum_ignoring_nan(C a, C b) {
    return chosen_or_nan(a > b, b, a, b);
}

template <Arithmetic C>
FUSE_HD constexpr C minimum_ignoring_nan(C a, C b) {
    return chosen_or_nan(a < b, b, a, b);
}

}  // namespace detail

/// The larger operand; NaN if either is NaN.
template <class T = void>
struct Max : detail::CommonBinary<Max<T>, T> {
    static constexpr const char* name = "max";
    template <class C>
    static FUSE_HD constexpr C apply(C a, C b) {
        return detail::larger_or_nan(a, b);
    }
};

/// The smaller operand; NaN if either is NaN.
template <class T = void>
struct Min : detail::CommonBinary<Min<T>, T> {
    static constexpr const char* name = "min";
    template <class C>
    static FUSE_HD constexpr C apply(C a, C b) {
        return detail::smaller_or_nan(a, b);
    }
};

/// The larger operand that is not NaN.
template <class T = void>
struct MaxIgnoreNan : detail::CommonBinary<MaxIgnoreNan<T>, T> {
    static constexpr const char* name = "fmax";
    template <class C>
    static FUSE_HD constexpr C apply(C a, C b) {
        return detail::maximum_ignoring_nan(a, b);
    }
};

/// The smaller operand that is not NaN.
template <class T = void>
struct MinIgnoreNan : detail::CommonBinary<MinIgnoreNan<T>, T> {
    static constexpr const char* name = "fmin";
    template <class C>
    static FUSE_HD constexpr C apply(C a, C b) {
        return detail::minimum_ignoring_nan(a, b);
    }
};

/// min(max(x, lo), hi), in the common type of all three; NaN propagates.
template <class T = void>
struct Clamp {
    static constexpr const char* name = "clamp";
    template <Arithmetic V, Arithmetic L, Arithmetic H>
    FUSE_HD constexpr auto operator()(V x, L lo, H hi) const {
        return Min<T>{}(Max<T>{}(x, lo), hi);
    }
};

FUSE_END_NAMESPACE
