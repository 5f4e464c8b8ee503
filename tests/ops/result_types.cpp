// SPDX-License-Identifier: Apache-2.0
//
// Result types, and the rules for integers that the op table's references in double cannot state:
// wrap-around, division by zero, comparison across signedness. Most are checked at compile time, which also
// forbids undefined behaviour.
#include "fuse/ops/ops.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

using namespace fuse;

namespace {

template <class Result, class F, class... Operands>
constexpr bool gives = std::is_same_v<std::invoke_result_t<F, Operands...>, Result>;

constexpr int lowest = std::numeric_limits<int>::lowest();
constexpr int highest = std::numeric_limits<int>::max();

}  // namespace

TEST_CASE("operators follow the usual arithmetic conversions") {
    STATIC_REQUIRE(gives<int, Add<>, std::int8_t, std::int8_t>);
    STATIC_REQUIRE(gives<float, Add<>, float, std::int64_t>);
    STATIC_REQUIRE(gives<double, Mul<>, float, double>);
    STATIC_REQUIRE(gives<unsigned, Sub<>, int, unsigned>);
    STATIC_REQUIRE(gives<int, Neg<>, std::uint8_t>);
    STATIC_REQUIRE(gives<float, Square<>, float>);
    STATIC_REQUIRE(gives<float, Square<>, float, int>);
    STATIC_REQUIRE(gives<double, Add<double>, float, int>);
    STATIC_REQUIRE(gives<std::complex<float>, Add<>, std::complex<float>, std::complex<float>>);
    STATIC_REQUIRE_FALSE(std::is_invocable_v<Add<>, int*, int*>);
}

TEST_CASE("mathematical functions and true division give floating point") {
    STATIC_REQUIRE(gives<float, Exp<>, float>);
    STATIC_REQUIRE(gives<double, Exp<>, double>);
    STATIC_REQUIRE(gives<double, Exp<>, int>);
    STATIC_REQUIRE(gives<float, Exp<>, std::int16_t>);
    STATIC_REQUIRE(gives<double, Exp<double>, float>);
    STATIC_REQUIRE(gives<double, Div<>, int, int>);
    STATIC_REQUIRE(gives<float, Div<>, std::uint8_t, std::int16_t>);
    STATIC_REQUIRE(gives<float, Div<>, std::int64_t, float>);
    STATIC_REQUIRE(gives<float, Divide<index_t>, float>);
    STATIC_REQUIRE(gives<float, Pow<>, float, int>);
    STATIC_REQUIRE(gives<double, Pow<>, int, int>);
    STATIC_REQUIRE(gives<float, Atan2<>, float, int>);
    STATIC_REQUIRE_FALSE(std::is_invocable_v<Exp<>, std::complex<float>>);
    STATIC_REQUIRE(Divide(4)(6.f) == 1.5f);
}

TEST_CASE("selections keep the common type") {
    STATIC_REQUIRE(gives<std::int8_t, Max<>, std::int8_t, std::int8_t>);
    STATIC_REQUIRE(gives<float, Min<>, float, int>);
    STATIC_REQUIRE(gives<std::uint8_t, Where<>, bool, std::uint8_t, std::uint8_t>);
    STATIC_REQUIRE(gives<float, Clamp<>, float, int, int>);
    STATIC_REQUIRE(gives<std::int8_t, Relu<>, std::int8_t>);
    STATIC_REQUIRE(gives<std::int8_t, Sign<>, std::int8_t>);
    STATIC_REQUIRE(gives<int, Floor<>, int>);
    STATIC_REQUIRE(gives<bool, BitXor<>, bool, bool>);
    STATIC_REQUIRE_FALSE(std::is_invocable_v<BitAnd<>, float, float>);
    STATIC_REQUIRE(gives<bool, Less<>, int, float>);
    STATIC_REQUIRE(gives<bool, LogicalAnd<>, int, float>);
}

TEST_CASE("cast computes in the compute type") {
    STATIC_REQUIRE(gives<float, Cast<float16>, double>);
    STATIC_REQUIRE(Cast<float16>{}(2049.f) == 2048.f);
    STATIC_REQUIRE(Cast<std::uint8_t>{}(-3.5f) == 0);
    STATIC_REQUIRE(Cast<bool>{}(0.25));
}

TEST_CASE("signed integers wrap around") {
    STATIC_REQUIRE(Add<>{}(highest, 1) == lowest);
    STATIC_REQUIRE(Sub<>{}(lowest, 1) == highest);
    STATIC_REQUIRE(Mul<>{}(highest, 2) == -2);
    STATIC_REQUIRE(Neg<>{}(lowest) == lowest);
    STATIC_REQUIRE(Abs<>{}(lowest) == lowest);
    STATIC_REQUIRE(Abs<>{}(std::int8_t{-128}) == 128);
    STATIC_REQUIRE(Square<>{}(65536) == 0);
    STATIC_REQUIRE(Fma<>{}(highest, 2, 3) == 1);
}

