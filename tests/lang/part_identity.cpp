// SPDX-License-Identifier: Apache-2.0
//
// What is one value in a part of an expression, and what is not; what is no part.
#include <cmath>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

using namespace fuse;

TEST_CASE("in a part a name goes on being an identity, in two parts it is other data") {
    const std::vector<float> data{1, 2, 3, 4, 5, 6};
    const auto x = view<"x">(data, 2, 3);
    const auto u = view(data, 2, 3);
    std::vector<float> out(3);
    const auto y = view<"y">(out);
    using Named = plan<decltype(y = softmax(x)[1])>;
    using Bound = plan<decltype(y = softmax(u)[1])>;
    using Other = plan<decltype(y = softmax(x * 0.5F)[1])>;
    STATIC_REQUIRE((Named::planner::ir_leaves::size == 1 && Bound::planner::ir_leaves::size == 1));
    STATIC_REQUIRE((Other::planner::ir_leaves::size == 2 && Other::phases == 2));
    using OfColumn = plan<decltype(y = column(x / sum(x, axes<1>, keepdims), 1))>;
    STATIC_REQUIRE(OfColumn::passes<"x"> == 1);
    const auto expected = [&](std::size_t i) {
        return std::exp(data[3 + i]) / (std::exp(4.0F) + std::exp(5.0F) + std::exp(6.0F));
    };
    eval(host, y = softmax(u)[1]);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(out[i] == Approx(expected(i)));
    }
    eval(host, y = (x * 10)[0] + (x * 1)[1]);
    CHECK(out == std::vector<float>{14, 25, 36});
    using Turned = plan<decltype(view<"z">(out.data(), 3, 2) = transpose(softmax(x)))>;
    STATIC_REQUIRE((Turned::planner::ir_leaves::size == 1 && Turned::phases == 2));
    eval(host, view<"z">(out.data(), 3, 1) = transpose(slice<0>(softmax(x), 1, 2)));
    CHECK(out[2] == Approx(expected(2)));
    const auto row_of = [](const auto& e, index_t i) { return e[i]; };  // one place in the program, two parts
    eval(host, y = row_of(x * 10, 0) + row_of(x * 10, 1));
    CHECK(out == std::vector<float>{50, 70, 90});
    const auto h = named<"h">(u * 2.0F);
    eval(host, y = h[0] * 10 + h[1] + 0.0F * sum(h));
    CHECK(out == std::vector<float>{28, 50, 72});
    eval(host, y = let(u * 2.0F, [](const auto& v) { return v[0] * 10 + v[1]; }));
    CHECK(out == std::vector<float>{28, 50, 72});
    eval(host, y = let(u * 2.0F, [](const auto& v) { return v / max(v); })[0]);
    CHECK(out[2] == Approx(0.5));
    const std::vector<float> more{0, 0, 0, 3, 2, 1};
    const auto w = view(more, 2, 3);  // two lets of one function
    eval(host, y = (softmax(u) - softmax(w))[1]);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(out[i] == Approx(expected(i) - expected(2 - i)).margin(1e-6));
    }
    eval(host, y = let(u * 2.0F, [](const auto& v) {
                   return let(v[0] * 10.0F, [](const auto& first) { return first + 0.0F * max(first); }) + v[1];
               }));
    CHECK(out == std::vector<float>{28, 50, 72});
    eval(host, y = (x[0] + softmax(x)[0] * 0)[0] + x[1]);
    CHECK(out == std::vector<float>{5, 6, 7});
}

TEST_CASE("what is no part of an expression") {
    const std::vector<float> data(24);
    const auto x = view<"x">(data, 4, 6);
    std::vector<float> out(12, 7);
    const auto u = view(data, 4, 6);  // of x, which has a name, it is two steps: several_spaces_host.cpp
    CHECK_THROWS_AS(eval(host, view<"y">(out, 2, 6) = slice<0>(u - max(u), 1, 3)), shape_error);
    CHECK(out == std::vector<float>(12, 7));
    CHECK_THROWS_WITH(static_cast<void>((x * 2)[4]), "index 4 is outside axis 0 of (x * 2)(4, 6)");
    CHECK_THROWS_WITH(static_cast<void>(column(x * 2, -7)), "index -7 is outside axis 1 of (x * 2)(4, 6)");
    CHECK_THROWS_WITH(static_cast<void>(slice<0>(x * 2, 0, 1, 0)), "slice of (x * 2)(4, 6): the step is 0");
    CHECK_THROWS_WITH(static_cast<void>(squeeze<0>(x * 2)), "squeeze: axis 0 of (x * 2)(4, 6) has extent 4, not 1");
    CHECK_THROWS_WITH(static_cast<void>((x * view<"v">(data.data(), 5))[0]),
                      "cannot broadcast x(4, 6) with v(5) on axis 1 in (x * v)");
    CHECK_THROWS_WITH(static_cast<void>(slice<0>(expand_dims<0>(x) * 2, 0, 0)),
                      "slice of (expand_dims<0>(x) * 2)(1, 4, 6): axis 0 is that of no view, which could have no "
                      "elements. Evaluate it into a view first");
}
