// SPDX-License-Identifier: Apache-2.0
//
// Stores and casts to integers: from integers modulo 2^bits, from floating point truncated and saturated, NaN gives 0.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "support/tensor.hpp"

namespace fuse::testing {

/// The value of To that is congruent to v modulo 2^bits, as its 64 bits.
template <class To, class From>
std::int64_t wrapped(From v) {
    constexpr int bits = 8 * static_cast<int>(sizeof(To));
    // An integer is its lower bits less 2^bits where the highest of them is set and has a sign.
    const auto all = static_cast<std::uint64_t>(v);
    const std::uint64_t low = bits == 64 ? all : all % (std::uint64_t{1} << (bits % 64));
    const bool negative = std::is_signed_v<To> && low >> (bits - 1) != 0;
    return static_cast<std::int64_t>(negative && bits < 64 ? low - (std::uint64_t{1} << (bits % 64)) : low);
}
template <class To>
std::int64_t saturated(double v) {
    const double whole = std::trunc(v);
    if (std::isnan(v)) {
        return 0;
    }
    if (whole >= static_cast<double>(std::numeric_limits<To>::max())) {
        return static_cast<std::int64_t>(std::numeric_limits<To>::max());
    }
    if (whole <= static_cast<double>(std::numeric_limits<To>::lowest())) {
        return static_cast<std::int64_t>(std::numeric_limits<To>::lowest());
    }
    return whole < 0 ? static_cast<std::int64_t>(whole) : static_cast<std::int64_t>(static_cast<std::uint64_t>(whole));
}
template <class To, class From>
std::int64_t converted(From v) {
    if constexpr (std::is_floating_point_v<From>) {
        return saturated<To>(static_cast<double>(v));
    } else {
        return wrapped<To>(v);
    }
}

template <class From>
std::vector<From> telling_values() {
    constexpr From low = std::numeric_limits<From>::lowest();
    constexpr From high = std::numeric_limits<From>::max();
    if constexpr (std::is_floating_point_v<From>) {
        constexpr From none = std::numeric_limits<From>::quiet_NaN();
        constexpr From endless = std::numeric_limits<From>::infinity();
        return {0,
                From(0.99),
                From(-0.99),
                From(127.5),
                From(-128.5),
                128,
                255,
                256,
                300,
                -1,
                -129,
                32768,
                -32769,
                65536,
                From(2147483648.0),
                From(-2147483648.0),
                From(4294967296.0),
                From(9223372036854775808.0),
                From(-9223372036854775808.0),
                From(18446744073709551616.0),
                low,
                high,
                none,
                endless,
                -endless};
    } else {
        return {0,
                1,
                static_cast<From>(-1),
                low,
                high,
                static_cast<From>(low + 1),
                static_cast<From>(high - 1),
                static_cast<From>(300),
                static_cast<From>(-300),
                static_cast<From>(1ULL << 40U),
                static_cast<From>(128)};
    }
}

/// To each integer type at once: all outputs stored, and all cast first if Casts.
template <class From, bool Casts = true, class Target>
void check_conversions(const Target& target) {
    const std::vector<From> values = telling_values<From>();
    const Extent extent{static_cast<index_t>(values.size())};
    Tensor<Target, From> in(extent);
    for (std::size_t i = 0; i < values.size(); ++i) {
        in.origin()[i] = values[i];
    }
    const auto x = in.template const_view<"x", 1>();
    Tensor<Target, std::int8_t> a(extent);
    Tensor<Target, std::uint8_t> b(extent);
    Tensor<Target, std::int16_t> c(extent);
    Tensor<Target, std::uint16_t> d(extent);
    Tensor<Target, std::int32_t> e(extent);
    Tensor<Target, std::uint32_t> f(extent);
    Tensor<Target, std::int64_t> g(extent);
    Tensor<Target, std::uint64_t> h(extent);
    const auto check = [&](auto& out) {
        using To = std::remove_cvref_t<decltype(*out.origin())>;
        for (std::size_t i = 0; i < values.size(); ++i) {
            INFO(+values[i] << " to " << sizeof(To) << " bytes");
            CHECK(static_cast<std::int64_t>(out.origin()[i]) == converted<To>(values[i]));
        }
    };
    const auto check_all = [&] {
        check(a);
        check(b);
        check(c);
        check(d);
        check(e);
        check(f);
        check(g);
        check(h);
    };
    target.eval(a.template view<"a", 1>() = x, b.template view<"b", 1>() = x, c.template view<"c", 1>() = x,
                d.template view<"d", 1>() = x, e.template view<"e", 1>() = x, f.template view<"f", 1>() = x,
                g.template view<"g", 1>() = x, h.template view<"h", 1>() = x);
    check_all();
    if constexpr (Casts) {
        target.eval(a.template view<"a", 1>() = 0, b.template view<"b", 1>() = 0, c.template view<"c", 1>() = 0,
                    d.template view<"d", 1>() = 0, e.template view<"e", 1>() = 0, f.template view<"f", 1>() = 0,
                    g.template view<"g", 1>() = 0, h.template view<"h", 1>() = 0);
        target.eval(
            a.template view<"a", 1>() = cast<std::int8_t>(x), b.template view<"b", 1>() = cast<std::uint8_t>(x),
            c.template view<"c", 1>() = cast<std::int16_t>(x), d.template view<"d", 1>() = cast<std::uint16_t>(x),
            e.template view<"e", 1>() = cast<std::int32_t>(x), f.template view<"f", 1>() = cast<std::uint32_t>(x),
            g.template view<"g", 1>() = cast<std::int64_t>(x), h.template view<"h", 1>() = cast<std::uint64_t>(x));
        check_all();
    }
}

/// Rounded in each of four ways, and converted: stored and cast, beside what is rounded alone and to another type.
template <class To, class Target>
void check_rounded_conversions(const Target& target) {
    std::vector<float> values = telling_values<float>();
    for (const float half : {0.5F, 1.5F, 2.5F, 126.5F, 127.49F, 254.5F, 255.5F, 32766.5F, 0.0F, 8388607.5F}) {
        values.push_back(half);
        values.push_back(-half);
    }
    const Extent extent{static_cast<index_t>(values.size())};
    Tensor<Target, float> in(extent), rest(extent);
    for (std::size_t i = 0; i < values.size(); ++i) {
        in.origin()[i] = values[i];
    }
    Tensor<Target, To> a(extent), b(extent), c(extent), d(extent), e(extent);
    const auto x = in.template const_view<"x", 1>();
    target.eval(a.template view<"a", 1>() = round(x), b.template view<"b", 1>() = floor(x),
                c.template view<"c", 1>() = cast<To>(ceil(x)), d.template view<"d", 1>() = cast<To>(trunc(x)),
                e.template view<"e", 1>() = round(x) + 1.0F, rest.template view<"rest", 1>() = x - round(x));
    for (std::size_t i = 0; i < values.size(); ++i) {
        INFO(values[i] << " to " << sizeof(To) << " bytes");
        const auto as = [](float v) { return converted<To>(v); };
        CHECK(static_cast<std::int64_t>(a.origin()[i]) == as(std::rint(values[i])));
        CHECK(static_cast<std::int64_t>(b.origin()[i]) == as(std::floor(values[i])));
        CHECK(static_cast<std::int64_t>(c.origin()[i]) == as(std::ceil(values[i])));
        CHECK(static_cast<std::int64_t>(d.origin()[i]) == as(std::trunc(values[i])));
        CHECK(static_cast<std::int64_t>(e.origin()[i]) == as(std::rint(values[i]) + 1.0F));
        if (std::isfinite(values[i])) {
            CHECK(rest.origin()[i] == values[i] - std::rint(values[i]));
        }
    }
}

}  // namespace fuse::testing
