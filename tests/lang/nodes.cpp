// SPDX-License-Identifier: Apache-2.0
//
// What every kind of node says about itself, asked by a walk that knows no kind: an expression rebuilt from its parts
// is the same expression, and one rebuilt on other operands is what the user would have written with them.
#include <string>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

using namespace fuse;

namespace {

/// e with every leaf replaced by what f makes of it.
template <class E, class F>
auto rebuilt(const E& e, const F& f) {
    if constexpr (std::is_same_v<typename E::operands, operand_types<>>) {
        return f(e.with());
    } else {
        return e.on_operands([&](const auto&... operand) { return e.with(rebuilt(operand, f)...); });
    }
}

template <class E>
std::string text(const E& e) {
    Text out;
    out << e;
    return out.c_str();
}

const float data[] = {1, 2, 3, 4, 5, 6};
const auto x = view<"x">(data, 2, 3);
const auto v = view<"v">(data, 3);

template <class E>
void check_rebuilt(const E& e) {
    const auto again = rebuilt(e, [](const auto& leaf) { return leaf; });
    STATIC_REQUIRE(std::is_same_v<std::remove_const_t<decltype(again)>, E>);
    CHECK(text(again) == text(e));
    CHECK(shape_of(again) == shape_of(e));
}

/// Views become twice themselves.
struct Twice {
    template <class E>
    auto operator()(const E& leaf) const {
        if constexpr (E::reads) {
            return leaf + leaf;
        } else {
            return leaf;
        }
    }
};

}  // namespace

TEST_CASE("an expression is rebuilt from its parts") {
    check_rebuilt(x * 2.0F + constant<1, 3> * cast<float>(index<1>()) - scalar<"k">(3.0F));
    check_rebuilt(x + cast<float>(flat_index()) + uniform<3>() * dropout(v, 0.5, 4));
    check_rebuilt(sum(x, axes<1>, keepdims) + mean(x, axes<0>) + max(v));
    check_rebuilt(cumsum(x, axes<1>, exclusive) + x);
    check_rebuilt(argsort(x, descending));
    check_rebuilt(compact(v, v > 2.0F));
    check_rebuilt(expand_dims<0>(v) * expand_dims<1>(sum(x, axes<1>)));
    check_rebuilt(map(Add<>{}, broadcast(x, v)));
    check_rebuilt(named<"h">(v * 2.0F) + v);
    check_rebuilt(softmax(x * 0.5F));
    check_rebuilt(softmax(x * 0.5F)[1] + named<"h">(x + v)[0]);
    check_rebuilt(map([k = 2.0F](float a, float b) { return a * k + b; }, x, v));
}

TEST_CASE("an expression is rebuilt on other operands") {
    const auto doubled = [](const auto& e) { return rebuilt(e, Twice{}); };
    CHECK(text(doubled(sum(x, axes<1>, keepdims) * v)) == "(sum(x + x, axes<1>, keepdims) * (v + v))");
    CHECK(text(doubled(cumsum(expand_dims<0>(v), axes<1>))) == "cumsum(expand_dims<0>(v + v), axes<1>)");
    CHECK(text(doubled(named<"h">(v) + index<0>())) == "(h + index<0>())");

    // The parts of a let go on being one value.
    const auto u = view(data, 2, 3);
    const auto before = let(u * 0.5F, [](auto h) { return h / sum(h) + 1.0F; });
    const auto after = doubled(before);
    std::vector<float> out(6);
    const auto y = view<"y">(out.data(), 2, 3);
    STATIC_REQUIRE(plan<decltype(y = before)>::planner::ir_leaves::size == 3);
    STATIC_REQUIRE(plan<decltype(y = after)>::planner::ir_leaves::size == 4);  // two places of u
    STATIC_REQUIRE(plan<decltype(y = after)>::planner::ir_reductions::size == 1);
    eval(host, y = after - before);
    CHECK(out == std::vector<float>(6));
}

TEST_CASE("an expression reads as users write it") {
    const auto i = cast<int>(v);
    CHECK(text(i) == "cast<int>(v)");
    CHECK(text(cast<bfloat16>(cast<std::uint8_t>(cast<bool>(v)))) == "cast<bfloat16>(cast<uint8_t>(cast<bool>(v)))");
    CHECK(text(exp(-x)) == "exp(-x)");
    CHECK(text(-(v + 1) * ~i) == "((-(v + 1)) * (~cast<int>(v)))");
    CHECK(text(any(!(v > 2))) == "any(!(v > 2))");
    CHECK(text(floor_divide(v, 2)) == "floor_divide(v, 2)");
    CHECK(text(stddev<1>(x, axes<1>)) == "sqrt(mean(square(x - mean(x, axes<1>, keepdims)), axes<1>, ddof = 1))");
    CHECK(text(var(v)) == "mean(square(v - mean(v, keepdims)))");
    CHECK(text(max(x, axes<0>, nan::ignore, keepdims)) == "max(x, axes<0>, nan::ignore, keepdims)");
    CHECK(text(argmin(v, nan::ignore)) == "argmin(v, nan::ignore)");
    CHECK(text(nansum(v + 1)) == "sum(where(isnan(v + 1), 0, v + 1))");
    CHECK(text(ptp(v)) == "(minmax(v).max - minmax(v).min)");
    CHECK(text(minmax(v).min) == "minmax(v).min");
    CHECK(text(sort(v, descending)) == "sort(v, descending)");
    CHECK(text(take(x, i, axes<0>)) == "take(x, expand_dims<0>(cast<int>(v)), axes<0>)");
    CHECK(text(dropout(v, 0.5, 4)) == "(v * dropout(1, 0.5, 4))");
    CHECK(text(uniform(7) + normal(8) * v) == "(uniform(7) + (normal(8) * v))");
    CHECK(text(compact(v, v > 2)) == "compact(v, v > 2)");
}

TEST_CASE("two scopes never give one position twice") {
    // Equal types throughout, each with a number of its own.
    const auto f = [](const auto& e) { return let(e, [](auto h) { return h * h; }); };
    std::vector<float> out(3);
    const auto y = view<"y">(out.data(), 3);
    const auto e = f(f(v * 2.0F) * 3.0F) + f(v * 5.0F) * f(v + 7.0F) + v * 11.0F;
    STATIC_REQUIRE(plan<decltype(y = e)>::planner::ir_leaves::size == 6);
    eval(host, y = e);
    for (std::size_t i = 0; i < 3; ++i) {
        const float a = data[i];
        CHECK(out[i] == 144 * a * a * a * a + 25 * a * a * (a + 7) * (a + 7) + 11 * a);
    }
}
