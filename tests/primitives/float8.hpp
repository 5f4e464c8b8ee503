// SPDX-License-Identifier: Apache-2.0
//
// The two 8-bit floating-point formats (Micikevicius et al. 2022, "FP8 formats for deep learning"), by definition: the
// storage type of emulated tests, and the reference for CUDA's own types. Encoding tries every code, so nothing of it
// is shared with a conversion in use.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "fuse/config.hpp"

namespace fuse::testing {

/// E4M3 has no infinity and NaN in its largest code alone; E5M2 has both, as IEEE formats do.
template <int ExponentBits>
struct Float8Codes {
    static constexpr int mantissa_bits = 7 - ExponentBits;
    static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
    static constexpr unsigned largest = ExponentBits == 4 ? 0x7e : 0x7b;

    static constexpr bool is_finite(unsigned code) { return (code & 0x7f) <= largest; }

    /// The value of a finite code.
    static constexpr double decode(unsigned code) {
        const int exponent = static_cast<int>((code & 0x7f) >> mantissa_bits);
        const unsigned fraction = code & ((1U << mantissa_bits) - 1);
        double value = exponent == 0 ? fraction : fraction + (1U << mantissa_bits);
        for (int e = (exponent == 0 ? 1 : exponent) - bias - mantissa_bits; e != 0; e += e < 0 ? 1 : -1) {
            value = e < 0 ? value / 2 : value * 2;
        }
        return (code & 0x80) != 0 ? -value : value;
    }
};

template <int ExponentBits>
struct Float8Format : Float8Codes<ExponentBits> {
    /// The nearest finite code, the even one of two; beyond the largest value, the largest.
    static constexpr unsigned encode(double value) {
        const double magnitude = value < 0 ? -value : value;
        unsigned best = 0;
        double least = magnitude;
        for (unsigned code = 1; code <= Float8Format::largest; ++code) {
            const double missed = magnitude < values[code] ? values[code] - magnitude : magnitude - values[code];
            if (missed < least || (missed == least && code % 2 == 0)) {
                best = code;
                least = missed;
            }
        }
        return std::bit_cast<std::uint64_t>(value) >> 63 != 0 ? best | 0x80 : best;
    }

private:
    static constexpr auto values = [] {
        std::array<double, 128> all{};
        for (unsigned code = 0; code <= Float8Format::largest; ++code) {
            all[code] = Float8Format::decode(code);
        }
        return all;
    }();
};

static_assert(Float8Format<4>::decode(0x7e) == 448 && Float8Format<4>::decode(0x01) == 0x1p-9);
static_assert(Float8Format<5>::decode(0x7b) == 57344 && Float8Format<5>::decode(0x81) == -0x1p-16);
static_assert(Float8Format<4>::encode(0.3) == 0x2a && Float8Format<4>::decode(0x2a) == 0.3125);
static_assert(Float8Format<4>::encode(-1e9) == 0xfe && Float8Format<5>::encode(1.125) == 0x3c);

/// Storage with this format, for emulated threads.
template <int ExponentBits>
struct Float8 {
    using Format = Float8Format<ExponentBits>;

    std::uint8_t bits;

    Float8() = default;
    explicit Float8(float value) : bits(static_cast<std::uint8_t>(Format::encode(static_cast<double>(value)))) {}
    explicit operator float() const { return static_cast<float>(Format::decode(bits)); }
};

template <class F>
F float8_of_code(unsigned code) {
    static_assert(sizeof(F) == 1);
    F item;
    const auto byte = static_cast<std::uint8_t>(code);
    std::memcpy(&item, &byte, 1);
    return item;
}
template <class F>
unsigned code_of(F item) {
    std::uint8_t byte = 0;
    std::memcpy(&byte, &item, 1);
    return byte;
}

}  // namespace fuse::testing
