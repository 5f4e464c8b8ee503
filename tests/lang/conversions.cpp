// SPDX-License-Identifier: Apache-2.0
//
// Conversions to integers, from every type, on the host and on the emulated device.
#include "fuse/stencil.hpp"
#include "lang/conversion_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("stores and casts to integers", "", std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double) {
    // A cast converts as a store does: of floating point and of some integers.
    constexpr bool casts = std::is_signed_v<TestType> && sizeof(TestType) != 2;
    check_conversions<TestType, casts>(HostTarget{});
    check_conversions<TestType, casts && sizeof(TestType) == 4>(EmulatedTarget{});
}

TEMPLATE_TEST_CASE("rounded numbers as integers", "", std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t) {
    check_rounded_conversions<TestType>(HostTarget{});
    check_rounded_conversions<TestType>(EmulatedTarget{});
}

TEMPLATE_TEST_CASE("fills of integers and what pad puts around them", "", std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    const auto check = [](auto number) {
        INFO("of " << static_cast<double>(number));
        const auto expected = static_cast<TestType>(converted<TestType>(number));
        TestType out[3] = {1, 1, 1};
        eval(host, view<"y">(out) = number);
        CHECK(out[0] == expected);
        constexpr bool is_double = std::is_same_v<decltype(number), double>;
        if constexpr (is_double || (std::is_integral_v<decltype(number)> && sizeof(TestType) != 2)) {
            const TestType in[] = {5};
            eval(host, view<"y">(out) = pad(view<"x">(in), 1, 1, axes<0>, number));
            CHECK((out[0] == expected && out[1] == 5 && out[2] == expected));
        }
        if constexpr (is_double) {
            auto whole = tensor<TestType>(2);
            eval(host, whole = number);
            CHECK(to_vector(whole)[1] == expected);
        }
    };
    for (const double number : telling_values<double>()) {
        check(number);
        check(static_cast<float>(number));
    }
    for (const std::int64_t number : telling_values<std::int64_t>()) {
        check(number);
    }
}

TEST_CASE("fills of bool") {
    bool out[1] = {};
    eval(host, view<"y">(out) = 0.25);
    CHECK(out[0]);
    eval(host, view<"y">(out) = 0.0F);
    CHECK(!out[0]);
    eval(host, view<"y">(out) = 256);
    CHECK(out[0]);
}

TEST_CASE("what image programs meet") {
    std::uint8_t bright[] = {255, 200};
    std::uint8_t out[2] = {};
    eval(host, view<"y">(out) = view<"u">(bright) + view<"u">(bright));
    CHECK((out[0] == 254 && out[1] == 144));
    eval(host, view<"y">(out) = view<"u">(bright) * 2.0F);
    CHECK((out[0] == 255 && out[1] == 255));
    CHECK(value(host, cast<std::uint8_t>(scalar(300))) == 44);
    CHECK(value(host, cast<std::uint8_t>(scalar(300.0F))) == 255);
    const std::int64_t large[] = {std::int64_t{1} << 40U};
    std::int32_t narrow[1] = {-1};
    eval(host, view<"y">(narrow) = view<"x">(large));
    CHECK(narrow[0] == 0);
}

TEST_CASE("types of numbers beside integers") {
    std::int32_t n[] = {3};
    std::int8_t m[] = {3};
    const auto x = view<"x">(n);
    const auto y = view<"y">(m);
    static_assert(std::is_same_v<value_t<decltype(x * 2.5)>, double>);
    static_assert(std::is_same_v<value_t<decltype(x * 2.5F)>, float>);
    static_assert(std::is_same_v<value_t<decltype(y + 1)>, int>);
    CHECK(value(host, sum(x * 2.5)) == 7.5);
}

TEST_CASE("numbers of 16 bits are the floats that they are") {
    bfloat16 elements[] = {bfloat16(1.0F), bfloat16(3.0F)};
    bfloat16 out[2];
    const std::int32_t n[] = {3};
    const auto x = view<"x">(elements);
    const bfloat16 two(2.0F);
    static_assert(std::is_same_v<value_t<decltype(view<"n">(n) * two)>, float>);
    eval(host, view<"y">(out) = where(x > two, x * two, float16(0.5F)) + scalar<"s">(bfloat16(1.0F)));
    CHECK((static_cast<float>(out[0]) == 1.5F && static_cast<float>(out[1]) == 7.0F));
    eval(host, view<"y">(out) = two);
    CHECK(static_cast<float>(out[1]) == 2.0F);
}