TEST_CASE("shifts are defined for every number of bits") {
    STATIC_REQUIRE(gives<int, ShiftRight<>, bool, bool>);
    STATIC_REQUIRE(gives<bool, BitNot<>, bool>);
    STATIC_REQUIRE_FALSE(std::is_invocable_v<ShiftLeft<>, float, int>);
    STATIC_REQUIRE(ShiftLeft<>{}(1, 31) == lowest);
    STATIC_REQUIRE(ShiftLeft<>{}(lowest, 1) == 0);
    STATIC_REQUIRE(ShiftLeft<>{}(1, 32) == 0);
    STATIC_REQUIRE(ShiftLeft<>{}(1, -1) == 0);
    STATIC_REQUIRE(ShiftLeft<>{}(std::int8_t{-1}, std::int8_t{7}) == -128);
    STATIC_REQUIRE(ShiftRight<>{}(lowest, 31) == -1);
    STATIC_REQUIRE(ShiftRight<>{}(-5, 64) == -1);
    STATIC_REQUIRE(ShiftRight<>{}(5, -1) == 0);
    STATIC_REQUIRE(ShiftRight<>{}(~0u, 31u) == 1u);
    STATIC_REQUIRE(ShiftRight<>{}(~0u, 32) == 0u);
    STATIC_REQUIRE(ShiftRight<>{}(~std::uint64_t{0}, std::int8_t{-1}) == 0);
    STATIC_REQUIRE(ShiftLeft<>{}(1, std::uint64_t{1} << 32) == 0);
    STATIC_REQUIRE(ShiftLeft<>{}(1, true) == 2);
    STATIC_REQUIRE(BitNot<>{}(std::uint8_t{1}) == 254);
    STATIC_REQUIRE(BitNot<>{}(true) == false);
}

namespace {

/// A shift of every kind of integer by every other has the type and, by as many bits as C++ has a value for, the value
/// that it has there.
template <class X, class Y>
void check_shifts_by() {
    STATIC_REQUIRE(gives<decltype(X() << Y()), ShiftLeft<>, X, Y>);
    STATIC_REQUIRE(gives<decltype(X() >> Y()), ShiftRight<>, X, Y>);
    const auto kept = [](auto x, auto y) { return ShiftLeft<>{}(x, y) == x << y && ShiftRight<>{}(x, y) == x >> y; };
    for (const int bits : {0, 1, 5, 31, 63}) {
        const bool has = bits < static_cast<int>(sizeof(decltype(+X())) * 8) && (!std::is_same_v<Y, bool> || bits < 2);
        for (const X x :
             {X(0), X(1), X(7), X(-8), X(100), std::numeric_limits<X>::min(), std::numeric_limits<X>::max()}) {
            CHECK((!has || kept(x, static_cast<Y>(bits))));
        }
    }
}
template <class... Y>
struct ByEach {
    template <class X>
    static void check() {
        (check_shifts_by<X, Y>(), ...);
    }
    static void check_all() { (check<Y>(), ...); }
};

}  // namespace

TEST_CASE("shifts have the type of what is shifted") {
    ByEach<bool, std::int8_t, std::int16_t, int, std::int64_t, std::uint8_t, std::uint16_t, unsigned,
           std::uint64_t>::check_all();
    STATIC_REQUIRE(ShiftRight<>{}(-8, 1u) == -4);
    STATIC_REQUIRE(ShiftRight<>{}(-8, std::uint64_t{40}) == -1);
    STATIC_REQUIRE(ShiftLeft<>{}(std::int8_t{100}, std::uint64_t{2}) == 400);
    STATIC_REQUIRE(ShiftRight<>{}(std::uint8_t{255}, std::int64_t{4}) == 15);
}

