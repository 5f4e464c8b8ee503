// SPDX-License-Identifier: Apache-2.0
#include "lang/repeated_cases.hpp"
#include "plan/paper.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("rows beside operands of which each has one element, on the emulated device") {
    sweep_repeated(EmulatedTarget{});
}

TEST_CASE("such operands keep no row from registers") {
    const auto x = fuse::view<"x">(paper<float>(0), 256, 64, 3136);
    const auto y = fuse::view<"y">(paper<float>(1), 256, 64, 3136);
    const auto k = fuse::view<"k">(paper<float>(2), 256, 64, 1);
    const auto w = fuse::view<"w">(paper<float>(3) + 1, 64, 1);
    const auto centred = x - mean(x, fuse::axes<2>, fuse::keepdims);
    const auto name = [](const auto& statement) { return std::string(plan_launch(statement).launch.name); };
    CHECK(name(y = centred * w) == "rows resident");
    CHECK(name(y = centred * k + w) == "rows resident");
    CHECK(name(y = softmax(x * k)) == "rows resident");
    CHECK(name(y = softmax(x * w)) == "rows resident");
}
