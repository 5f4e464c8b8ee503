// SPDX-License-Identifier: Apache-2.0
//
// Arrays without memory on the host and on the emulated device, what they cost, and what is refused.
#include "lang/range_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("arange, linspace, broadcast_to", "", HostTarget, EmulatedTarget) {
    const TestType target;
    check_arange(target);
    check_tables(target);
    check_broadcast_to(target);
    check_range_parts(target);
    check_random_arrays(target);
}

TEST_CASE("what has no memory is not read") {
    using P = fuse::plan<decltype(sum(fuse::linspace(0.0, 1.0, 9)))>;
    STATIC_REQUIRE(P::kernels == 1);
    STATIC_REQUIRE(P::phases == 1);
    const std::string text = fuse::explain(fuse::host, sum(fuse::arange(8)));
    CHECK(text.find("reads") == std::string::npos);
    CHECK(text.find("sum(broadcast_to(index<0>(), shape))") != std::string::npos);
}

TEST_CASE("shapes that do not fit, and ranges without an end") {
    std::vector<float> data(6);
    const auto x = fuse::view<"x">(data, 2, 3);
    CHECK_THROWS_WITH(fuse::broadcast_to(x, 3, 3), "broadcast_to: x(2, 3) does not broadcast to the shape (3, 3)");
    CHECK_THROWS_WITH(fuse::broadcast_to(x, 1, 3), "broadcast_to: x(2, 3) does not broadcast to the shape (1, 3)");
    CHECK_THROWS_WITH(fuse::broadcast_to(1, -1), "broadcast_to: 1() does not broadcast to the shape (-1)");
    CHECK_THROWS_WITH(fuse::linspace(0, 1, -1), "linspace: -1 elements");
    CHECK_THROWS_AS(fuse::arange(0, 5, 0), fuse::argument_error);
    CHECK_THROWS_AS(fuse::arange(0.0, 5.0, 0.0), fuse::argument_error);
    CHECK_THROWS_AS(fuse::value(fuse::host, sum(x + fuse::arange(4))), fuse::shape_error);
    CHECK(fuse::value(fuse::host, sum(fuse::arange(-4))) == 0);
    CHECK(fuse::value(fuse::host, sum(fuse::arange(5, 1))) == 0);
    CHECK(fuse::value(fuse::host, sum(fuse::arange(3U))) == 3);
    const auto least = std::numeric_limits<std::int64_t>::min();
    CHECK(fuse::value(fuse::host, max(fuse::arange(least, std::numeric_limits<std::int64_t>::max(),
                                                   std::int64_t{1} << 62))) == std::int64_t{1} << 62);
}