TEST_CASE("integer division floors and never traps") {
    STATIC_REQUIRE(gives<int, Fmod<>, int, std::int8_t>);
    STATIC_REQUIRE(Fmod<>{}(-7, 2) == -1);
    STATIC_REQUIRE(Fmod<>{}(7, 0) == 0);
    STATIC_REQUIRE(Fmod<>{}(7u, 0u) == 0u);
    STATIC_REQUIRE(Fmod<>{}(lowest, -1) == 0);
    STATIC_REQUIRE(FloorDiv<>{}(7, 2) == 3);
    STATIC_REQUIRE(FloorDiv<>{}(-7, 2) == -4);
    STATIC_REQUIRE(FloorDiv<>{}(7, -2) == -4);
    STATIC_REQUIRE(FloorDiv<>{}(-8, 2) == -4);
    STATIC_REQUIRE(FloorDiv<>{}(7, 0) == 0);
    STATIC_REQUIRE(FloorDiv<>{}(7u, 0u) == 0u);
    STATIC_REQUIRE(FloorDiv<>{}(lowest, -1) == lowest);
    STATIC_REQUIRE(Mod<>{}(-7, 2) == 1);
    STATIC_REQUIRE(Mod<>{}(7, -2) == -1);
    STATIC_REQUIRE(Mod<>{}(7, 0) == 0);
    STATIC_REQUIRE(Mod<>{}(7u, 0u) == 0u);
    STATIC_REQUIRE(Mod<>{}(lowest, -1) == 0);
    // What numpy gives: 0.1 is slightly more than a tenth.
    CHECK(FloorDiv<>{}(1.0, 0.1) == 9);
    CHECK(FloorDiv<>{}(6.f, 2.f) == 3);
    CHECK(FloorDiv<>{}(-1.f, 0.f) == -std::numeric_limits<float>::infinity());
}

namespace {

template <class A, class B>
void check_power_of(A base, B exponent) {
    using F = std::conditional_t<(sizeof(A) > 2 || sizeof(B) > 2), double, float>;
    STATIC_REQUIRE(gives<F, Pow<>, A, B>);
    const double exact = std::pow(static_cast<double>(base), static_cast<double>(exponent));
    const double got = static_cast<double>(Pow<>{}(base, exponent));
    CHECK(got == Catch::Approx(exact).epsilon(4 * static_cast<double>(std::numeric_limits<F>::epsilon())));
}

template <class A, class... B>
void check_powers_with() {
    const auto check = [](auto exponent) {
        using E = decltype(exponent);
        check_power_of(A{3}, exponent);
        check_power_of(A{0}, exponent);
        check_power_of(std::numeric_limits<A>::max(), E{2});
        check_power_of(std::numeric_limits<A>::lowest(), E{1});
        if constexpr (std::is_signed_v<E>) {
            check_power_of(A{2}, E{-2});
        }
    };
    (check(B{20}), ...);
}

template <class... A>
void check_all_powers() {
    (check_powers_with<A, A...>(), ...);
}

}  // namespace

TEST_CASE("powers of integers are floating point") {
    check_all_powers<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                     std::uint64_t>();
    STATIC_REQUIRE(gives<float, Pow<>, bool, bool>);
    STATIC_REQUIRE(gives<float, Pow<>, std::int64_t, float>);
    STATIC_REQUIRE(gives<float, Pow<float>, int, int>);
    CHECK(Pow<>{}(3, 40) == 12157665459056928801.0);
    CHECK(Pow<>{}(2, -1) == 0.5);
    CHECK(Pow<>{}(-3, 3) == -27);
    CHECK(Pow<>{}(0, 0) == 1);
    CHECK(Pow<>{}(0, -1) == std::numeric_limits<double>::infinity());
}

TEST_CASE("integers of different signedness compare by value") {
    STATIC_REQUIRE(Less<>{}(-1, 1u));
    STATIC_REQUIRE_FALSE(Less<>{}(1u, -1));
    STATIC_REQUIRE(Greater<>{}(1u, -1));
    STATIC_REQUIRE(GreaterEqual<>{}(std::uint64_t{0}, -1));
    STATIC_REQUIRE(LessEqual<>{}(std::int64_t{-1}, 0u));
    STATIC_REQUIRE_FALSE(Equal<>{}(-1, 0xffffffffu));
    STATIC_REQUIRE(NotEqual<>{}(0xffffffffu, -1));
    STATIC_REQUIRE_FALSE(Less<>{}(std::int8_t{-1}, false) == Less<>{}(false, std::int8_t{-1}));
    STATIC_REQUIRE(Less<>{}(std::int8_t{-1}, std::uint8_t{255}));
}

TEST_CASE("functors are empty and carry their name") {
    STATIC_REQUIRE(std::is_empty_v<Exp<>> && std::is_trivially_copyable_v<Exp<>>);
    STATIC_REQUIRE(std::is_empty_v<Clamp<>> && std::is_trivially_copyable_v<Square<>>);
    CHECK(std::string(Exp<>::name) == "exp");
    CHECK(std::string(Add<>::infix) == "+");
    CHECK(std::string(reduction_op_t<Mul<>, float>::name) == "prod");
}
