// SPDX-License-Identifier: Apache-2.0
//
// Floats as integers in the same order, beyond all of which lie the NaNs, as a host folds extrema: the larger of two
// integers is one instruction, or three, of every vector unit and never a branch; of floats, a comparison and masks, as any
// comparison drops a NaN of one of its sides.
#pragma once

#include "fuse/ops/types/bits.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The op of the keys. As signed integers the bits of positive floats are in order, those of negative ones in the opposite
/// order, which the complement of all but the sign turns round. Less the number of NaNs of one sign, those of negative sign
/// wrap around to the largest keys. Of zeros the positive one is the larger.
template <bool Largest>
struct FloatKeys {
    using accumulator = std::int32_t;

    FUSE_HD constexpr accumulator init() const { return least; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const { return a > b ? a : b; }

    static FUSE_HD constexpr accumulator key(float x) {
        return static_cast<accumulator>(turned(bit_cast<std::uint32_t>(x) ^ sign) - nans);
    }
    static FUSE_HD constexpr float value(accumulator key) {
        return bit_cast<float>(turned(static_cast<std::uint32_t>(key) + nans) ^ sign);
    }

private:
    static constexpr std::uint32_t sign = Largest ? 0 : 0x80000000U;
    static constexpr std::uint32_t nans = 0x7fffffU;
    static constexpr accumulator least = std::numeric_limits<accumulator>::min();

    static FUSE_HD constexpr std::uint32_t turned(std::uint32_t bits) {
        return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) & 0x7fffffffU);
    }
};

/// The keys by which an extremum of T is folded; void: by none.
template <class T, bool Largest>
using extremum_keys_t = std::conditional_t<std::is_same_v<T, float>, FloatKeys<Largest>, void>;

}  // namespace detail

FUSE_END_NAMESPACE
