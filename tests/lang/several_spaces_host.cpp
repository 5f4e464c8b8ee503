// SPDX-License-Identifier: Apache-2.0
//
// Folds over arrays of different extents in one eval, on the host; which of them are steps, and what does not fit.
#include "fuse/stencil.hpp"
#include "lang/several_spaces_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

float* const data = nullptr;
const auto a = view<"a">(data, 4);
const auto b = view<"b">(data, 4);
const auto s = view<"s">(data, shape());
const auto y = view<"y">(data, 4);

template <class... S>
constexpr bool is_one_walk = plan<S...>::steps == 1;

}  // namespace

TEST_CASE("scalars of arrays of different extents on the host") {
    const HostTarget target;
    check_sums_of_two<HostTarget, double>(target, 3, 5);
    check_sums_of_two<HostTarget, float>(target, 700, 700);
    check_sums_of_two<HostTarget, float>(target, 1, 300);
    check_sums_of_two<HostTarget, float>(target, 300, 1);
    check_total_variation<HostTarget, double>(target, 7, 9);
    check_total_variation<HostTarget, float>(target, 60, 1);
    check_norm_of_differences<HostTarget, double>(target, 500);
    check_norm_of_differences<HostTarget, double>(target, 2);
    check_training_of_two_models<HostTarget, double>(target, {40, 3}, {25, 5});
    check_training_of_two_models<HostTarget, double>(target, {6, 4}, {6, 4});
}

TEST_CASE("scalars of what has no memory, of windows, and of a slice beside the whole") {
    CHECK(value(host, sum(arange(3)) + sum(arange(5))) == 13);
    std::vector<double> numbers{1, 2, 3, 4, 5, 6}, part(2);
    const auto x = view<"x">(numbers, 2, 3);
    CHECK(value(host, sum(x) + sum(pad(x, 1, 1, axes<1>, 2.0))) == 21 + 21 + 8);
    const auto line = view<"line">(numbers);
    eval(host, view<"part">(part) = slice<0>(line - max(line), 1, 3));
    CHECK(part == std::vector<double>{-4, -3});
}

TEST_CASE("what shares no view with what stands beside it is a step, and nothing else is") {
    using Apart = plan<decltype(s = sum(a) + sum(b))>;
    STATIC_REQUIRE((Apart::kernels == 1 && Apart::steps == 3 && Apart::barriers == 1 && Apart::temporaries == 2));
    using Beside = plan<decltype(s = sum(a)), decltype(y = b * 2)>;
    STATIC_REQUIRE((Beside::steps == 2 && Beside::barriers == 0 && Beside::temporaries == 0));
    // A view in common, directly or through a third value.
    STATIC_REQUIRE(is_one_walk<decltype(s = sum(a) + max(a))>);
    STATIC_REQUIRE(is_one_walk<decltype(s = sum(a) * sum(b) + sum(a * b))>);
    STATIC_REQUIRE(is_one_walk<decltype(s = sum(a)), decltype(y = a / mean(b) + b)>);
    STATIC_REQUIRE(is_one_walk<decltype(y = a * 2), decltype(view<"z">(data, 4) = b * 3)>);
    // Without a name every occurrence is another leaf.
    const auto u = view(data, 4);
    STATIC_REQUIRE(is_one_walk<decltype(y = u / sum(u))>);
}

TEST_CASE("what does not fit is refused as ever") {
    std::vector<double> three{1, 2, 3}, five{1, 2, 3, 4, 5}, out(8);
    const auto v = view<"v">(three);
    const auto w = view<"w">(five);
    CHECK_THROWS_WITH(value(host, sum(v * w) + sum(w)), "cannot broadcast v(3) with w(5) on axis 0 in (v * w)");
    CHECK_THROWS_AS(eval(host, view<"o">(out.data(), 3) = v * 2, view<"p">(out.data() + 3, 5) = w * 2), shape_error);
    CHECK_THROWS_AS(eval(host, view<"o">(out.data(), 5) = v / sum(w)), shape_error);
    CHECK_THROWS_AS(value(host, sum(view(three)) + sum(view(five))), shape_error);
    CHECK(out == std::vector<double>(8));
}
