// SPDX-License-Identifier: Apache-2.0
//
// The habits of habit_cases.hpp on the host and on the emulated device, and the standard library's names in scope.
#include <algorithm>
#include <numeric>

#include "lang/habit_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("assignments in place") {
    check_in_place(HostTarget{});
    check_in_place(EmulatedTarget{});
}

TEST_CASE("shifts and the inverse") {
    check_shifts(HostTarget{});
    check_shifts(EmulatedTarget{});
}

TEST_CASE("reductions that skip NaN, ranges and dot products") {
    check_named_reductions(HostTarget{});
    check_named_reductions(EmulatedTarget{});
}

TEST_CASE("several values of one kernel") {
    check_several_values(HostTarget{});
    check_several_values(EmulatedTarget{});
}

TEST_CASE("differences of neighbours") {
    check_differences(HostTarget{});
    check_differences(EmulatedTarget{});
}

TEST_CASE("numbers as conditions") {
    check_conditions(HostTarget{});
    check_conditions(EmulatedTarget{});
}

TEST_CASE("lerp, nan_to_num and isclose at the ends of their ranges") {
    check_lerp_and_limits(HostTarget{});
    check_lerp_and_limits(EmulatedTarget{});
}

TEST_CASE("a difference of a named view has one identity, and its static extents") {
    float data[2][4] = {{1, 2, 4, 8}, {1, 3, 9, 27}};
    const auto x = fuse::view<"x">(data);
    const auto s = fuse::view<"s">(&data[0][0], fuse::extents<2, 4>{});
    const auto d = diff(x);
    using P = fuse::plan<decltype(fuse::view<"y">(&data[0][0], 2, 3) = d / max(d, fuse::axes<1>, fuse::keepdims))>;
    STATIC_REQUIRE(P::planner::ir_leaves::size == 2);
    STATIC_REQUIRE(P::passes<"x[:,1:]"> == 1);
    STATIC_REQUIRE(decltype(diff(s))::rank == 2);
    fuse::Text text;
    diff(s, fuse::axes<0>).print(text);
    CHECK(std::string(text.c_str()) == "(s[1:] - s[:-1])");
    CHECK(fuse::value(fuse::host, sum(diff(s))) == 33);
}

TEST_CASE("min, max and clamp of equal types beside those of the standard library") {
    using namespace std;
    float a[3] = {1, 5, -2}, b[3] = {2, 4, -3}, c[3] = {};
    const auto x = fuse::view(a, 3), y = fuse::view(b, 3), z = fuse::view(c, 3);
    fuse::eval(fuse::host, z = max(x, y));
    CHECK((c[0] == 2 && c[1] == 5 && c[2] == -2));
    fuse::eval(fuse::host, z = min(x, y));
    CHECK((c[0] == 1 && c[1] == 4 && c[2] == -3));
    fuse::eval(fuse::host, z = clamp(x, y, y) + lerp(x, y, 0) - fmod(x, x) + pow(x * 0, y * 0) - 1);
    CHECK((c[0] == 3 && c[1] == 9 && c[2] == -5));
    CHECK(fuse::value(fuse::host, max(max(x * 2, y * 2))) == 10);
    CHECK(max(1, 2) == 2);
}
