// SPDX-License-Identifier: Apache-2.0
//
// roll and pad on the host and on the emulated device, what they cost, and what is refused.
#include <complex>

#include "lang/stencil_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("roll, pad") {
    const HostTarget target;
    check_lines(target);
    check_boxes(target);
    check_shifted_folds(target);
    check_shifted_parts(target);
    check_shifted_type<fuse::float16>(target);
    check_shifted_type<bool>(target);
    check_stencils(target);
    check_far_ends(target);
    check_neighbours<float>(target, {37, 61});
}
TEST_CASE("roll, pad on the emulated device") {
    const EmulatedTarget target;
    check_lines(target);
    check_boxes(target);
    check_shifted_folds(target);
    check_shifted_type<fuse::bfloat16>(target);
    check_shifted_type<std::uint64_t>(target);
    check_far_ends(target);
}
TEST_CASE("neighbours on the emulated device") {
    const EmulatedTarget target;
    for (const Extent& extent :
         {Extent{1, 1}, Extent{3, 5}, Extent{64, 2}, Extent{2, 64}, Extent{37, 61}, Extent{1, 999}}) {
        for (const Placement placement : all_placements) {
            check_neighbours<float>(target, extent, placement);
        }
        check_neighbours<fuse::bfloat16>(target, extent);
        check_neighbours<std::int64_t>(target, extent);
    }
}

TEST_CASE("complex numbers are padded with numbers") {
    using C = std::complex<double>;
    const std::vector<C> data{{1, 2}, {3, -4}};
    std::vector<C> zeros(4), ones(10);
    const auto z = fuse::view<"z">(data);
    fuse::eval(fuse::host, fuse::view<"zeros">(zeros) = pad(z * 2, 1, 1));
    fuse::eval(fuse::host, fuse::view<"ones">(ones, 2, 5) = pad(fuse::view<"z">(data, 1, 2), 1, {0, 2}, {}, 1));
    CHECK(zeros == std::vector<C>{0, {2, 4}, {6, -8}, 0});
    CHECK(ones == std::vector<C>{1, 1, 1, 1, 1, 1, {1, 2}, {3, -4}, 1, 1});
}

TEST_CASE("what is shifted is one kernel, and its memory is read once") {
    std::vector<float> data(64), out(64);
    const auto u = fuse::view<"u">(data);
    const auto y = fuse::view<"y">(out);
    using P = fuse::plan<decltype(y = u + 0.1F * (roll(u, 1) - 2 * u + roll(u, -1)))>;
    STATIC_REQUIRE(P::kernels == 1);
    STATIC_REQUIRE(P::temporaries == 0);
    STATIC_REQUIRE(P::family == fuse::Family::map);
    const std::string text = fuse::explain(fuse::host, y = roll(u, 1) + u * roll(u, -1));
    CHECK(text.find("bytes: 512 B") != std::string::npos);
    CHECK(text.find("hint") == std::string::npos);
}

TEST_CASE("an output must not be what is shifted") {
    std::vector<float> data(64, 1);
    const auto x = fuse::view<"x">(data);
    const auto m = fuse::view<"m">(data, 8, 8);
    CHECK_THROWS_AS(fuse::eval(fuse::host, x = roll(x, 1)), fuse::argument_error);
    CHECK_THROWS_AS(fuse::eval(fuse::host, x = x + roll(x, 64)), fuse::argument_error);
    CHECK_THROWS_AS(fuse::eval(fuse::host, slice<0>(x, 0, 32) = roll(slice<0>(x, 16, 48), 1)), fuse::argument_error);
    CHECK_THROWS_AS(fuse::eval(fuse::host, slice<0>(x, 0, 34) = pad(slice<0>(x, 33, 65), 2, 1)), fuse::argument_error);
    CHECK_THROWS_AS(fuse::eval(fuse::host, row(m, 0) = sum(roll(m, 1, fuse::axes<1>), fuse::axes<0>)),
                    fuse::argument_error);
    CHECK_THROWS_AS(
        fuse::eval(fuse::host, fuse::view<"s">(data.data(), fuse::shape()) = 0.0F * sum(roll(x, 1)), x = x + 1),
        fuse::argument_error);
    // Beside each other in one array.
    fuse::eval(fuse::host, slice<0>(x, 0, 32) = roll(slice<0>(x, 32, 64), 1));
    fuse::eval(fuse::host, slice<1>(m, 0, 4) = roll(slice<1>(m, 4, 8), 1, fuse::axes<0>));
}

TEST_CASE("a prepared eval looks at the array that it is given") {
    std::vector<double> a{1, 2, 3, 4, 5}, b{10, 20, 30, 40, 50}, out(5);
    auto step = fuse::prepare(fuse::host, fuse::view<"y">(out) = roll(fuse::view<"x">(a) * 2, 1) + fuse::view<"x">(a));
    step();
    CHECK(out == std::vector<double>{11, 4, 7, 10, 13});
    step.rebind(fuse::view<"x">(b));
    step();
    CHECK(out == std::vector<double>{110, 40, 70, 100, 130});
    std::vector<double> wide(10);
    for (int i = 0; i < 10; ++i) {
        wide[static_cast<std::size_t>(i)] = i;
    }
    step.rebind(fuse::view<"x">(fuse::view(wide.data(), fuse::shape(5), fuse::strides(2))));
    step();
    CHECK(out == std::vector<double>{16, 2, 8, 14, 20});
    CHECK_THROWS_WITH(step.rebind(fuse::view<"x">(wide)),
                      "rebind: x(10) does not have the shape (5) for which the eval was prepared");
}

TEST_CASE("numbers that do not fit") {
    std::vector<float> data(6), out(9);
    const auto x = fuse::view<"x">(data, 2, 3);
    CHECK_THROWS_WITH(roll(x, {1, 2, 3}, fuse::axes<0, 1>), "roll: 3 numbers for 2 axes");
    CHECK_THROWS_WITH(pad(x, {1, 2, 3}, 0), "pad: 3 numbers for 2 axes");
    CHECK_THROWS_WITH(pad(x * 2, 0, -1, fuse::axes<1>),
                      "pad: 0 and -1 elements at the ends of axis 1 of (x * 2)(2, 3): slice takes elements away");
    CHECK_THROWS_AS(pad(x, std::numeric_limits<std::int64_t>::max(), 1, fuse::axes<0>), fuse::argument_error);
    CHECK_THROWS_AS(fuse::eval(fuse::host, fuse::view<"y">(out, 3, 3) = roll(x, 1, fuse::axes<0>)), fuse::shape_error);
    CHECK_THROWS_AS(fuse::eval(fuse::host, fuse::view<"y">(out, 3, 3) = pad(x, 1, 1, fuse::axes<0>)),
                    fuse::shape_error);
    CHECK_THROWS_AS(fuse::value(fuse::host, sum(roll(fuse::view<"n">(static_cast<float*>(nullptr), 3), 1))),
                    fuse::argument_error);
    CHECK_THROWS_WITH(
        fuse::value(fuse::host, sum(fuse::view(data, 2, 3)) + sum(pad(x, 1, 1, fuse::axes<1>, 2.0F))),
        "pad(...)(5) does not share the iteration space of this eval: axis 0 has extent 5 where another "
        "operand has 3. Evaluate the statements one by one, what is folded over other extents into a view first; "
        "of slices beside arrays it may be enough to name all views, view<\"x\">(...)");
    const auto twice = [&](int s) { return fuse::named<"h">(roll(fuse::view(data), s)); };
    CHECK_THROWS_AS(fuse::value(fuse::host, sum(twice(1) * twice(2))), fuse::argument_error);
}
