// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/language.md: expressions. Statements: language_statements.cpp.
#include <fuse/nn.hpp>
#include <fuse/stencil.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"

TEST_CASE("views") {
    std::vector<float> data(12);
    float matrix[2][3] = {};
    float* p = data.data();
    const fuse::index_t rows = 3;
    const fuse::index_t cols = 4;
    // [snippet:views]
    auto x = fuse::view<"x">(p, rows, cols);                                       // row-major
    auto s = fuse::view<"s">(p, fuse::extents<fuse::dynamic, 4>{rows});            // partly static extents
    auto t = fuse::view<"t">(p, fuse::shape(cols, rows), fuse::strides(1, cols));  // any strides: the transpose of x
    auto r = fuse::view<"r">(p, fuse::shape(rows, cols), fuse::strides(0, 1));     // stride 0: the first row, repeated
    auto v = fuse::view<"v">(data);                                                // a contiguous range, one axis
    auto m = fuse::view<"m">(matrix);                                              // an array, all its axes
    auto e = fuse::view<"e">(p, fuse::shape());                                    // one element: rank 0
    auto u = fuse::view(p, rows, cols);                                            // unnamed
    // [snippet:end]
    CHECK(x.shape() == s.shape());
    CHECK(t.extent(0) == 4);
    CHECK(r.strides()[0] == 0);
    CHECK(v.extent(0) == 12);
    CHECK(m.shape() == fuse::Shape{2, {2, 3}});
    CHECK(e.shape().rank == 0);
    CHECK(u.data() == p);
}

TEST_CASE("scans") {
    std::vector<float> in{3, 4, 0, 1, 2, 2};
    std::vector<float> out(6);
    auto x = fuse::view<"x">(in.data(), 2, 3);
    auto y = fuse::view<"y">(out.data(), 2, 3);
    std::vector<float> totals(2);
    auto row = fuse::view<"row">(totals);
    auto v = fuse::view<"v">(in);
    std::vector<float> some(6);
    auto kept = fuse::view<"kept">(some);
    fuse::index_t how_many = 0;
    auto count = fuse::view<"count">(&how_many, fuse::shape());
    std::vector<fuse::index_t> positions(6);
    auto order = fuse::view<"order">(positions.data(), 2, 3);
    using fuse::axes;
    // [snippet:scans]
    fuse::eval(fuse::host, y = cumsum(x, axes<1>));                   // y[i, j] = x[i, 0] + ... + x[i, j]
    fuse::eval(fuse::host, y = cumsum(x, axes<0>, fuse::exclusive));  // without its own element: 0 in the first row
    fuse::eval(fuse::host, y = cumsum(x, axes<1>, fuse::reverse));    // y[i, j] = x[i, j] + ... + x[i, n - 1]
    fuse::eval(fuse::host, y = sqrt(cumsum(square(x), axes<1>)));     // maps before and after, one kernel, one pass
    fuse::eval(fuse::host, y = discounted_cumsum(x, 0.9F, axes<1>));  // y[i, j] = x[i, j] + 0.9 y[i, j - 1]
    fuse::eval(fuse::host, y = fuse::scan(fuse::Max<>{}, x, axes<1>));
    fuse::eval(fuse::host, y = cumsum(x, axes<1>), row = sum(x, axes<1>));                 // the totals beside the scan
    fuse::eval(fuse::host, kept = compact(v, v > 1), count = fuse::count_nonzero(v > 1));  // and how many were kept
    fuse::eval(fuse::host, y = sort(x, axes<-1>), order = argsort(x, axes<-1>));
    // [snippet:end]
    CHECK(out == std::vector<float>{0, 3, 4, 1, 2, 2});
    CHECK(positions == std::vector<fuse::index_t>{2, 0, 1, 0, 1, 2});
    CHECK(totals == std::vector<float>{7, 5});
    CHECK(some == std::vector<float>{3, 4, 2, 2, 0, 0});
    CHECK(how_many == 4);
    fuse::eval(fuse::host, y = fuse::scan(fuse::Max<>{}, x, axes<1>));
    CHECK(out == std::vector<float>{3, 4, 4, 1, 2, 2});
    fuse::eval(fuse::host, y = cumsum(x, axes<0>, fuse::exclusive));
    CHECK(out == std::vector<float>{0, 0, 0, 3, 4, 0});
    fuse::eval(fuse::host, y = sqrt(cumsum(square(x), axes<1>)));
    CHECK(out == std::vector<float>{3, 5, 5, 1, std::sqrt(5.0F), 3});
    fuse::eval(fuse::host, y = discounted_cumsum(x, 0.5F, axes<1>));
    CHECK(out == std::vector<float>{3, 5.5F, 2.75F, 1, 2.5F, 3.25F});
}

