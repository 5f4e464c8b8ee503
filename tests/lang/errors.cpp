// SPDX-License-Identifier: Apache-2.0
//
// What a user gets for each fault, word for word; and that nothing has been written when a check fails.
#include <vector>

#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class Error, class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "nothing thrown";
}

struct Data {
    std::vector<float> x = std::vector<float>(64 * 128, 1.0F);
    std::vector<float> t = std::vector<float>(128, 2.0F);
    std::vector<float> y = std::vector<float>(64 * 128, 77.0F);

    bool untouched() const {
        return std::all_of(y.begin(), y.end(), [](float v) { return v == 77.0F; });
    }
};

}  // namespace

TEMPLATE_TEST_CASE("shapes that do not broadcast", "", HostTarget, EmulatedTarget) {
    const TestType target;
    Data d;
    const auto x = view<"x">(d.x.data(), 64, 128);
    const auto t = view<"t">(d.t.data(), 64);
    const auto y = view<"y">(d.y.data(), 64, 128);
    CHECK(message_of<shape_error>([&] { target.eval(y = x - t); }) ==
          "cannot broadcast x(64, 128) with t(64) on axis 1 in (x - t)");
    CHECK(message_of<shape_error>([&] {
              target.eval(y = exp(x * 2.0F) / sum(t + x, axes<1>, keepdims));
          }).find("cannot broadcast t(64) with x(64, 128) on axis 1 in (t + x)") == 0);
    CHECK(message_of<shape_error>([&] { target.value(sum(where(x > t, x, t))); }) ==
          "cannot broadcast x(64, 128) with t(64) on axis 1 in (x > t)");
    CHECK(d.untouched());
}

TEST_CASE("an output of the wrong shape") {
    Data d;
    const auto x = view<"x">(d.x.data(), 64, 128);
    CHECK(message_of<shape_error>([&] { eval(host, view<"y">(d.y.data(), 64, 127) = x + 1.0F); }) ==
          "output y(64, 127) does not have the shape (64, 128) of (x + 1)");
    CHECK(message_of<shape_error>([&] { eval(host, view<"y">(d.y.data(), 128) = sum(x, axes<1>)); }) ==
          "output y(128) does not have the shape (64) of sum(x, axes<1>)");
    CHECK(message_of<shape_error>([&] { eval(host, view<"y">(d.y.data(), 64, 2) = max(x, axes<1>, keepdims)); }) ==
          "output y(64, 2) does not have the shape (64, 1) of max(x, axes<1>, keepdims)");
    CHECK_THROWS_AS(eval(host, view<"y">(d.y.data(), 1, 128) = x + 1.0F), shape_error);
    CHECK(d.untouched());
}

TEST_CASE("statements that do not share an iteration space") {
    Data d;
    const auto x = view<"x">(d.x.data(), 64, 128);
    const auto t = view<"t">(d.t.data(), 32, 4);
    CHECK_THROWS_AS(eval(host, view<"y">(d.y.data(), 64, 128) = x + 1.0F, view<"z">(d.y.data() + 1, 32, 4) = t + 1.0F),
                    shape_error);
    CHECK(d.untouched());
}

TEST_CASE("null pointers") {
    Data d;
    const float* nothing = nullptr;
    const auto y = view<"y">(d.y.data(), 64, 128);
    CHECK(message_of<argument_error>([&] { eval(host, y = view<"x">(nothing, 64, 128) + 1.0F); }) ==
          "view x(64, 128) is a null pointer");
    float* nowhere = nullptr;
    CHECK(message_of<argument_error>([&] { eval(host, view<"z">(nowhere, 8) = view<"t">(d.t.data(), 8)); }) ==
          "view z(8) is a null pointer");
    CHECK(message_of<argument_error>([&] {
              eval(host, y = view(nothing, 64, 128) + 1.0F);
          }).find("is a null pointer") != std::string::npos);
    // Without elements a null pointer is fine.
    eval(host, view<"z">(nowhere, 0) = view<"x">(nothing, 0) * 2.0F);
    CHECK(value(host, sum(view<"x">(nothing, 0))) == 0);
    CHECK(d.untouched());
}

TEST_CASE("negative extents") {
    Data d;
    CHECK_THROWS_AS(value(host, sum(view<"x">(d.x.data(), -4))), shape_error);
}

TEST_CASE("one name for two different data") {
    Data d;
    const auto a = view<"x">(d.x.data(), 128);
    const auto b = view<"x">(d.t.data(), 128);
    CHECK(message_of<argument_error>([&] { eval(host, view<"y">(d.y.data(), 128) = a + b); }) ==
          "the name x stands for two different views in one eval: a name is an identity");
    CHECK_THROWS_AS(eval(host, view<"y">(d.y.data(), 64) =
                                   view<"x">(d.x.data(), 64) * view<"x">(d.x.data(), shape(64), strides(2))),
                    argument_error);
    CHECK(message_of<argument_error>([&] {
              eval(host, view<"y">(d.y.data(), 128) = a * scalar<"k">(1.0F) + scalar<"k">(2.0F));
          }) == "the name k stands for two different numbers in one eval");
    const auto h = [&](float* p, float k) { return named<"h">(softmax(view(p, 128)) * k); };
    for (const auto& [f, what] : {std::pair(h(d.x.data(), 3), "numbers"), std::pair(h(d.t.data(), 2), "views")}) {
        CHECK(message_of<argument_error>([&, &other = f] {
                  eval(host, view<"y">(d.y.data(), 128) = h(d.x.data(), 2) + other);
              }) == "named<\"h\"> stands for two expressions with different " + std::string(what) +
                        " in one eval: a name is an identity");
    }
    CHECK(d.untouched());
    eval(host, view<"y">(d.y.data(), 128) = a * scalar<"k">(3.0F) + scalar<"k">(3.0F) + view<"x">(d.x.data(), 128));
    CHECK(d.y[5] == 7);
}

