// SPDX-License-Identifier: Apache-2.0
//
// A user's reductions and functors on the host and on the emulated device.
#include "lang/user_op_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("ops given by the protocol and as functors with an identity", "", HostTarget, EmulatedTarget) {
    check_protocol_ops(TestType{});
}

TEMPLATE_TEST_CASE("reduction ops with state", "", HostTarget, EmulatedTarget) {
    check_ops_with_state(TestType{});
}

TEMPLATE_TEST_CASE("functors that capture", "", HostTarget, EmulatedTarget) {
    check_capturing_functors(TestType{});
}

TEST_CASE("lambdas on the host") {
    const float data[] = {1, 2, 3};
    const auto x = view<"x">(data, 3);
    CHECK(value(host, reduce(SmoothMaximum{1}, view(data, shape()))) == 1);
    const float shift = 10;
    CHECK(value(host, sum(map([](float a, float b) { return a * b; }, x, x))) == 14);
    CHECK(value(host, sum(map([shift](float a) { return a + shift; }, x))) == 36);
    CHECK(value(host, sum(map([](float a, int b, double c, float d) { return a * static_cast<float>(b + c) + d; }, x, 2,
                              0.5, x))) == 21);
}
