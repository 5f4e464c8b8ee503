// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/language.md: statements, and the steps in which they are done.
#include <fuse/nn.hpp>

#include <utility>
#include <vector>

#include "support/catch.hpp"

TEST_CASE("steps") {
    using fuse::axes;
    using fuse::keepdims;
    std::vector<float> p(12);
    const auto x = fuse::view<"x">(p.data(), 3, 4);
    const auto y = fuse::view<"y">(p.data(), 3, 4);
    const auto r = fuse::view<"r">(p.data(), 3);
    const auto c = fuse::view<"c">(p.data(), 4);
    // [snippet:steps]
    auto both = fuse::plan<decltype(r = sum(x, axes<1>)), decltype(c = sum(x, axes<0>))>{};
    static_assert(both.kernels == 1 && both.steps == 2 && both.barriers == 0);

    using Scaled = fuse::plan<decltype(y = x / max(x, axes<1>, keepdims) / max(x, axes<0>))>;
    static_assert(Scaled::steps == 2 && Scaled::barriers == 1 && Scaled::temporaries == 1 && Scaled::passes<"x"> == 2);
    // [snippet:end]
    static_cast<void>(both);
}

TEST_CASE("scalars of arrays of several sizes") {
    using fuse::axes;
    std::vector<float> weights{1, 2, 3}, biases{1, 2, 3, 4, 5}, image{1, 4, 2, 2, 8, 3, 0, 1};
    const auto w = fuse::view<"w">(weights);
    const auto b = fuse::view<"b">(biases);
    const auto x = fuse::view<"x">(image, 2, 4);
    // [snippet:spaces]
    float decay = fuse::value(fuse::host, sum(square(w)) + sum(square(b)));  // of 3 and of 5 elements
    float variation = fuse::value(fuse::host, sum(abs(diff(x, axes<0>))) + sum(abs(diff(x, axes<1>))));
    // [snippet:end]
    CHECK(decay == 14 + 55);
    CHECK(variation == (7 + 1 + 2 + 1) + (3 + 2 + 0) + (5 + 3 + 1));
}

TEST_CASE("buffers that take turns") {
    std::vector<float> a{0, 0, 16, 0, 0};
    std::vector<float> b(5);
    // [snippet:turns]
    auto now = fuse::view(a.data(), 5);
    auto next = fuse::view(b.data(), 5);
    for (int step = 0; step < 3; ++step) {
        fuse::eval(fuse::host, next = now * 0.5F + 1);
        swap(now, next);  // now is what was computed last
    }
    // [snippet:end]
    CHECK(now.data() == b.data());
    CHECK(b == std::vector<float>{1.75F, 1.75F, 3.75F, 1.75F, 1.75F});
}

TEST_CASE("statements of one eval are simultaneous") {
    std::vector<float> a{1, 2};
    std::vector<float> b{10, 20};
    auto x = fuse::view<"x">(a);
    auto y = fuse::view<"y">(b);
    // [snippet:simultaneous]
    fuse::eval(fuse::host, x = x * 10, y = x + 1);  // y from the old x
    fuse::eval(fuse::host, x = y, y = x);           // exchanges the elements
    // [snippet:end]
    CHECK(a == std::vector<float>{2, 3});
    CHECK(b == std::vector<float>{10, 20});
    const std::vector<float> was = a;
    // [snippet:in_place]
    fuse::eval(fuse::host, x += y, y *= 2);  // reads and writes x; both from the old values
    // [snippet:end]
    CHECK(a == std::vector<float>{was[0] + b[0] / 2, was[1] + b[1] / 2});
}

TEST_CASE("several values") {
    std::vector<float> data{1, 4, 2};
    auto x = fuse::view<"x">(data);
    // [snippet:values]
    auto [total, largest] = fuse::value(fuse::host, sum(x), max(x));  // one kernel, one pass over x
    // [snippet:end]
    CHECK(total == 7);
    CHECK(largest == 4);
}
