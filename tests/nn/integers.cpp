// SPDX-License-Identifier: Apache-2.0
//
// Formulas that compute in floating point, of every integer type, on the host and on the emulated device; and that
// operands which are floating already take part as they are, in the same plan as the formula written by hand.
#include "fuse/nn/binary_loss.hpp"
#include "fuse/nn/likelihood_loss.hpp"
#include "fuse/nn/ranking_loss.hpp"
#include "nn/integer_cases.hpp"

#include <cstdint>

#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("integers of every type in norms, softmax and losses", "", HostTarget, EmulatedTarget) {
    const TestType target;
    check_integer_pair<std::int8_t, std::uint8_t>(target);
    if constexpr (std::is_same_v<TestType, HostTarget>) {  // emulated kernels are long to compile
        check_integer_pair<std::uint16_t, std::int16_t>(target);
        check_integer_pair<std::int32_t, std::uint32_t>(target);
        check_integer_pair<std::uint64_t, std::int64_t>(target);
    }
}

// Types whose squares and differences int does not hold: a formula that computed in it would show. One computes in
// float and one in double.
TEST_CASE("integers in every norm, softmax and loss") {
    check_integer_rows<std::uint16_t>(HostTarget{});
    check_integer_rows<std::int32_t>(HostTarget{});
    check_integer_losses<std::int32_t>(HostTarget{});
}

TEST_CASE("integers that were wrong, word for word") {
    const std::vector<std::int32_t> sides{60000, 80000};
    CHECK(value(host, norm<2>(view<"x">(sides))) == 100000);
    const std::vector<std::int64_t> long_sides{3000000000, 4000000000};
    CHECK(value(host, norm<2>(view<"x">(long_sides))) == 5e9);
    const std::vector<std::uint32_t> scores{1, 2, 3};
    const double total = std::exp(-2.0) + std::exp(-1.0) + 1;
    CHECK(value(host, logsumexp(view<"x">(scores))) == Catch::Approx(3 + std::log(total)));
    std::vector<double> shares(3);
    eval(host, view<"y">(shares) = softmax(view<"x">(scores)));
    CHECK((shares[0] == Catch::Approx(std::exp(-2.0) / total) && shares[2] == Catch::Approx(1 / total)));
    const std::vector<std::int32_t> lowest{std::numeric_limits<std::int32_t>::lowest()};
    CHECK(value(host, norm<1>(view<"x">(lowest))) == 2147483648.0);
    CHECK(value(host, norm<inf>(view<"x">(lowest))) == 2147483648.0);
    const std::vector<std::uint8_t> low{1};
    const std::vector<std::uint8_t> high{255};
    CHECK(value(host, l1_loss(view<"x">(low), view<"y">(high))) == 254);
    bool flags[] = {true, false, true};
    CHECK(value(host, norm<2>(view<"x">(flags))) == Catch::Approx(std::sqrt(2.0)));
}

TEMPLATE_TEST_CASE("floating operands are not converted", "", float, double, float16, bfloat16) {
    using X = View<const TestType, name_t<"x">, dynamic, dynamic>;
    using Y = View<const TestType, name_t<"y">, dynamic, dynamic>;
    const X x(nullptr, Shape{2, {2, 3}}, Shape{2, {3, 1}});
    const Y y(nullptr, Shape{2, {2, 3}}, Shape{2, {3, 1}});
    const auto same = []<class A, class B>(const A&, const B&) { return std::is_same_v<A, B>; };
    constexpr auto last = axes<-1>;
    const auto s = x - stop_gradient(max(x, last, keepdims));
    const auto e = exp(s);
    CHECK(same(softmax(x), e * reciprocal(sum(e, last, keepdims))));
    CHECK(same(log_softmax(x), s - log(sum(exp(s), last, keepdims))));
    CHECK(same(layer_norm(x), (x - mean(x, last, keepdims)) * rsqrt(var(x, last, keepdims) + 1e-5)));
    CHECK(same(rms_norm(x), x * rsqrt(mean(square(x), last, keepdims) + 1e-5)));
    CHECK(same(l2_normalize(x), x / max(sqrt(sum(square(x), last, keepdims)), 1e-5)));
    // A number that a formula uses more than once is one value of a let, whose type has no other name.
    const auto cosine = sum(x * y, last) / (max(norm<2>(x, last), 1e-8) * max(norm<2>(y, last), 1e-8));
    CHECK(std::is_same_v<value_t<decltype(cosine_similarity(x, y))>, value_t<decltype(cosine)>>);
    CHECK(same(norm<1>(x), sum(abs(x))));
    CHECK(same(norm<2>(x), sqrt(sum(square(x)))));
    CHECK(same(norm<3>(x), pow(sum(pow(abs(x), constant<3>)), constant<1, 3>)));
    CHECK(same(norm<inf>(x), max(abs(x))));
    CHECK(same(mse_loss(x, y), mean(square(x, y))));
    CHECK(std::is_same_v<value_t<decltype(mse_loss(x, 2))>, value_t<decltype(mean(square(x, 2)))>>);
    CHECK(same(l1_loss(x, y), mean(abs(x - y))));
    CHECK(same(binary_cross_entropy_with_logits(x, y), mean((constant<1> - y) * x + softplus(-x))));
}

TEST_CASE("a number as the first operand makes nothing a double") {
    const float data[] = {0.25F, 1, 2};
    const std::int64_t signs[] = {1, -1, 1};
    const auto y = view<"y">(data);
    const auto t = view<"t">(signs);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(margin_ranking_loss(0.5, y, t))>, float>);
    CHECK(value(host, margin_ranking_loss(0.5, y, t)) == Catch::Approx((0 + 0 + 1.5) / 3));
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(gaussian_nll_loss(0.5, y, t))>, float>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(binary_cross_entropy(0.5, y, t))>, float>);
}
