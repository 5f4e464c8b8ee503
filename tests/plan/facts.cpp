// SPDX-License-Identifier: Apache-2.0
//
// The plan is a compile-time fact: family, phases, passes over each leaf, for the expressions that users write.
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

using namespace fuse;

namespace {

float* const data = nullptr;
const auto x = view<"x">(data, 4, 8);
const auto t = view<"t">(data, 4, 8);
const auto weight = view<"weight">(data, 8);
const auto bias = view<"bias">(data, 8);
const auto y = view<"y">(data, 4, 8);
const auto per_row = view<"r">(data, 4);
const auto per_column = view<"c">(data, 8);
const auto scalar_out = view<"s">(data, shape());
const auto cube = view<"cube">(data, 2, 3, 4);
const auto cube_out = view<"cube_out">(data, 2, 3, 4);

constexpr std::uint32_t axis0 = 0b01;
constexpr std::uint32_t axis1 = 0b10;

/// What a test asserts about a plan, except passes.
template <class P>
constexpr bool is(Family family, int phases, std::uint32_t reduced, bool epilogue = false) {
    return P::kernels == 1 && P::temporaries == 0 && P::family == family && P::phases == phases &&
           P::reduced_axes == reduced && P::epilogue == epilogue;
}

}  // namespace

TEST_CASE("plans of maps") {
    using Plain = plan<decltype(y = x * 2.0F + weight)>;
    STATIC_REQUIRE(is<Plain>(Family::map, 0, 0));
    STATIC_REQUIRE(Plain::passes<"x"> == 1);
    STATIC_REQUIRE(Plain::passes<"weight"> == 1);
    STATIC_REQUIRE(Plain::rank == 2);
}

TEST_CASE("both forms of the squared distance have one plan") {
    using Combinators = plan<decltype(scalar_out = reduce(Add<>{}, map(Square<>{}, broadcast(x, t))))>;
    using Maths = plan<decltype(scalar_out = sum(square(x - t)))>;
    STATIC_REQUIRE(is<Combinators>(Family::full, 1, axis0 | axis1));
    STATIC_REQUIRE(is<Maths>(Family::full, 1, axis0 | axis1));
    STATIC_REQUIRE(Combinators::passes<"x"> == 1);
    STATIC_REQUIRE(Combinators::passes<"t"> == 1);
    STATIC_REQUIRE(Maths::passes<"x"> == 1);
    STATIC_REQUIRE(Maths::passes<"t"> == 1);
    const std::vector<float> a{1, 2, 3, 4, 5};
    const std::vector<float> b{5, 3, 1, -1, -3};
    const auto va = view<"a">(a);
    const auto vb = view<"b">(b);
    CHECK(value(host, reduce(Add<>{}, map(Square<>{}, broadcast(va, vb)))) == 16 + 1 + 4 + 25 + 64);
    CHECK(value(host, sum(square(va - vb))) == 16 + 1 + 4 + 25 + 64);
}

TEST_CASE("the plan of softmax") {
    const auto e = exp(x - max(x, axes<-1>, keepdims));
    using Rows = plan<decltype(y = e / sum(e, axes<-1>, keepdims))>;
    STATIC_REQUIRE(is<Rows>(Family::rows, 2, axis1));
    STATIC_REQUIRE(Rows::passes<"x"> == 1);

    const auto down = exp(x - max(x, axes<0>, keepdims));
    using Columns = plan<decltype(y = down / sum(down, axes<0>, keepdims))>;
    STATIC_REQUIRE(is<Columns>(Family::columns, 2, axis0));
    STATIC_REQUIRE(Columns::passes<"x"> == 1);

    const auto all_of = exp(x - max(x));
    using Full = plan<decltype(y = all_of / sum(all_of))>;
    STATIC_REQUIRE(is<Full>(Family::full, 2, axis0 | axis1));
    STATIC_REQUIRE(Full::passes<"x"> == 3);
}

TEST_CASE("the plan of layer norm with its statistics") {
    const auto mu = mean(x, axes<-1>, keepdims);
    const auto rate = rsqrt(mean(square(x - mu), axes<-1>, keepdims) + 1e-5F);
    using P = plan<decltype(y = (x - mu) * rate * weight + bias), decltype(per_row = mu), decltype(per_row = rate)>;
    STATIC_REQUIRE(is<P>(Family::rows, 2, axis1));
    STATIC_REQUIRE(P::passes<"x"> == 1);
    STATIC_REQUIRE(P::passes<"weight"> == 1);
    using Variance = plan<decltype(per_row = var(x, axes<1>))>;
    STATIC_REQUIRE(is<Variance>(Family::rows, 2, axis1));
}