TEST_CASE("random numbers") {
    std::vector<float> data(6, 1), out(6);
    auto x = fuse::view<"x">(data.data(), 2, 3);
    auto y = fuse::view<"y">(out.data(), 2, 3);
    const int seed = 2026;
    // [snippet:random]
    fuse::eval(fuse::host, y = fuse::normal(seed));               // standard normal; y = 2 * normal + 1 has mean 1
    fuse::eval(fuse::host, y = x + 0.1F * fuse::uniform(seed));   // noise in the kernel that uses it
    fuse::eval(fuse::host, y = softmax(dropout(x, 0.25, seed)));  // PyTorch's dropout, in training
    fuse::eval(fuse::host, y = where(fuse::bernoulli(0.5, seed + 1), x, -x));
    // [snippet:end]
    for (const float v : out) {
        CHECK((v == 1 || v == -1));
    }
}

TEST_CASE("numbers") {
    std::vector<float> data{1, 2};
    std::vector<std::uint8_t> bytes{1, 2};
    auto x = fuse::view<"x">(data);
    auto b = fuse::view<"b">(bytes);
    // [snippet:numbers]
    x * 2.0;                         // a run-time scalar; takes the type of x: float
    x + fuse::scalar<"eps">(1e-5F);  // the same with a name
    x* fuse::constant<1, 3>;         // a compile-time rational, part of the kernel's code
    b / 2;                           // true division: double here
    // [snippet:end]
    static_assert(std::is_same_v<fuse::value_t<decltype(x * 2.0)>, float>);
    static_assert(std::is_same_v<fuse::value_t<decltype(b / 2)>, double>);
    CHECK(fuse::value(fuse::host, sum(x * fuse::constant<1, 3>)) == Catch::Approx(1.0));
    CHECK(fuse::value(fuse::host, sum(b / 2)) == Catch::Approx(1.5));
    CHECK(fuse::value(fuse::host, sum(x + fuse::scalar<"eps">(1e-5F))) == Catch::Approx(3.00002));
}

// [snippet:functor]
struct Smooth {
    template <class T>
    FUSE_HD T operator()(T x, T y) const {
        return x * T(0.75) + y * T(0.25);
    }
};
// [snippet:end]

// [snippet:reduction]
struct SumOfSquares {  // a reduction op: how elements become accumulators, and how those merge
    using accumulator = double;
    FUSE_HD double init() const { return 0; }
    FUSE_HD double leaf(double v, fuse::index_t) const { return v * v; }
    FUSE_HD double combine(double a, double b) const { return a + b; }
    FUSE_HD double project(double a, fuse::index_t n) const { return a / static_cast<double>(n); }
};

struct BitwiseUnion {  // or a binary functor with an identity
    static constexpr unsigned identity = 0;
    FUSE_HD unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};
// [snippet:end]

TEST_CASE("functors and reductions of one's own") {
    std::vector<float> a{1, 2, 3};
    std::vector<float> b{4, 5, 6};
    std::vector<unsigned> f{1, 4, 8};
    auto x = fuse::view<"x">(a);
    auto y = fuse::view<"y">(b);
    auto flags = fuse::view<"flags">(f);
    std::vector<float> o(3);
    auto out = fuse::view<"out">(o);
    // [snippet:own]
    fuse::eval(fuse::host, out = fuse::map(Smooth{}, x, y));
    fuse::eval(fuse::host, out = fuse::map([](float u, float v) { return u > v ? u : v; }, x, y));
    double s = fuse::value(fuse::host, fuse::reduce(SumOfSquares{}, x));
    unsigned m = fuse::value(fuse::host, fuse::reduce(BitwiseUnion{}, flags));
    // [snippet:end]
    const float k = 2;
    CHECK(fuse::value(fuse::host, sum(fuse::map([k](float v) { return k * v; }, x))) == 12);
    CHECK(o == b);
    CHECK(s == Catch::Approx(14.0 / 3));
    CHECK(m == 13);
}