TEST_CASE("outputs that would be written several times") {
    Data d;
    const auto x = view<"x">(d.x.data(), 64, 128);
    CHECK(message_of<argument_error>([&] {
              eval(host, view<"y">(d.y.data(), shape(64, 128), strides(0, 1)) = x);
          }).find("its elements would be written several times") != std::string::npos);
    const auto y = view<"y">(d.y.data(), 64);
    const auto z = view<"z">(d.y.data() + 10, 64);
    const auto r = sum(x, axes<1>);
    CHECK(message_of<argument_error>([&] { eval(host, y = r, z = r); }) == "outputs y and z overlap");
    CHECK_THROWS_AS(eval(host, y = r, view<"same">(d.y.data(), 64) = r), argument_error);
    CHECK(d.untouched());
}

TEST_CASE("outputs that overlap inputs at other positions") {
    Data d;
    const auto y = view<"y">(d.y.data() + 1, 64);
    CHECK(message_of<argument_error>([&] { eval(host, y = view<"x">(d.y.data(), 64) * 2.0F); }) ==
          "output y overlaps input x at other element positions");
    const auto square_matrix = view<"m">(d.y.data(), 64, 64);
    const auto transposed = view<"t">(d.y.data(), shape(64, 64), strides(1, 64));
    CHECK_THROWS_AS(eval(host, square_matrix = transposed), argument_error);
    const auto backwards = view<"b">(d.y.data() + 63, shape(64), strides(-1));
    CHECK_THROWS_AS(eval(host, view<"y">(d.y.data(), 64) = backwards), argument_error);
    CHECK(d.untouched());
}

TEST_CASE("interleaved slices of one matrix do not overlap") {
    Data d;
    const auto even = view<"even">(d.x.data(), shape(64, 64), strides(128, 2));
    const auto odd = view<"odd">(d.x.data() + 1, shape(64, 64), strides(128, 2));
    eval(host, odd = even * 5.0F);
    CHECK((d.x[0] == 1 && d.x[1] == 5 && d.x[126] == 1 && d.x[127] == 5));
    const auto left = view<"left">(d.x.data(), shape(64, 64), strides(128, 1));
    const auto right = view<"right">(d.x.data() + 64, shape(64, 64), strides(128, 1));
    eval(host, right = left + 1.0F);
    CHECK((d.x[63] == 5 && d.x[64] == 2 && d.x[127] == 6));
}

TEST_CASE("an output whose elements are read for several others says so") {
    std::vector<float> z = {1, 2, 3}, m(6, 1.0F);
    const auto v = view<"z">(z);
    const auto w = view<"m">(m.data(), 2, 3);
    CHECK_THROWS_WITH(eval(host, v = v * 2.0F, w = w + v),
                      "output z overlaps input z, which this eval still reads when it writes there");
    CHECK((z == std::vector<float>{1, 2, 3} && m == std::vector<float>(6, 1.0F)));
}

TEST_CASE("more elements than can be counted are refused, whatever their number is in 64 bits") {
    const index_t n = index_t(1) << 32;
    const auto text_of = [](const auto& expression) {
        try {
            return std::to_string(value(host, expression));
        } catch (const shape_error& e) {
            return std::string(e.what());
        }
    };
    const std::string said = "the iteration space (4294967296, 4294967296) has more elements than can be counted";
    CHECK(text_of(sum(broadcast_to(2, n, n))).find(said) != std::string::npos);             // 0 of them
    CHECK(text_of(max(broadcast_to(2.0, n, n + 1))).find("counted") != std::string::npos);  // 2^32
    CHECK(text_of(sum(broadcast_to(1, n / 2, n))).find("counted") != std::string::npos);    // negative
    float one = 1;
    CHECK(text_of(sum(view<"x">(&one, shape(n, n), strides(0, 0)))).find("counted") != std::string::npos);
    CHECK(text_of(max(expand_dims<1>(arange(n)) + arange(n))).find("counted") != std::string::npos);
    CHECK_THROWS_AS(value(EmulatedExecutor{}, sum(broadcast_to(2, n, n))), shape_error);
}

TEST_CASE("misaligned views are slower, never a fault") {
    std::vector<unsigned char> bytes(4 * 1001 + 4);
    auto* const odd = reinterpret_cast<float*>(bytes.data() + 4);
    for (int i = 0; i < 1000; ++i) {
        odd[i] = static_cast<float>(i);
    }
    CHECK(value(EmulatedExecutor{}, sum(view<"x">(odd, 1000))) == 499500);
    CHECK(value(host, sum(view<"x">(odd, 1000))) == 499500);
}

TEST_CASE("an output without its keepdims axes has the shape of the others, wherever they lie") {
    std::vector<float> data(24, 1.0F);
    std::vector<float> out(5, 7.0F);
    const auto x = view<"x">(data.data(), 4, 3, 2);
    const auto sums = expand_dims<1>(sum(x, axes<1, 2>));
    CHECK_THROWS_AS(eval(host, view<"y">(out.data(), 1) = sums), shape_error);
    CHECK_THROWS_AS(eval(host, view<"y">(out.data(), 5) = sums), shape_error);
    CHECK(out == std::vector<float>(5, 7.0F));
    eval(host, view<"y">(out.data(), 4) = sums);
    CHECK(out == std::vector<float>{6, 6, 6, 6, 7});
}
