// SPDX-License-Identifier: Apache-2.0
//
// The code of docs/coming_from.md: the right-hand column of its tables, compiled and run.
#include <fuse/fuse.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"

TEST_CASE("coming from Thrust") {
    std::vector<float> a{1, -2, 3};
    std::vector<float> b{2, 2, 2};
    std::vector<float> c(3);
    auto x = fuse::view<"x">(a);
    auto y = fuse::view<"y">(b);
    auto z = fuse::view<"z">(c);
    auto f = [](float v) { return v + 1; };
    auto g = [](float v, float w) { return v * w; };
    auto on = fuse::host;
    // [snippet:thrust]
    fuse::eval(on, z = fuse::map(f, x));                    // transform
    fuse::eval(on, z = fuse::map(g, x, y));                 // transform of two ranges, or of a zip_iterator
    float total = fuse::value(on, sum(x));                  // reduce
    float dot = fuse::value(on, sum(x * y));                // inner_product
    float folded = fuse::value(on, sum(fuse::map(f, x)));   // transform_reduce
    auto where_max = fuse::value(on, argmax(x));            // max_element, as a position
    bool sane = fuse::value(on, all(isfinite(x)));          // all_of
    auto negative = fuse::value(on, count_nonzero(x < 0));  // count_if
    fuse::eval(on, z = 0);                                  // fill
    fuse::eval(on, z = fuse::index<0>() * 2);               // tabulate, counting_iterator
    fuse::eval(on, z = cumsum(x));                          // inclusive_scan; with fuse::exclusive exclusive_scan
    fuse::eval(on, z = compact(x, x > 0));                  // copy_if; n = count_nonzero(x > 0) beside it counts
    fuse::eval(on, z = sort(x));                            // sort, of a row that fits a block
    // [snippet:end]
    CHECK(std::is_sorted(c.begin(), c.end()));
    fuse::eval(on, z = cumsum(x));
    CHECK(c[2] == 2);
    fuse::eval(on, z = fuse::index<0>() * 2);
    CHECK(c == std::vector<float>{0, 2, 4});
    fuse::eval(on, fuse::view<"m">(c.data(), 1, 3) = fuse::index<0>() + fuse::index<-1>() + 1);
    CHECK(c == std::vector<float>{1, 2, 3});
    CHECK(total == 2);
    CHECK(dot == 4);
    CHECK(folded == 5);
    CHECK(where_max == 2);
    CHECK(sane);
    CHECK(negative == 1);
}

TEST_CASE("coming from PyTorch and NumPy") {
    std::vector<float> a{1, 2, 3, 4, 5, 6};
    std::vector<float> b{1, 1, 1};
    std::vector<float> c(6);
    std::vector<float> d(2);
    std::vector<int> t{0, 2};
    auto x = fuse::view<"x">(a.data(), 2, 3);
    auto w = fuse::view<"w">(b);
    auto y = fuse::view<"y">(c.data(), 2, 3);
    auto row = fuse::view<"row">(d);
    auto target = fuse::view<"target">(t);
    auto on = fuse::host;
    using fuse::axes;
    using fuse::keepdims;
    // [snippet:torch]
    fuse::eval(on, row = sum(x, axes<1>));                    // x.sum(dim=1), x.sum(axis=1)
    fuse::eval(on, y = x - mean(x, axes<1>, keepdims));       // x - x.mean(1, keepdim=True)
    fuse::eval(on, row = var<1>(x, axes<1>));                 // x.var(1): PyTorch divides by n - 1
    fuse::eval(on, row = take(x, target, axes<1>));           // x.gather(1, target[:, None])[:, 0]
    fuse::eval(on, y = where(x > 2, x, 0));                   // torch.where(x > 2, x, 0)
    fuse::eval(on, y = fuse::expand_dims<1>(row) * x);        // row[:, None] * x
    fuse::eval(on, y = layer_norm(x, w, w));                  // F.layer_norm(x, (3,), w, w)
    fuse::eval(on, y = dropout(leaky_relu(x, 0.2), 0.5, 7));  // F.dropout(F.leaky_relu(x, 0.2), 0.5), seeded
    fuse::eval(on, x += 0.5F * y);                            // x += 0.5 * y
    float loss = fuse::value(on, cross_entropy(x, target));   // F.cross_entropy(x, target)
    auto [low, high] = fuse::value(on, min(x), max(x));       // x.min(), x.max() of one pass
    // [snippet:end]
    CHECK(low <= high);
    CHECK(std::isfinite(loss));
    CHECK(d == std::vector<float>{1, 6});
}

TEST_CASE("groups are counted and averaged") {
    std::vector<int> t{0, 2, 2, 0, 2};
    std::vector<float> a{1, 2, 3, 4, 7};
    std::vector<int> numbers{0, 1, 2};
    std::vector<int> c(3);
    std::vector<float> m(3);
    auto label = fuse::view<"label">(t);
    auto v = fuse::view<"v">(a);
    auto count = fuse::view<"count">(c);
    auto means = fuse::view<"means">(m);
    auto on = fuse::host;
    using fuse::axes;
    // [snippet:groups]
    auto k = fuse::view<"k">(numbers);                                   // k = np.arange(3)
    auto hit = fuse::expand_dims<1>(label) == k;                         // label[:, None] == k, F.one_hot(label, 3)
    fuse::eval(on, count = sum(hit, axes<0>));                           // np.bincount(label)
    auto in_group = where(hit, fuse::expand_dims<1>(v), 0);              // of each group its elements, else 0
    fuse::eval(on, means = sum(in_group, axes<0>) / sum(hit, axes<0>));  // the mean of v in each group
    // [snippet:end]
    CHECK(c == std::vector<int>{2, 0, 3});
    CHECK(m[0] == 2.5F);
    CHECK(std::isnan(m[1]));
    CHECK(m[2] == 4);
}

TEST_CASE("transposition and slices are views") {
    std::vector<float> a{1, 2, 3, 4, 5, 6};
    float* p = a.data();
    // [snippet:slices]
    auto x = fuse::view<"x">(p, 2, 3);
    auto transposed = transpose(x);           // x.T
    auto column = fuse::column(x, 1);         // x[:, 1]
    auto right = slice<1>(x, 1, {});          // x[:, 1:]
    auto reversed = slice<1>(x, {}, {}, -1);  // x[:, ::-1], also flip<1>(x)
    auto flat = reshape(x, -1);               // x.reshape(-1), without a copy or not at all
    // [snippet:end]
    CHECK(fuse::value(fuse::host, sum(x)) == 21);
    CHECK(fuse::value(fuse::host, sum(transposed)) == 21);
    CHECK(fuse::value(fuse::host, sum(column)) == 7);
    CHECK(fuse::value(fuse::host, sum(right)) == 16);
    CHECK(flat(4) == 5);
    std::vector<float> out(6);
    fuse::eval(fuse::host, fuse::view<"y">(out.data(), 2, 3) = reversed);
    CHECK(out == std::vector<float>{3, 2, 1, 6, 5, 4});
}
