// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/quick_start.md. The page begins with a whole program, whose main is a function here.
#define main first_program
// [snippet:program]
#include <fuse/fuse.hpp>
#include <iostream>
#include <vector>

int main() {
    std::vector<float> predicted{1, 2, 3, 4, 5, 6};
    std::vector<float> wanted{1, 0, 7, 4, 5, 9};
    std::vector<int> counts{1, 1, 0, 1, 1, 1};  // 0 leaves an element out
    std::vector<float> losses(2);

    auto x = fuse::view<"x">(predicted, 2, 3);  // a name and a shape for memory that is there
    auto t = fuse::view<"t">(wanted, 2, 3);
    auto m = fuse::view<"m">(counts, 2, 3);
    auto rows = fuse::view<"rows">(losses);

    auto error = where(m != 0, square(x - t), 0);                                      // nothing has run yet
    float loss = fuse::value(fuse::host, sum(error) / sum(m));                         // a number
    fuse::eval(fuse::host, rows = sum(error, fuse::axes<1>) / sum(m, fuse::axes<1>));  // an array

    std::cout << "loss " << loss << '\n' << rows << '\n';
    return 0;
}
// [snippet:end]
#undef main

#include <cmath>
#include <fstream>
#include <sstream>

#include "support/catch.hpp"

namespace {

/// What f prints on the standard output.
template <class F>
std::string printed_by(const F& f) {
    std::ostringstream text;
    std::streambuf* const terminal = std::cout.rdbuf(text.rdbuf());
    f();
    std::cout.rdbuf(terminal);
    return text.str();
}

void check_shown(const std::string& output) {
    std::ifstream file(FUSE_SOURCE_DIR "/docs/quick_start.md");
    std::ostringstream page;
    page << file.rdbuf();
    INFO("docs/quick_start.md must show\n" << output);
    CHECK(page.str().find("```text\n" + output + "```") != std::string::npos);
}

}  // namespace

TEST_CASE("the first program") {
    check_shown(printed_by(first_program));
}

TEST_CASE("quick start") {
    std::vector<float> a{1, 2, 3, 4, 5, 6};
    std::vector<float> b{1, 1, 1};
    std::vector<float> c(6);
    std::vector<float> d(2);
    // [snippet:views]
    auto x = fuse::view<"x">(a.data(), 2, 3);  // pointer, extents: row-major, nothing is copied
    auto t = fuse::view<"t">(b.data(), 3);
    auto y = fuse::view<"y">(c.data(), 2, 3);
    auto m = fuse::view<"m">(d.data(), 2);
    // [snippet:end]

    // [snippet:lazy]
    auto difference = x - t;               // t broadcasts along the rows of x, as in numpy
    auto loss = mean(square(difference));  // a scalar expression; still nothing has run
    float l = fuse::value(fuse::host, loss);
    // [snippet:end]
    CHECK(l == Catch::Approx(55.0 / 6));

    // [snippet:statements]
    fuse::eval(fuse::host, y = x * 2 + t);                               // elementwise
    fuse::eval(fuse::host, m = max(x, fuse::axes<1>));                   // the largest of each row
    fuse::eval(fuse::host, y = softmax(x), m = mean(x, fuse::axes<1>));  // two outputs, one kernel
    // [snippet:end]
    CHECK(d[0] == 2);
    CHECK(d[1] == 5);
    CHECK(c[0] == Catch::Approx(std::exp(-2.0) / (1 + std::exp(-1.0) + std::exp(-2.0))));

    // [snippet:plan]
    using P = fuse::plan<decltype(y = softmax(x)), decltype(m = mean(x, fuse::axes<1>))>;
    static_assert(P::kernels == 1 && P::passes<"x"> == 1 && P::temporaries == 0);
    static_assert(P::family == fuse::Family::rows && P::phases == 2);
    // [snippet:end]
    static_assert(!P::epilogue);

    check_shown(printed_by([&] {
        // [snippet:explain]
        std::cout << fuse::explain(fuse::host, y = softmax(x), m = mean(x, fuse::axes<1>));
        // [snippet:end]
    }));
}

// [snippet:composite]
template <class X, class W>
auto weighted_rms(const X& x, const W& w) {
    return sqrt(sum(w * square(x), fuse::axes<-1>) / sum(w, fuse::axes<-1>));
}
// [snippet:end]

TEST_CASE("a composite of one's own") {
    std::vector<float> a{1, 2, 3, 4};
    std::vector<float> w{1, 0, 3, 1};
    std::vector<float> r(2);
    const auto x = fuse::view<"x">(a.data(), 2, 2);
    const auto v = fuse::view<"w">(w.data(), 2, 2);
    fuse::eval(fuse::host, fuse::view<"r">(r.data(), 2) = weighted_rms(x, v));
    CHECK(r[0] == 1);
    CHECK(r[1] == Catch::Approx(std::sqrt((27.0 + 16) / 4)));
}
