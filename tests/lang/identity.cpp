// SPDX-License-Identifier: Apache-2.0
//
// Functions that use an operand several times use one value: with run-time numbers, unnamed views, functors with state
// or index<> in their operands they plan the leaves, reductions and passes of operands with a name of their own.
#include <string>

#include "lang/one_value.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("statistics of one value") {
    check([](const auto& h) { return var(h, axes<1>); });
    check([](const auto& h) { return stddev<1>(h, axes<-1>, keepdims); });
    check([](const auto& h) { return logsumexp(h, axes<1>); });
    check([](const auto& h) { return nanmean(h, axes<1>); });
    check([](const auto& h) { return ptp(h, axes<1>); });
    check([](const auto& h) { return norm<2>(h, axes<1>); });
    check([](const auto& h) { return take(h, label, axes<1>); });
    check([](const auto& h) { return var(h); });
}

TEST_CASE("norms of one value") {
    check([](const auto& h) { return softmax(h); });
    check([](const auto& h) { return log_softmax(h); });
    check([](const auto& h) { return layer_norm(h); });
    check([](const auto& h) { return layer_norm(h, line * 2.0F, line, 1e-3); });
    check([](const auto& h) { return rms_norm(h, line); });
    check([](const auto& h) { return l2_normalize(h); });
    check([](const auto& h) { return softmax(h, axes<0>); });
}

TEST_CASE("losses of one value each") {
    check_pair([](const auto& a, const auto& b) { return mse_loss(a, b); });
    check_pair([](const auto& a, const auto& b) { return l1_loss(a, b, reduction::none); });
    check_pair([](const auto& a, const auto& b) { return huber_loss(a, b, 0.5); });
    check_pair([](const auto& a, const auto& b) { return binary_cross_entropy_with_logits(a, b); });
    check_pair([](const auto& a, const auto& b) { return kl_div(a, b, reduction::sum); });
    check_pair([](const auto& a, const auto& b) { return cosine_similarity(a, b); });
    check([](const auto& h) { return cross_entropy(h, label); });
    check([](const auto& h) { return cross_entropy(h, label + 1, reduction::none); });
}

TEST_CASE("what a plan costs, in numbers") {
    // x and 0.125; the maximum and the sum.
    STATIC_REQUIRE(cost<decltype(softmax(x * 0.125F))>() == Cost{2, 0, 2, 2, 1, Family::rows, false});
    // x, 0.125 and eps; the mean and the variance.
    STATIC_REQUIRE(cost<decltype(layer_norm(x * 0.125F))>() == Cost{3, 0, 2, 2, 1, Family::rows, false});
    STATIC_REQUIRE(cost<decltype(layer_norm(x + r))>() == Cost{3, 0, 2, 2, 1, Family::rows, false});
    STATIC_REQUIRE(cost<decltype(softmax(map(Shifted{2}, x)))>() == Cost{1, 1, 2, 2, 1, Family::rows, false});
    // x, t and delta.
    STATIC_REQUIRE(cost<decltype(huber_loss(x, t, 0.5F))>() == Cost{3, 0, 1, 1, 1, Family::full, false});
    // a and b, eps.
    STATIC_REQUIRE(cost<decltype(cosine_similarity(x, r))>() == Cost{3, 0, 3, 1, 1, Family::rows, false});
    // x, the sum of it and the unnamed labels, 1; the three of cross_entropy, the mean and the count.
    STATIC_REQUIRE(cost<decltype(cross_entropy(x + r, label + 1))>() == Cost{4, 0, 5, 2, 1, Family::rows, true});
    // The result of one is the operand of the next: a number for each.
    STATIC_REQUIRE(leaves<decltype(softmax(softmax(x * 0.5F) * 0.5F))> == 3);
    STATIC_REQUIRE(cost<decltype(softmax(softmax(x * 0.5F) * 0.5F))>().reductions == 4);
}

TEST_CASE("let in a function of one's own") {
    const auto swish = [](const auto& e) { return let(e, [](auto h) { return h * sigmoid(h); }); };
    STATIC_REQUIRE(leaves<decltype(swish(x * 0.5F))> == 2);
    // The two expressions of a minmax, where they are used.
    const auto spread = let(x * 0.5F, [](auto h) {
        const auto [low, high] = minmax(h, axes<1>);
        return high - low;
    });
    STATIC_REQUIRE(cost<decltype(spread)>() == Cost{2, 0, 1, 1, 1, Family::rows, false});
    // A number is an operand, too.
    const auto ramp = let(x, 6, [](auto h, auto six) { return h * min(max(h + 3, 0), six) / six; });
    STATIC_REQUIRE(leaves<decltype(ramp)> == 4);
    // What is one value anyway is handed on as it is.
    STATIC_REQUIRE(std::is_same_v<decltype(let(x, [](auto h) { return h * h; })), decltype(x * x)>);
}

TEST_CASE("each let is a value of its own, also of one function and one type") {
    const float data[] = {1, 2, 3, 4};
    const float other[] = {10, 20, 30, 40};
    float out[4] = {};
    const auto scaled = [](const auto& e, float by) { return let(e * by, [](auto h) { return h / sum(h) + h; }); };
    const auto a = view(data);
    const auto b = view(other);
    const auto y = view(out);
    eval(host, y = scaled(a, 2) - scaled(a, 4));
    CHECK((out[0] == -2 && out[3] == -8));
    eval(host, y = scaled(a, 1) + scaled(b, 0.1F));
    CHECK(out[2] == Catch::Approx(0.3 + 3 + 0.3 + 3));

    // Nested, with operands of the inner one that the outer one has, and the same types throughout.
    const auto nested = let(a, [&b](auto u) {
        return let(b, [u](auto v) { return let(u - v, [u, v](auto w) { return w * w + u * 100 + v; }); });
    });
    STATIC_REQUIRE(leaves<decltype(nested)> == 3);
    eval(host, y = nested);
    CHECK((out[0] == 81 + 100 + 10 && out[3] == 36 * 36 + 400 + 40));

    // A name inside, and a name around.
    const auto inside = let(a * 2.0F, [](auto u) { return named<"h">(u + 1.0F) * named<"h">(u + 1.0F); });
    STATIC_REQUIRE(leaves<decltype(inside)> == 3);
    eval(host, y = inside);
    CHECK((out[0] == 9 && out[3] == 81));
    const auto around = named<"g">(scaled(a, 3));
    STATIC_REQUIRE(leaves<decltype(around * around)> == 2);
    eval(host, y = around - around);
    CHECK((out[0] == 0 && out[3] == 0));
}

TEST_CASE("a let is printed as its formula") {
    const auto e = let(x * 0.125F, [](auto h) { return h - mean(h); });
    Text text;
    text << e;
    CHECK(std::string(text.c_str()) == "((x * 0.125) - mean(x * 0.125))");
    const auto wrong = softmax(x * 0.125F + view<"w">(static_cast<const float*>(nullptr), 3));
    CHECK_THROWS_WITH(value(host, sum(wrong)),
                      "cannot broadcast (x * 0.125)(4, 5) with w(3) on axis 1 in ((x * 0.125) + w)");
}