TEST_CASE("combinators and maths are one expression") {
    std::vector<float> d{1, 2, 3};
    auto a = fuse::view<"a">(d);
    auto b = fuse::view<"b">(d.data(), 3);
    float r = 0;
    auto y = fuse::view<"y">(&r, fuse::shape());
    // [snippet:combinators]
    auto combinators = fuse::reduce(fuse::Add<>{}, fuse::map(fuse::Square<>{}, fuse::broadcast(a, b)));
    auto maths = sum(square(a, b));
    // [snippet:end]
    using First = fuse::plan<decltype(y = combinators)>;
    using Second = fuse::plan<decltype(y = maths)>;
    static_assert(std::is_same_v<First::program, Second::program>);
}

TEST_CASE("axes") {
    std::vector<float> d(24, 1.0F);
    auto x = fuse::view<"x">(d.data(), 2, 3, 4);
    using fuse::axes;
    using fuse::keepdims;
    // [snippet:axes]
    auto all = sum(x);                      // shape ()
    auto last = sum(x, axes<-1>);           // shape (2, 3)
    auto outer = sum(x, axes<0, 2>);        // shape (3)
    auto kept = max(x, axes<1>, keepdims);  // shape (2, 1, 4): broadcasts back against x
    auto exact = sum(x, fuse::accumulate<double>);
    auto skips = max(x, fuse::nan::ignore);  // NaN does not win
    // [snippet:end]
    static_assert(all.rank == 0 && last.rank == 2 && outer.rank == 1 && kept.rank == 3 && exact.rank == 0);
    CHECK(shape_of(kept) == fuse::Shape{3, {2, 1, 4}});
    CHECK(shape_of(outer) == fuse::Shape{1, {3}});
    CHECK(fuse::value(fuse::host, exact) == 24);
    CHECK(fuse::value(fuse::host, skips) == 1);
}

TEST_CASE("index, take, expand_dims, minmax") {
    std::vector<float> d{5, 1, 3, 2, 6, 4};
    std::vector<int> t{2, 0};
    std::vector<float> r(2);
    std::vector<float> full(6);
    auto x = fuse::view<"x">(d.data(), 2, 3);
    auto target = fuse::view<"target">(t);
    auto row = fuse::view<"row">(r);
    auto y = fuse::view<"y">(full.data(), 2, 3);
    using fuse::axes;
    // [snippet:index]
    fuse::eval(fuse::host, row = take(x, target, axes<1>));  // x[i, target[i]]
    fuse::eval(fuse::host, y = where(fuse::index<1>() == fuse::expand_dims<1>(target), x, 0));
    fuse::eval(fuse::host, y = where(fuse::index<1>() <= fuse::index<0>(), x, 0));  // the lower triangle
    auto [low, high] = minmax(x, axes<1>);                                          // two expressions of one reduction
    fuse::eval(fuse::host, row = high - low);
    // [snippet:end]
    CHECK(full == std::vector<float>{5, 0, 0, 2, 6, 0});
    CHECK(r == std::vector<float>{4, 4});
}

TEST_CASE("identity") {
    std::vector<float> d{1, 2, 3, 4};
    std::vector<float> o(4);
    auto y = fuse::view<"y">(o);
    auto x = fuse::view<"x">(d);
    float* p = d.data();
    // [snippet:identity]
    using Named = fuse::plan<decltype(y = x * mean(x))>;
    static_assert(Named::passes<"x"> == 2 && Named::planner::ir_leaves::size == 1);

    auto u = fuse::view(p, 4);  // no name: two occurrences are two leaves
    using Unnamed = fuse::plan<decltype(y = u * mean(u))>;
    static_assert(Unnamed::planner::ir_leaves::size == 2);

    auto swish = let(u * 2.F, [](auto h) { return h * sigmoid(h); });  // one value, used twice
    using Bound = fuse::plan<decltype(y = swish)>;
    static_assert(Bound::planner::ir_leaves::size == 2);  // u and the number

    auto h = fuse::named<"h">(u * 2.F + 1.F);  // a name for a sub-expression: one in the whole eval
    using Shared = fuse::plan<decltype(y = h * mean(h))>;
    static_assert(Shared::planner::ir_leaves::size == 3);  // u and the two numbers
    // [snippet:end]
    fuse::eval(fuse::host, y = h * mean(h));
    CHECK(o == std::vector<float>{18, 30, 42, 54});
}