TEST_CASE("equal reductions of named leaves are one") {
    using P = plan<decltype(per_row = max(x, axes<1>) + max(x, axes<1>)), decltype(y = x - max(x, axes<-1>, keepdims))>;
    STATIC_REQUIRE(is<P>(Family::rows, 1, axis1));
    STATIC_REQUIRE(at_t<typename P::program::phases, 0>::size == 1);
    using Several = plan<decltype(per_row = max(x, axes<1>)), decltype(per_row = sum(x, axes<1>)),
                         decltype(per_row = mean(x, axes<1>))>;
    STATIC_REQUIRE(at_t<typename Several::program::phases, 0>::size == 3);
    STATIC_REQUIRE(Several::passes<"x"> == 1);
}

TEST_CASE("plans over columns, middle and separated axes") {
    STATIC_REQUIRE(is<plan<decltype(per_column = sum(x, axes<0>))>>(Family::columns, 1, axis0));
    STATIC_REQUIRE(is<plan<decltype(per_column = mean(x * weight, axes<0>))>>(Family::columns, 1, axis0));
    const auto middle = sum(cube, axes<1>, keepdims);
    STATIC_REQUIRE(is<plan<decltype(cube_out = cube / middle)>>(Family::columns, 1, 0b010));
    const auto outer_two = sum(cube, axes<0, 1>, keepdims);
    STATIC_REQUIRE(is<plan<decltype(cube_out = cube / outer_two)>>(Family::columns, 1, 0b011));
    const auto apart = sum(cube, axes<0, 2>, keepdims);
    STATIC_REQUIRE(is<plan<decltype(cube_out = cube / apart)>>(Family::any, 1, 0b101));
    const auto inner_two = sum(cube, axes<-1, -2>, keepdims);
    STATIC_REQUIRE(is<plan<decltype(cube_out = cube / inner_two)>>(Family::rows, 1, 0b110));
}

TEST_CASE("axes of extent 1 behind rows") {
    const auto rows = sum(expand_dims<2>(x), axes<1>, keepdims);
    STATIC_REQUIRE(is<plan<decltype(cube_out = expand_dims<2>(x) / rows)>>(Family::rows, 1, axis1));
    STATIC_REQUIRE(is<plan<decltype(scalar_out = sum(expand_dims<2>(x)))>>(Family::full, 1, axis0 | axis1));
    STATIC_REQUIRE(is<plan<decltype(cube_out = cube / sum(cube, axes<1>, keepdims))>>(Family::columns, 1, axis1));
}

TEST_CASE("plans with an epilogue") {
    using Loss = plan<decltype(scalar_out = mean(logsumexp(x, axes<-1>) - sum(x * t, axes<-1>)))>;
    STATIC_REQUIRE(is<Loss>(Family::rows, 2, axis1, true));
    STATIC_REQUIRE(Loss::passes<"x"> == 1);
    using Both = plan<decltype(y = x - max(x, axes<1>, keepdims)), decltype(scalar_out = sum(max(x, axes<1>)))>;
    STATIC_REQUIRE(is<Both>(Family::rows, 1, axis1, true));
    using Items = plan<decltype(scalar_out = sum(square(x - mean(x, axes<1>, keepdims))))>;
    STATIC_REQUIRE(is<Items>(Family::rows, 1, axis1, true));
    using NoEpilogue = plan<decltype(scalar_out = sum(square(x - mean(x))))>;
    STATIC_REQUIRE(is<NoEpilogue>(Family::full, 1, axis0 | axis1));
}

TEST_CASE("a variance of what nothing holds is one phase") {
    using Columns = plan<decltype(per_column = var(x, axes<0>)), decltype(y = x - mean(x, axes<0>, keepdims))>;
    STATIC_REQUIRE(is<Columns>(Family::columns, 1, axis0));
    using Everything = plan<decltype(scalar_out = var<1>(x))>;
    STATIC_REQUIRE(is<Everything>(Family::full, 1, axis0 | axis1));
    STATIC_REQUIRE(Everything::passes<"x"> == 1);
    // Of other deviations than from one's own mean it is not known.
    using Others = plan<decltype(per_column = mean(square(x - mean(t, axes<0>, keepdims)), axes<0>))>;
    STATIC_REQUIRE(is<Others>(Family::columns, 2, axis0));
    using Rows = plan<decltype(per_row = var(x, axes<1>))>;
    STATIC_REQUIRE(is<Rows>(Family::rows, 2, axis1));
}
