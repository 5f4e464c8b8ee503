// SPDX-License-Identifier: Apache-2.0
//
// What holds rows, and how many threads have one, where measurements have decided it.
#include "plan/paper.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("a warp takes a row of 2 KiB, and one of 4 KiB where an epilogue follows") {
    const auto x = [](index_t n) { return view<"x">(paper<const float>(0), 4096, n); };
    const auto of_softmax = [&](index_t n) {
        return plan_launch(view<"y">(paper<float>(1), 4096, n) = softmax(x(n))).launch.dim_x;
    };
    const auto of_mean = [&](index_t n) {
        return plan_launch(view<"y">(paper<float>(1), shape()) = mean(max(x(n), axes<1>))).launch.dim_x;
    };
    CHECK(of_softmax(512) == 32);
    CHECK(of_softmax(516) == 64);
    CHECK(of_mean(1024) == 32);
    CHECK(of_mean(1028) == 96);
}

TEST_CASE("long rows of 16 bits are held in registers where their sweeps are quick, or each has a multiprocessor") {
    const auto name = [](const auto& statement) { return std::string(plan_launch(statement).launch.name); };
    const auto e = [](index_t rows) { return view<"e">(paper<float>(4), rows); };
    for (const index_t rows : {100, 8192}) {
        const auto x = view<"x">(paper<const bfloat16>(0), rows, 16384);
        const auto z = view<"z">(paper<const bfloat16>(1), rows, 16384);
        const auto k = view<"k">(paper<const bfloat16>(2), 16384);
        const auto y = view<"y">(paper<bfloat16>(3), rows, 16384);
        const std::string few = rows < 132 ? "rows resident" : "rows staged";
        CHECK(name(y = softmax(x)) == "rows resident");
        CHECK(name(y = log_softmax(x)) == "rows resident");
        CHECK(name(e(rows) = sum(softmax(x) * log_softmax(x), axes<1>)) == "rows resident");
        CHECK(name(y = softmax(x + k)) == few);
        CHECK(name(y = softmax(x + z)) == few);
        CHECK(name(y = softmax(tanh(x))) == "rows staged");
        CHECK(name(y = softmax(where(index<1>() <= index<0>(), x, -1e30F))) == "rows staged");
    }
}
