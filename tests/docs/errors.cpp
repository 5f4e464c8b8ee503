// SPDX-License-Identifier: Apache-2.0
//
// Every message in the table of docs/errors.md: each fault is committed, and what is thrown must stand on the
// page.
#include <fuse/gradient.hpp>
#include <fuse/nn.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

std::string page() {
    std::ifstream file(FUSE_SOURCE_DIR "/docs/errors.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Runs f, which must throw Error with a message that the page quotes.
template <class Error, class F>
void documented(F&& f) {
    static const std::string text = page();
    try {
        f();
        FAIL("nothing was thrown");
    } catch (const Error& e) {
        INFO(e.what());
        CHECK(text.find("`" + std::string(e.what()) + "`") != std::string::npos);
    }
}

}  // namespace

TEST_CASE("the messages of the errors page") {
    std::vector<float> a(8192, 1.0F);
    std::vector<float> b(8192);
    float* p = a.data();
    float* q = b.data();
    float* none = nullptr;
    const auto x = fuse::view<"x">(p, 64, 128);
    const auto y = fuse::view<"y">(q, 64, 128);

    documented<fuse::shape_error>([&] { fuse::eval(fuse::host, y = x - fuse::view<"t">(p, 64)); });
    documented<fuse::shape_error>([&] { fuse::eval(fuse::host, fuse::view<"y">(q, 64, 64) = x * x); });
    documented<fuse::shape_error>([&] { dot(fuse::view<"a">(p, 1), fuse::view<"b">(p, 64)); });
    documented<fuse::shape_error>(
        [&] { fuse::eval(fuse::host, fuse::view<"m">(q, fuse::shape()) = max(fuse::view<"x">(p, 0))); });
    documented<fuse::shape_error>([&] { fuse::eval(fuse::host, fuse::view<"y">(q, -1) = fuse::view<"x">(p, -1)); });
    documented<fuse::shape_error>([&] {
        fuse::eval(fuse::host, fuse::view<"y">(q, 4) = fuse::view<"x">(p, 4),
                   fuse::view<"z">(q + 64, 5) = fuse::view<"t">(p, 5));
    });
    documented<fuse::shape_error>([&] {
        const auto unnamed = fuse::view(p, 5);
        fuse::eval(fuse::host, fuse::view<"z">(q, 2) = slice<0>(unnamed - max(unnamed), 1, 3));
    });
    documented<fuse::shape_error>([&] { fuse::prepare(fuse::host, y = x + 1).rebind(fuse::view<"x">(p, 128, 64)); });
    documented<fuse::argument_error>(
        [&] { fuse::prepare(fuse::host, y = x + x[0]).rebind(fuse::view<"x">(p, 64, 128)); });
    documented<fuse::argument_error>([&] { roll(x, {1, 2, 3}, fuse::axes<0, 1>); });
    documented<fuse::argument_error>([&] { pad(x, -1, 0, fuse::axes<0>); });
    documented<fuse::argument_error>([&] { pad(x, std::numeric_limits<fuse::index_t>::max(), 1, fuse::axes<0>); });
    documented<fuse::argument_error>([&] { gradient(sum(x[0]), fuse::view<"x">(q, 64, 128)); });
    documented<fuse::argument_error>([&] { fuse::eval(fuse::host, y = fuse::view<"x">(none, 64, 128) + 1); });
    documented<fuse::argument_error>([&] { fuse::eval(fuse::host, y = x + fuse::view<"x">(q, 64, 128)); });
    std::vector<float> sums(128);
    documented<fuse::argument_error>([&] {
        fuse::eval(fuse::host, y = x - mean(x, fuse::axes<1>, fuse::keepdims),
                   fuse::view<"q">(sums) = sum(fuse::view<"z">(q, 64, 128), fuse::axes<0>));
    });
    documented<fuse::argument_error>([&] { fuse::eval(fuse::host, y = dropout(x, 1.5, 7)); });
    documented<fuse::argument_error>([] { fuse::loss::label_smoothing(1.5); });
    documented<fuse::argument_error>([&] { static_cast<void>(huber_loss(x, y, 0.0)); });
    documented<fuse::argument_error>([&] { static_cast<void>(smooth_l1_loss(x, y, -1.0)); });
    documented<fuse::shape_error>([&] { static_cast<void>(info_nce(transpose(x))); });
    documented<fuse::shape_error>([&] {
        const auto column = fuse::view<"b">(q, 64, 1);
        static_cast<void>(gradient(sum(x * column), column));
    });
    documented<fuse::argument_error>([&] { static_cast<void>(gradient(sum(x), fuse::view<"x">(p, 128, 64))); });
    documented<fuse::shape_error>([&] { static_cast<void>(vjp(x * 2, x, fuse::view<"dy">(q, 1, 128))); });
    documented<fuse::shape_error>([&] { static_cast<void>(batch_norm_training(fuse::view<"x">(p, 1, 64))); });
    documented<fuse::argument_error>([&] { static_cast<void>(adam(x, x, x, x, 0)); });
    documented<fuse::argument_error>([&] { static_cast<void>(sgd(x, x, {.momentum = 0.9})); });
    documented<fuse::argument_error>([&] {
        fuse::eval(fuse::host, y = fuse::named<"h">(fuse::view(p, 64, 128)) + fuse::named<"h">(fuse::view(q, 64, 128)));
    });
    documented<fuse::argument_error>(
        [&] { fuse::eval(fuse::host, y = x * fuse::scalar<"k">(1.0F) + fuse::scalar<"k">(2.0F)); });
    documented<fuse::argument_error>(
        [&] { fuse::eval(fuse::host, y = fuse::named<"h">(x * 2.0F) + fuse::named<"h">(x * 3.0F)); });
    documented<fuse::argument_error>([&] {
        const auto add = [](float k) { return [k](float v) { return v + k; }; };
        fuse::eval(fuse::host, y = fuse::named<"h">(fuse::map(add(1), x)) + fuse::named<"h">(fuse::map(add(2), x)));
    });
    documented<fuse::argument_error>(
        [&] { fuse::eval(fuse::host, fuse::view<"y">(p + 1, 64) = fuse::view<"x">(p, 64) * 2); });
    documented<fuse::argument_error>([&] {
        fuse::eval(fuse::host, fuse::view<"y">(q, 64) = fuse::view<"x">(p, 64),
                   fuse::view<"z">(q + 1, 64) = fuse::view<"x">(p, 64));
    });
    documented<fuse::argument_error>([&] {
        const auto s = fuse::view<"s">(q, fuse::shape());
        fuse::eval(fuse::host, fuse::view<"y">(q + 1, 64) = fuse::view<"x">(p, 64) + s, s = s * 2);
    });
    documented<fuse::argument_error>(
        [&] { fuse::eval(fuse::host, fuse::view<"y">(q, fuse::shape(64, 128), fuse::strides(0, 1)) = x); });
    documented<fuse::argument_error>(
        [&] { fuse::eval(fuse::host, fuse::view<"y">(q, fuse::shape(3, 3), fuse::strides(1, 2)) = 1); });
    CHECK(b == std::vector<float>(8192));  // nothing was written
}

TEST_CASE("the messages of views of views and of arrays") {
    std::vector<float> v(24);
    const auto x = fuse::view<"x">(v, 4, 6);
    documented<fuse::argument_error>([&] { static_cast<void>(x[4]); });
    documented<fuse::argument_error>([&] { static_cast<void>(slice<0>(x, 0, 4, 0)); });
    documented<fuse::shape_error>([&] { static_cast<void>(squeeze<0>(x)); });
    documented<fuse::shape_error>([&] { static_cast<void>(slice<0>(fuse::expand_dims<0>(x), 0, 0)); });
    documented<fuse::shape_error>([&] { static_cast<void>(reshape(x, 5, 5)); });
    documented<fuse::shape_error>([&] { static_cast<void>(fuse::unflatten<1>(x, 4, -1)); });
    documented<fuse::shape_error>([&] { static_cast<void>(reshape(transpose(x), 24)); });
    documented<fuse::shape_error>([&] { static_cast<void>(fuse::view<"x">(v, 5, 5)); });
    documented<fuse::shape_error>(
        [&] { static_cast<void>(fuse::view<"x">(v, fuse::shape(4, 6), fuse::strides(7, 1))); });
    documented<fuse::shape_error>([] { fuse::tensor<float>(2, -1); });
    documented<fuse::shape_error>([] { fuse::tensor<float>(fuse::index_t{1} << 40, fuse::index_t{1} << 40); });
}

TEST_CASE("catching errors") {
    std::vector<float> data(6);
    const auto x = fuse::view<"x">(data.data(), 2, 3);
    const auto t = fuse::view<"t">(data.data(), 2);
    std::string text;
    // [snippet:catch]
    try {
        text = std::to_string(fuse::value(fuse::host, sum(x - t)));
    } catch (const fuse::shape_error& e) {
        text = e.what();  // cannot broadcast x(2, 3) with t(2) on axis 1 in (x - t)
    }
    // [snippet:end]
    CHECK(text == "cannot broadcast x(2, 3) with t(2) on axis 1 in (x - t)");
}
