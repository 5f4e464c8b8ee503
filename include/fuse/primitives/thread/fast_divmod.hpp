// SPDX-License-Identifier: Apache-2.0
//
// Division by a divisor that is fixed for the whole kernel: one widening multiply-add and one shift, exact
// for every n and every d >= 1 of the type. The quotient is (n * m + a) >> (N + s) for N-bit operands, s =
// floor(log2 d):
//   round up    m = ceil(2^(N+s) / d),  a = 0    exact when m * d - 2^(N+s) < 2^s;
//   round down  m = floor(2^(N+s) / d), a = m    exact in all other cases, as the two errors add up to d < 2^(s+1).
// A power of two takes m = a = 2^N - 1: (n + 1) * (2^N - 1) has n as its upper word. n * m + a never leaves
// 2N bits, which is why no 2N+1-bit multiplier and no fix-up step is needed.
#pragma once

#include <type_traits>

#include "fuse/primitives/machine/arithmetic.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class T>
struct DoubleWidth;

template <>
struct DoubleWidth<std::uint32_t> {
    using type = std::uint64_t;
};

template <>
struct DoubleWidth<std::uint64_t> {
    __extension__ using type = unsigned __int128;
};

}  // namespace detail

template <class T>
struct QuotientRemainder {
    T quotient;
    T remainder;
};

/// T is std::uint32_t or std::uint64_t. Built on the host, carried to a kernel by value; default: divide by
/// 1.
template <class T>
class FastDivMod {
    static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>);

public:
    FastDivMod() = default;

    /// divisor >= 1
    FUSE_HD constexpr explicit FastDivMod(T divisor) : divisor_(divisor) {
        using Wide = typename detail::DoubleWidth<T>::type;
        while (shift_ < bits - 1 && (T(1) << (shift_ + 1)) <= divisor) {
            ++shift_;
        }
        const T power = T(1) << shift_;
        if (divisor == power) {
            return;
        }
        const Wide numerator = static_cast<Wide>(power) << bits;
        const T down = static_cast<T>(numerator / divisor);
        const T remainder = static_cast<T>(numerator % divisor);
        const bool round_up = divisor - remainder < power;
        multiplier_ = round_up ? down + 1 : down;
        addend_ = round_up ? 0 : down;
    }

    FUSE_HD constexpr T divisor() const { return divisor_; }

    FUSE_HD constexpr T divide(T n) const { return detail::multiply_add_high(n, multiplier_, addend_) >> shift_; }

    FUSE_HD constexpr QuotientRemainder<T> divmod(T n) const {
        const T quotient = divide(n);
        return {quotient, n - quotient * divisor_};
    }

private:
    static constexpr int bits = 8 * sizeof(T);

    T divisor_ = 1;
    T multiplier_ = static_cast<T>(-1);
    T addend_ = static_cast<T>(-1);
    std::uint32_t shift_ = 0;
};

FUSE_END_NAMESPACE
