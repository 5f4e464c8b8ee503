// SPDX-License-Identifier: Apache-2.0
//
// named<> around functors and numbers: every kind of state that a functor can have.
#include <cstring>
#include <utility>

#include "lang/named_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

struct Padded {
    char c;
    int i;
    std::int16_t s;
    double d;
};
struct AddPadded {
    Padded p;
    float operator()(float v) const { return v + static_cast<float>(p.c + p.i + p.s) + static_cast<float>(p.d); }
};
struct Table {
    float item[3];
};

// Out of the tests, so that a functor is of one type for all targets.
constexpr auto add = [](auto k) { return [k](float v) { return v + static_cast<float>(k); }; };
constexpr auto divide = [](float k) { return [k](float v) { return v / k; }; };
constexpr auto add_last = [](Table t) { return [t](float v) { return v + t.item[2]; }; };
constexpr auto add_both = [](std::pair<char, int> s) {
    return [c = s.first, i = s.second](float v) { return v + static_cast<float>(c + i); };
};

}  // namespace

TEMPLATE_TEST_CASE("a name around functors with state", "", HostTarget, EmulatedTarget) {
    const TestType target;
    check_named(target, add, 1.0F, 100.0F);
    check_named(target, add, none, 1.0F);
    check_named(target, add, 0.0F, -0.0F);
    check_named<false>(target, add, 1.0, std::nextafter(1.0, 2.0));
    check_named<false>(target, add, std::int8_t{1}, std::int8_t{2});
    check_named<false>(target, add, std::uint64_t{1}, std::uint64_t{1} << 40U);
    check_named<false>(target, add, true, false);
    check_named<false>(target, divide, 0.0F, -0.0F);
    check_named<false>(target, add_last, Table{{1, 2, 3}}, Table{{1, 2, 4}});
}

namespace {

/// The same members, with these bytes between them.
Padded with_gaps(int fill, Padded p) {
    Padded result;
    std::memset(static_cast<void*>(&result), fill, sizeof(Padded));
    result.c = p.c;
    result.i = p.i;
    result.s = p.s;
    result.d = p.d;
    return result;
}

}  // namespace

TEMPLATE_TEST_CASE("bytes between the members of a functor do not count", "", HostTarget, EmulatedTarget) {
    const TestType target;
    const auto functor = [](Padded p) { return AddPadded{p}; };
    check_named(target, functor, Padded{1, 2, 3, 4}, Padded{1, 2, 3, 5});
    check_named(target, functor, Padded{1, 2, 3, 4}, Padded{1, 2, 4, 4});
    check_named(target, functor, Padded{1, 2, 3, 4}, Padded{2, 2, 3, 4});
    check_named<false>(target, add_both, std::pair('a', 1), std::pair('a', 2));
    check_named<false>(target, add_both, std::pair('a', 1), std::pair('b', 1));

    const float data[] = {1, 2, 3, 4};
    const auto x = view<"x">(data);
    const Padded zeros = with_gaps(0, {1, 2, 3, 4});
    const Padded ones = with_gaps(0xFF, {1, 2, 3, 4});
    REQUIRE(std::memcmp(static_cast<const void*>(&zeros), static_cast<const void*>(&ones), sizeof(Padded)) != 0);
    CHECK(target.value(sum(named<"h">(map(AddPadded{zeros}, x))) + sum(named<"h">(map(AddPadded{ones}, x)))) == 100);
}

TEST_CASE("functors that hold an address") {
    const float data[] = {1, 2, 3, 4};
    const float tables[2] = {10, 20};
    const auto x = view<"x">(data);
    const auto h = [&](const float* t) { return named<"h">(map([t](float v) { return v + *t; }, x)); };
    CHECK(value(host, sum(h(tables)) - sum(h(tables))) == 0);
    CHECK_THROWS_AS(value(host, sum(h(tables)) - sum(h(tables + 1))), argument_error);
}

TEST_CASE("two functors under one name, word for word") {
    const float data[] = {1, 2, 3, 4};
    const auto x = view<"x">(data);
    const auto added = [](float k) { return [k](float v) { return v + k; }; };
    CHECK_THROWS_AS(value(host, sum(named<"h">(map(added(1), x))) - sum(named<"h">(map(added(100), x)))),
                    argument_error);
    CHECK(value(host, sum(named<"h">(map(added(1), x))) - sum(named<"g">(map(added(100), x)))) == -396);
}

TEST_CASE("numbers under one name") {
    float data[] = {1, 2, 3, 4};
    const auto x = view<"x">(data);
    const auto h = [&](float k) { return named<"h">(x * k); };
    CHECK_THROWS_WITH(
        value(host, sum(h(1)) - sum(h(2))),
        "named<\"h\"> stands for two expressions with different numbers in one eval: a name is an identity");
    CHECK_THROWS_WITH(
        value(host, sum(h(0.0F)) - sum(h(-0.0F))),
        "named<\"h\"> stands for two expressions with different numbers in one eval: a name is an identity");
    CHECK_THROWS_WITH(value(host, sum(x * scalar<"k">(1.0F)) - sum(x * scalar<"k">(2.0F))),
                      "the name k stands for two different numbers in one eval");
    CHECK(value(host, sum(h(2)) - sum(h(2))) == 0);
    CHECK(std::isnan(value(host, sum(h(none)) + sum(h(none)))));
}

TEST_CASE("a named expression is one value, with coordinates of its own, wherever it stands") {
    const double row_of[] = {10, 20, 30};
    const double zeros[6] = {};
    const auto check = [&](const auto& target) {
        double wide[6] = {}, narrow[3] = {}, centred[6] = {};
        const auto row = view<"row">(row_of);
        const auto x = view<"x">(zeros, 2, 3);
        const auto h = named<"h">(row + fuse::index<0>());
        target.eval(view<"wide">(wide, 2, 3) = x + h, view<"narrow">(narrow) = h);
        target.eval(view<"centred">(centred, 2, 3) = x + h - mean(h));
        const auto u = named<"u">(row * fuse::uniform<7>());
        double noisy[6] = {}, noise[3] = {};
        target.eval(view<"noisy">(noisy, 2, 3) = x + u, view<"noise">(noise) = u);
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(wide[i] == 11 * static_cast<double>(i % 3) + 10);
            CHECK(centred[i] == 11 * static_cast<double>(i % 3) - 11);
            CHECK(noisy[i] == noise[i % 3]);
        }
        CHECK(narrow[2] == 32);
    };
    check(HostTarget());
    check(EmulatedTarget());
}
