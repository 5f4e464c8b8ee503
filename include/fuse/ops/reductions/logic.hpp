// SPDX-License-Identifier: Apache-2.0
//
// Reductions of truth values (any, all, count_nonzero: anything but zero is true, NaN included) and of the
// bits of integers.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/logic.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

// Any and all accumulate in a word: it shuffles as it is, and g++ vectorises words where it does not
// vectorise bool.

/// Whether any element is true; false when empty.
template <class T, class Acc = void>
struct AnyReduction : detail::BasicReduction<AnyReduction<T, Acc>, T, std::uint32_t, bool> {
    static constexpr const char* name = "any";

    FUSE_HD constexpr std::uint32_t init() const { return 0; }
    FUSE_HD constexpr std::uint32_t leaf(T v, index_t) const { return v != T(0) ? 1 : 0; }
    FUSE_HD constexpr std::uint32_t combine(std::uint32_t a, std::uint32_t b) const { return a | b; }
};
template <class V>
struct FoldedBy<LogicalOr<V>> {
    template <class T, class Acc = void>
    using reduction_op = AnyReduction<T, Acc>;
};

/// Whether all elements are true; true when empty.
template <class T, class Acc = void>
struct AllReduction : detail::BasicReduction<AllReduction<T, Acc>, T, std::uint32_t, bool> {
    static constexpr const char* name = "all";

    FUSE_HD constexpr std::uint32_t init() const { return 1; }
    FUSE_HD constexpr std::uint32_t leaf(T v, index_t) const { return v != T(0) ? 1 : 0; }
    FUSE_HD constexpr std::uint32_t combine(std::uint32_t a, std::uint32_t b) const { return a & b; }
};
template <class V>
struct FoldedBy<LogicalAnd<V>> {
    template <class T, class Acc = void>
    using reduction_op = AllReduction<T, Acc>;
};

/// How many elements are true.
template <class T, class Acc = void>
struct CountNonzeroReduction : detail::BasicReduction<CountNonzeroReduction<T, Acc>, T, std::int64_t> {
    static constexpr const char* name = "count_nonzero";

    FUSE_HD constexpr std::int64_t init() const { return 0; }
    FUSE_HD constexpr std::int64_t leaf(T v, index_t) const { return v != T(0) ? 1 : 0; }
    FUSE_HD constexpr std::int64_t combine(std::int64_t a, std::int64_t b) const { return a + b; }
};

/// `BitAnd<>` as a reduction op; all bits set when empty.
template <std::integral T, class Acc = void>
struct BitAndReduction : detail::BasicReduction<BitAndReduction<T, Acc>, T, T> {
    static constexpr const char* name = "bit_and";

    FUSE_HD constexpr T init() const {
        if constexpr (std::is_same_v<T, bool>) {
            return true;
        } else {
            return static_cast<T>(~T(0));
        }
    }
    FUSE_HD constexpr T leaf(T v, index_t) const { return v; }
    FUSE_HD constexpr T combine(T a, T b) const { return BitAnd<>{}(a, b); }
};
template <class V>
struct FoldedBy<BitAnd<V>> {
    template <std::integral T, class Acc = void>
    using reduction_op = BitAndReduction<T, Acc>;
};

/// `BitOr<>` as a reduction op; 0 when empty.
template <std::integral T, class Acc = void>
struct BitOrReduction : detail::BasicReduction<BitOrReduction<T, Acc>, T, T> {
    static constexpr const char* name = "bit_or";

    FUSE_HD constexpr T init() const { return T(0); }
    FUSE_HD constexpr T leaf(T v, index_t) const { return v; }
    FUSE_HD constexpr T combine(T a, T b) const { return BitOr<>{}(a, b); }
};
template <class V>
struct FoldedBy<BitOr<V>> {
    template <std::integral T, class Acc = void>
    using reduction_op = BitOrReduction<T, Acc>;
};

/// `BitXor<>` as a reduction op; 0 when empty.
template <std::integral T, class Acc = void>
struct BitXorReduction : detail::BasicReduction<BitXorReduction<T, Acc>, T, T> {
    static constexpr const char* name = "bit_xor";

    FUSE_HD constexpr T init() const { return T(0); }
    FUSE_HD constexpr T leaf(T v, index_t) const { return v; }
    FUSE_HD constexpr T combine(T a, T b) const { return BitXor<>{}(a, b); }
};
template <class V>
struct FoldedBy<BitXor<V>> {
    template <std::integral T, class Acc = void>
    using reduction_op = BitXorReduction<T, Acc>;
};

/// As an op: `reduce(Any{}, x)`.
struct Any {
    static constexpr const char* name = "any";
    template <class T, class Acc = void>
    using reduction_op = AnyReduction<T, Acc>;
};

/// As an op: `reduce(All{}, x)`.
struct All {
    static constexpr const char* name = "all";
    template <class T, class Acc = void>
    using reduction_op = AllReduction<T, Acc>;
};

/// As an op: `reduce(CountNonzero{}, x)`.
struct CountNonzero {
    static constexpr const char* name = "count_nonzero";
    template <class T, class Acc = void>
    using reduction_op = CountNonzeroReduction<T, Acc>;
};

FUSE_END_NAMESPACE