TEST_CASE("16-bit floats") {
    std::vector<fuse::bfloat16> d(3000, fuse::bfloat16(1.0F));
    // [snippet:half]
    auto x = fuse::view<"x">(d);  // bfloat16 in memory, float in every functor
    float s = fuse::value(fuse::host, sum(x));
    // [snippet:end]
    CHECK(s == 3000);
}

TEST_CASE("norms and losses") {
    std::vector<float> d{1, 2, 3, 4, 5, 6};
    std::vector<float> g{1, 1, 1};
    std::vector<float> o(6);
    std::vector<int> t{0, 2};
    std::vector<float> r(2);
    auto x = fuse::view<"x">(d.data(), 2, 3);
    auto y = fuse::view<"y">(o.data(), 2, 3);
    auto gamma = fuse::view<"gamma">(g);
    auto beta = fuse::view<"beta">(g.data(), 3);
    auto target = fuse::view<"target">(t);
    auto each = fuse::view<"each">(r);
    // [snippet:nn]
    fuse::eval(fuse::host, y = layer_norm(x, gamma, beta));
    fuse::eval(fuse::host, y = layer_norm(x, fuse::axes<-1>, 1e-6));  // other axes, another eps
    fuse::eval(fuse::host, each = cross_entropy(x, target, fuse::reduction::none));
    float loss = fuse::value(fuse::host, cross_entropy(x, target));
    // [snippet:end]
    CHECK(loss == Catch::Approx((r[0] + r[1]) / 2));
}

TEST_CASE("more losses") {
    // Rows whose probabilities are 1/4, 1/4, 1/2, and a teacher for whom all classes are alike.
    const float two = std::log(2.F);
    const std::vector<float> logits = {0, 0, two, 0, two, 0};
    const std::vector<float> equal(6);
    const std::vector<float> weights = {1, 2, 4};
    const std::vector<int> labels = {2, 0};
    std::vector<float> r(2);
    auto x = fuse::view<"x">(logits, 2, 3);
    auto teacher = fuse::view<"teacher">(equal, 2, 3);
    auto weight = fuse::view<"weight">(weights);
    auto target = fuse::view<"target">(labels);
    auto each = fuse::view<"each">(r);
    // [snippet:more_losses]
    namespace loss = fuse::loss;
    fuse::eval(fuse::host, each = cross_entropy(x, target, weight, loss::label_smoothing(0.1), fuse::reduction::none));
    float kept_small = fuse::value(fuse::host, cross_entropy(x, target, loss::z_loss(1e-4)));
    float student = fuse::value(fuse::host, (distillation_loss(x, teacher, 2.0) + cross_entropy(x, target)) / 2);
    // [snippet:end]
    CHECK(r[0] == Catch::Approx(0.9 * 4 * two + 0.1 * (1 * 2 + 2 * 2 + 4) * two / 3));
    CHECK(r[1] == Catch::Approx(0.9 * 2 * two + 0.1 * (1 * 2 + 2 * 1 + 4 * 2) * two / 3));
    CHECK(kept_small == Catch::Approx(1.5 * two + 1e-4 * 4 * two * two));
    // At temperature 2 the logits are 0, 0 and log(2) / 2.
    const double divergence = std::log(2 + std::sqrt(2.0)) - two / 6 - std::log(3.0);
    CHECK(student == Catch::Approx((4 * divergence + 1.5 * two) / 2));
}

TEST_CASE("stencils") {
    const fuse::index_t n = 4;
    std::vector<float> data{4, 8, 0, 4}, room(4);
    const auto u = fuse::view<"u">(data);
    const auto next = fuse::view<"next">(room);
    // [snippet:stencil]
    auto around = pad(u, 1, 1);
    fuse::eval(fuse::host, next = 0.25F * slice<0>(around, 0, n) + 0.5F * u + 0.25F * slice<0>(around, 2, n + 2));
    fuse::eval(fuse::host, next = u + 0.1F * (roll(u, 1) - 2 * u + roll(u, -1)));
    // [snippet:end]
    const float laplacian[] = {4, -12, 12, -4};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(room[i] == Approx(data[i] + 0.1F * laplacian[i]));
    }
}
