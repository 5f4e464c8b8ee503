// SPDX-License-Identifier: Apache-2.0
//
// One name for two different things in what is differentiated: a derivative may need one of two equal terms alone, so that
// an eval of it would not see the other.
#include <array>
#include <string>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

using namespace fuse;

namespace {

struct Times {
    float k;
    template <class T>
    T operator()(T v) const {
        return v * k;
    }
};

template <class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (const argument_error& e) {
        return e.what();
    }
    return "nothing thrown";
}

std::string two(const std::string& who, const char* differ) {
    return who + " stands for two expressions with different " + differ + " in one eval: a name is an identity";
}

struct Data {
    std::array<float, 6> one{1, 2, 3, 4, 5, 6};
    std::array<float, 6> other{7, 8, 9, 1, 2, 3};
    std::array<float, 3> weights{1, 2, -1};

    auto x() const { return view<"x">(one.data(), 2, 3); }
    auto other_x() const { return view<"x">(other.data(), 2, 3); }
    auto w() const { return view<"w">(weights); }
};

/// Losses of a and b, which depend on w, and a seed beside them.
template <class A, class B>
void check_refused(const Data& d, const A& a, const B& b, const std::string& expected) {
    const auto w = d.w();
    const auto ones = view<"ones">(d.one.data(), 2, 3);
    const auto check = [&](const auto& loss) { CHECK(message_of([&] { gradient(loss, w); }) == expected); };
    check(sum(a) + sum(b));
    check(sum(a) - 2.0F * sum(b));
    check(sum(sin(a)) * sum(b));
    check(max(a) - max(b));
    check(sum(square(a + b)));
    check(sum(stop_gradient(a) * w) + sum(b));
    CHECK(message_of([&] { vjp(ones * w + sum(a), w, ones + sum(b)); }) == expected);
}

}  // namespace

TEST_CASE("one name for two different things in a derivative") {
    const Data d;
    const auto x = d.x();
    const auto w = d.w();
    const std::string views = "the name x stands for two different views in one eval: a name is an identity";
    check_refused(d, x * w, d.other_x() * w, views);
    check_refused(d, x * w, view<"x">(d.one.data(), shape(2, 3), strides(1, 2)) * w, views);
    check_refused(d, scalar<"k">(1.0F) * w, scalar<"k">(2.0F) * w,
                  "the name k stands for two different numbers in one eval");
    const auto h = [&](float k) { return named<"h">(w * k); };
    check_refused(d, h(1), h(2), two("named<\"h\">", "numbers"));
    const auto f = [&](float k) { return named<"f">(map(Times{k}, w)); };
    check_refused(d, f(1), f(2), two("named<\"f\">", "functors"));
    const auto u = [&](const auto& data) { return named<"u">(w * view(data.data(), 3)); };
    check_refused(d, u(d.one), u(d.other), two("named<\"u\">", "views"));
    const auto r = [&](index_t k) { return named<"r">(roll(x, k, axes<1>) * w); };
    check_refused(d, r(1), r(2), two("one named<>", "views"));

    // The variable itself, in the loss.
    CHECK(message_of([&] { gradient(sum(square(x)) + sum(d.other_x()), x); }) == views);
    CHECK(message_of([&] { gradient(sum(h(1)) * sum(h(2)), h(1)); }) == two("named<\"h\">", "numbers"));
}

TEST_CASE("what has one name and is one thing, or no name, is derived as ever") {
    const Data d;
    const auto x = d.x();
    const auto again = d.x();
    const auto w = d.w();
    std::array<float, 3> slopes{};
    const auto dw = view<"dw">(slopes);
    const auto check = [&](const auto& loss, float a, float b, float c) {
        eval(host, dw = gradient(loss, w));
        CHECK(slopes == std::array<float, 3>{a, b, c});
    };
    check(sum(x * w) + sum(again * w), 10, 14, 18);
    check(sum(x * w) + sum(view<"y">(d.other.data(), 2, 3) * w), 13, 17, 21);
    check(sum(w * 2.0F) + sum(w * 3.0F), 5, 5, 5);
    check(sum(map(Times{2}, w)) + sum(map(Times{3}, w)), 5, 5, 5);
    check(sum(w * view(d.one.data(), 3)) + sum(w * view(d.other.data(), 3)), 8, 10, 12);
    check(sum(w * scalar<"k">(2.0F)) + sum(square(w) * scalar<"k">(2.0F)), 6, 10, -2);
    const auto h = named<"h">(w * 2.0F);
    check(sum(square(h)) + sum(h), 10, 18, -6);
    check(sum(roll(x, 1, axes<1>) * w) + sum(roll(x, 2, axes<1>) * w), 16, 14, 12);
    check(sum(gradient(sum(square(w) * w * 2.0F), w) * 3.0F), 36, 72, -36);
}
