// SPDX-License-Identifier: Apache-2.0
//
// The 16-bit number types against references written with exact double arithmetic, and the conversions
// between compute and storage types.
#include "fuse/ops/types/compute_type.hpp"
#include "support/catch.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

struct __half {
    std::uint16_t x;
};

namespace {

using fuse::bfloat16;
using fuse::float16;
using fuse::from_compute;

/// A binary format: `digits` significant bits, exponents down to `min_exponent` for normal numbers 1.f * 2^e.
struct Format {
    int digits, min_exponent, max_exponent;
};
constexpr Format half_format{11, -14, 15};
constexpr Format brain_format{8, -126, 127};

/// v rounded to the format, to nearest even, by scaling the last place to 1.
double rounded(double v, Format format) {
    if (std::isnan(v) || std::isinf(v) || v == 0)
        return v;
    const int exponent = std::max(std::ilogb(v), format.min_exponent) - (format.digits - 1);
    const double result = std::ldexp(std::nearbyint(std::ldexp(v, -exponent)), exponent);
    return std::ilogb(result == 0 ? 1 : result) > format.max_exponent ? std::copysign(INFINITY, v) : result;
}

/// The value of the bit pattern, from the definition of the format.
double decoded(std::uint16_t bits, Format format) {
    const int fraction_bits = format.digits - 1;
    const int fraction = bits & ((1 << fraction_bits) - 1);
    const int exponent = (bits & 0x7fff) >> fraction_bits;
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == (0x7fff >> fraction_bits)) {
        return fraction == 0 ? sign * INFINITY : std::numeric_limits<double>::quiet_NaN();
    }
    if (exponent == 0)
        return sign * std::ldexp(fraction, format.min_exponent - fraction_bits);
    const int scale = exponent - 1 + format.min_exponent - fraction_bits;
    return sign * std::ldexp(fraction + (1 << fraction_bits), scale);
}

bool same(double a, double b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <class T>
int wrong_round_trips(Format format) {
    int wrong = 0;
    for (unsigned i = 0; i < 65536; ++i) {
        const auto bits = static_cast<std::uint16_t>(i);
        const T v = T::from_bits(bits);
        const float value = v;
        wrong += same(value, decoded(bits, format)) ? 0 : 1;
        const T back(value);
        const bool nan = std::isnan(value);
        wrong += nan ? (std::isnan(static_cast<float>(back)) ? 0 : 1) : (back.bits == bits ? 0 : 1);
        wrong += nan && std::signbit(static_cast<float>(back)) != std::signbit(value) ? 1 : 0;
    }
    return wrong;
}

template <class T, class V>
bool rounds(V v, Format format) {
    return same(static_cast<float>(T(v)), rounded(static_cast<double>(v), format));
}

template <class T>
int wrong_floats(Format format) {
    std::mt19937_64 engine(7);
    int wrong = 0;
    for (int i = 0; i < 1000000; ++i) {
        const auto bits = static_cast<std::uint32_t>(engine());
        wrong += rounds<T>(std::bit_cast<float>(bits), format) ? 0 : 1;
    }
    // All ties and their neighbours.
    for (unsigned i = 0; i < 65536; ++i) {
        const float v = T::from_bits(static_cast<std::uint16_t>(i));
        const float next = T::from_bits(static_cast<std::uint16_t>(i + 1));
        if (!std::isfinite(v) || !std::isfinite(next))
            continue;
        const float middle = 0.5f * v + 0.5f * next;
        for (const float near : {middle, std::nextafter(middle, v), std::nextafter(middle, next)}) {
            wrong += rounds<T>(near, format) ? 0 : 1;
        }
    }
    return wrong;
}

template <class T>
int wrong_doubles(Format format) {
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<double> exponent(-150, 130);
    int wrong = 0;
    for (unsigned i = 0; i < 65535; ++i) {
        const double v = T::from_bits(static_cast<std::uint16_t>(i));
        const double next = T::from_bits(static_cast<std::uint16_t>(i + 1));
        if (!std::isfinite(v) || !std::isfinite(next))
            continue;
        const double middle = 0.5 * v + 0.5 * next;
        // A step that float cannot see: rounding to float first would lose it.
        for (const double near : {middle, std::nextafter(middle, v), std::nextafter(middle, next)}) {
            wrong += rounds<T>(near, format) ? 0 : 1;
        }
        wrong += rounds<T>(std::exp2(exponent(engine)), format) ? 0 : 1;
        wrong += rounds<T>(std::bit_cast<double>(engine()), format) ? 0 : 1;
    }
    return wrong;
}

}  // namespace

