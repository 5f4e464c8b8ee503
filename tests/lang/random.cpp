// SPDX-License-Identifier: Apache-2.0
//
// Random numbers on the host and on the emulated device: the cases of random_cases.hpp, and the same bits on both.
#include "lang/random_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("random numbers are those of the paper", "", HostTarget, EmulatedTarget) {
    const TestType target;
    check_known_answer(target);
    check_random_maps(target);
    check_flat_index(target);
    check_random_operands(target);
    // On the emulated device the numbers are the same, below.
    if constexpr (std::is_same_v<TestType, HostTarget>) {
        check_random_statistics(target);
    }
}

TEMPLATE_TEST_CASE("dropout", "", HostTarget, EmulatedTarget) {
    check_dropout(TestType{});
}

TEST_CASE("neither blocks nor executors change a bit") {
    const Extent extent{33, 1001};
    Tensor<HostTarget, float> x(extent), y(extent);
    Tensor<EmulatedTarget, float> z(extent);
    fuse::eval(fuse::host, x.view<"x", 2>() = fuse::normal(77));
    HostTarget{}.eval(y.view<"y", 2>() = fuse::normal(77));
    EmulatedTarget{}.eval(z.view<"z", 2>() = fuse::normal(77));
    CHECK(x.read().value == y.read().value);
    CHECK(x.read().value == z.read().value);
}

TEST_CASE("random numbers are part of the kernel that uses them") {
    float data[6] = {};
    const auto x = fuse::view<"x">(data, 2, 3);
    using P = fuse::plan<decltype(softmax(dropout(x, 0.5, 1)))>;
    STATIC_REQUIRE(P::phases == 2);
    STATIC_REQUIRE(P::passes<"x"> == 1);
    using Same = fuse::plan<decltype(x = fuse::uniform<1>() * 0.5F + fuse::uniform<1>())>;
    STATIC_REQUIRE(Same::planner::ir_leaves::size == 2);  // the position and 0.5
    CHECK(fuse::value(fuse::host, sum(x * fuse::uniform<1>())) == 0);
}
