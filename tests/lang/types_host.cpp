// SPDX-License-Identifier: Apache-2.0
//
// All element types on the host.
#include "lang/type_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("every element type on the host", "", bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float16, bfloat16, float, double) {
    const HostTarget target;
    check_maps_of_type<TestType>(target);
    check_reductions_of_type<TestType, 0b10>(target);
}

TEST_CASE("columns and totals of element types on the host") {
    const HostTarget target;
    check_reductions_of_type<bool, 0b01>(target);
    check_reductions_of_type<std::uint16_t, 0b01>(target);
    check_reductions_of_type<bfloat16, 0b01>(target);
    check_total_of_type<std::int8_t>(target);
    check_total_of_type<float16>(target);
}

TEST_CASE("operands of mixed types on the host") {
    check_mixed_types(HostTarget{});
}

TEST_CASE("64-bit integers keep all their bits") {
    const std::int64_t large = (std::int64_t{1} << 62) + 3;
    const std::int64_t data[] = {large, -large, large - 1, 2};
    const auto x = view<"x">(data, 4);
    CHECK(value(host, max(x)) == large);
    CHECK(value(host, sum(x)) == large + 1);
    CHECK(value(host, argmin(x)) == 1);
    std::int64_t copy[4] = {};
    eval(host, view<"y">(copy, 4) = x);
    CHECK(std::equal(data, data + 4, copy));
}

TEST_CASE("a plain number takes the type of the expression beside it") {
    const float data[] = {1, 2, 3};
    const auto x = view<"x">(data, 3);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(x * 2.0)>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(2 * x)>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(x * constant<1, 3>)>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(where(x > 1, x, 0))>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(x > 2.0)>, bool>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(cast<double>(x) * 2.0F)>, double>);
    const std::int32_t whole[] = {1, 2, 3};
    const auto i = view<"i">(whole, 3);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(i * 2)>, std::int32_t>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(i * 0.5)>, double>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(i * x)>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(sum(i))>, std::int64_t>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(sum(x))>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(sum(x, accumulate<double>))>, double>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(argmax(x))>, index_t>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(any(x > 1))>, bool>);
    CHECK(value(host, sum(x * 2.0)) == 12);
    CHECK(value(host, sum(x * constant<1, 2>)) == 3);
}

TEST_CASE("a fraction beside integers of 32 and 64 bits is a double") {
    const std::int32_t narrow[] = {16777217, -16777217};
    const std::int64_t wide[] = {(std::int64_t{1} << 40) + 1};
    const std::int16_t small[] = {32767};
    const auto x = view<"x">(narrow, 2);
    const auto y = view<"y">(wide, 1);
    double half[2] = {}, leaky[2] = {}, third = 0;
    eval(host, view<"half">(half, 2) = x * constant<1, 2>, view<"leaky">(leaky, 2) = leaky_relu(x));
    eval(host, view<"third">(&third, 1) = constant<1, 3> * y);
    CHECK(half[0] == 8388608.5);
    CHECK(half[1] == -8388608.5);
    CHECK(leaky[0] == 16777217);
    CHECK(leaky[1] == Approx(-167772.17).epsilon(1e-14));
    CHECK(third == Approx((1099511627776.0 + 1) / 3).epsilon(1e-14));
    CHECK(value(host, sum(leaky_relu(y))) == 1099511627777.0);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(view<"s">(small, 1) * constant<1, 2>)>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype((x > 0) * constant<1, 2>)>, float>);
}

TEST_CASE("a constant beyond int is none of its low bits") {
    std::int64_t data[] = {1, -2};
    const auto x = view<"x">(data, 2);
    eval(host, x = x + constant<5000000000>);
    CHECK(data[0] == 5000000001);
    CHECK(data[1] == 4999999998);
    eval(host, x = constant<-5000000000>);
    CHECK(data[1] == -5000000000);
    CHECK(value(host, sum(where(x < constant<-4000000000>, x, 0))) == -10000000000);
    float f = 0;
    eval(host, view<"f">(&f, shape()) = constant<3000000000, 2>);
    CHECK(f == 1.5e9F);
}

TEST_CASE("the extents of a view cannot be changed, nor be others than its type says") {
    const float data[] = {1, 2, 3};
    using Extents = decltype(view<"x">(data, extents<dynamic, 1>{3}).shape());
    STATIC_REQUIRE(!std::is_constructible_v<Extents, Shape>);
    STATIC_REQUIRE(!std::is_assignable_v<decltype(std::declval<Extents&>()[0]), index_t>);
    STATIC_REQUIRE(std::is_constructible_v<Extents, int>);
}