TEST_CASE("every bit pattern of a 16-bit type converts to float and back") {
    CHECK(wrong_round_trips<float16>(half_format) == 0);
    CHECK(wrong_round_trips<bfloat16>(brain_format) == 0);
}

TEST_CASE("float rounds to nearest even in the 16-bit types") {
    CHECK(wrong_floats<float16>(half_format) == 0);
    CHECK(wrong_floats<bfloat16>(brain_format) == 0);
    CHECK(float16(65519.f).bits == 0x7bff);
    CHECK(float16(65520.f).bits == 0x7c00);
    CHECK(bfloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
    CHECK(float16(0x1p-25f).bits == 0);
    CHECK(float16(0x1.8p-25f).bits == 1);
    CHECK(float16(-0.f).bits == 0x8000);
}

TEST_CASE("double and integers round only once in the 16-bit types") {
    CHECK(wrong_doubles<float16>(half_format) == 0);
    CHECK(wrong_doubles<bfloat16>(brain_format) == 0);
    // 2^62 + half a unit + 1: a tie once the 1 is lost, as it is in double.
    const std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
    CHECK(static_cast<float>(bfloat16(tie)) == 0x1p62f);
    CHECK(static_cast<float>(bfloat16(tie + 1)) == 0x1.02p62f);
    CHECK(static_cast<float>(bfloat16(-tie - 1)) == -0x1.02p62f);
    CHECK(static_cast<float>(bfloat16(std::numeric_limits<std::uint64_t>::max())) == 0x1p64f);
    CHECK(static_cast<float>(float16(2049)) == 2048.f);
    CHECK(static_cast<float>(float16(true)) == 1.f);
}

TEST_CASE("a signalling NaN becomes a quiet NaN") {
    CHECK((float16(std::bit_cast<float>(0x7f800001u)).bits & 0x7e00) == 0x7e00);
    CHECK((bfloat16(std::bit_cast<float>(0xff800001u)).bits & 0xffc0) == 0xffc0);
}

TEST_CASE("from_compute to integers truncates and saturates, NaN gives 0") {
    CHECK(from_compute<int>(-2.9f) == -2);
    CHECK(from_compute<int>(1e20f) == std::numeric_limits<int>::max());
    CHECK(from_compute<int>(-INFINITY) == std::numeric_limits<int>::lowest());
    CHECK(from_compute<int>(-2147483648.f) == std::numeric_limits<int>::lowest());
    CHECK(from_compute<int>(2147483520.f) == 2147483520);
    CHECK(from_compute<int>(2147483647.5) == std::numeric_limits<int>::max());
    CHECK(from_compute<int>(NAN) == 0);
    CHECK(from_compute<std::int8_t>(127.9f) == 127);
    CHECK(from_compute<std::int8_t>(-128.9f) == -128);
    CHECK(from_compute<std::uint8_t>(-0.9f) == 0);
    CHECK(from_compute<std::uint8_t>(-5.f) == 0);
    CHECK(from_compute<std::uint8_t>(255.5f) == 255);
    CHECK(from_compute<std::uint64_t>(1e30) == std::numeric_limits<std::uint64_t>::max());
    CHECK(from_compute<std::int64_t>(9007199254740993.0) == 9007199254740992);
    CHECK(from_compute<std::int64_t>(-1e30) == std::numeric_limits<std::int64_t>::lowest());
}

TEST_CASE("from_compute between the other types") {
    CHECK(from_compute<bool>(0.5f));
    CHECK(from_compute<bool>(NAN));
    CHECK(from_compute<bool>(256));
    CHECK_FALSE(from_compute<bool>(-0.f));
    CHECK(from_compute<std::uint8_t>(257) == 1);
    CHECK(from_compute<float>(0.1) == 0.1f);
    CHECK(from_compute<float16>(1. / 3).bits == 0x3555);
    CHECK(fuse::to_compute(bfloat16(1.5f)) == 1.5f);
}

TEST_CASE("storage and compute types") {
    STATIC_REQUIRE(std::is_same_v<fuse::storage_t<__half>, float16>);
    STATIC_REQUIRE(std::is_same_v<fuse::storage_t<const __nv_bfloat16>, const bfloat16>);
    STATIC_REQUIRE(std::is_same_v<fuse::storage_t<double>, double>);
    STATIC_REQUIRE(std::is_same_v<fuse::compute_t<const __half>, float>);
    STATIC_REQUIRE(std::is_same_v<fuse::compute_t<bfloat16>, float>);
    STATIC_REQUIRE(std::is_same_v<fuse::compute_t<const int>, int>);
    STATIC_REQUIRE(sizeof(__half) == sizeof(float16));
    STATIC_REQUIRE(float16(1.f).bits == 0x3c00);
    STATIC_REQUIRE(bfloat16(1).bits == 0x3f80);
}
