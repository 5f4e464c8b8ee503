// SPDX-License-Identifier: Apache-2.0
//
// Identity and aliasing: in place outputs, names and the absence of names, named sub-expressions, broadcast views.
#include <algorithm>
#include <numeric>
#include <vector>

#include "lang/phase_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("an output may be exactly an input", "", HostTarget, EmulatedTarget) {
    const TestType target;
    for (const index_t n : {7, 64, 1000, 8195}) {
        INFO("columns " << n);
        Tensor<TestType, float> data(random_reals({3, n}, -3, 3, 1));
        const NdArray before = data.read();
        const NdArray logsum = reduce_reference(logsumexp_reference, before, 0b10, true);
        const auto x = data.template view<"x", 2>();
        const auto y = data.template view<"y", 2>();
        target.eval(y = x * 2.0F);
        target.eval(y = x / 2);
        check_equal(data.read(), before);
        const auto e = exp(x - max(x, axes<1>, keepdims));
        target.eval(x = e / sum(e, axes<1>, keepdims));
        check_close(data.read(), map_reference([](double a, double b) { return std::exp(a - b); }, before, logsum),
                    1e-5);
    }
}

TEMPLATE_TEST_CASE("a grid-wide softmax in place", "", HostTarget, EmulatedTarget) {
    Tensor<TestType, float> data(random_reals({17000}, -3, 3, 2));
    const NdArray before = data.read();
    const double logsum = logsumexp_reference(before.value);
    const auto x = data.template view<"x", 1>();
    const auto e = exp(x - max(x));
    TestType{}.eval(data.template view<"y", 1>() = e / sum(e));
    check_close(data.read(), map_reference([&](double a) { return std::exp(a - logsum); }, before), 1e-5);
}

TEMPLATE_TEST_CASE("statements of one eval are simultaneous", "", HostTarget, EmulatedTarget) {
    const TestType target;
    const auto largest = [](const auto& v) { return *std::max_element(v.begin(), v.end()); };
    const auto difference = [](double a, double b) { return a - b; };
    for (const index_t n : {1, 7, 64, 1000, 8195, 40000}) {
        INFO("columns " << n);
        Tensor<TestType, float> x_data(random_integers({3, n}, 1, 9, 5));
        Tensor<TestType, float> y_data(random_integers({3, n}, 1, 9, 6));
        const NdArray first = x_data.read(), second = y_data.read();
        const auto x = x_data.template view<"x", 2>();
        const auto y = y_data.template view<"y", 2>();
        target.eval(x = y, y = x);
        check_equal(x_data.read(), second);
        check_equal(y_data.read(), first);
        // Rows of the longest are read again when they are written.
        target.eval(x = y - max(y, axes<1>, keepdims), y = x - max(x, axes<1>, keepdims));
        check_equal(x_data.read(), map_reference(difference, first, reduce_reference(largest, first, 0b10, true)));
        check_equal(y_data.read(), map_reference(difference, second, reduce_reference(largest, second, 0b10, true)));
    }
}

TEMPLATE_TEST_CASE("a value that is written once may replace what it is made of", "", HostTarget, EmulatedTarget) {
    const TestType target;
    Tensor<TestType, float> data(random_integers({3, 400}, 1, 9, 3));
    Tensor<TestType, float> total_data(NdArray(Extent{}, 100));
    Tensor<TestType, float> row_data(random_integers({400}, 1, 9, 4));
    Tensor<TestType, float> y_data(Extent{3, 400});
    const auto x = data.template view<"x", 2>();
    const auto row = row_data.template view<"row", 1>();
    const auto total = total_data.template view<"total", 0>();
    const auto y = y_data.template view<"y", 2>();
    const double all = sum_reference(data.read().value);
    target.eval(total = total + sum(x));
    CHECK(total_data.read().value[0] == 100 + all);
    target.eval(total = total + sum(max(x, axes<1>)) - sum(max(x, axes<1>)));  // read by the last block
    CHECK(total_data.read().value[0] == 100 + all);
    target.eval(x = sum(x));  // all of it is read before any of it is written
    check_equal(data.read(), NdArray(Extent{3, 400}, all));

    // Other threads, rows or elements may read it after it was written.
    CHECK_THROWS_AS(target.eval(y = x + total, total = total * 2), argument_error);
    CHECK_THROWS_AS(target.eval(y = x * row - max(x * total, axes<1>, keepdims), total = sum(row)), argument_error);
    CHECK_THROWS_AS(target.eval(x = total_data.template view<"total", 0>() * view<"x00">(data.origin(), shape())),
                    argument_error);
    CHECK_THROWS_AS(target.eval(y = x * 2, x = sum(x)), argument_error);
    CHECK_THROWS_AS(target.eval(total = sum(x) * 2, y = total + 1),
                    argument_error);  // a fill reads it for each element
    Tensor<TestType, float> line_data(Extent{400});
    CHECK_THROWS_AS(target.eval(line_data.template view<"line", 1>() = cumsum(row * total), total = sum(row)),
                    argument_error);  // a scan reads its elements again when it writes them
    Tensor<TestType, float> column_data(Extent{3, 1});
    const auto column = column_data.template view<"column", 2>();
    CHECK_THROWS_AS(target.eval(column = mean(x, axes<1>, keepdims), y = x - column), argument_error);
    CHECK(total_data.read().value[0] == 100 + all);
    check_equal(data.read(), NdArray(Extent{3, 400}, all));
}

TEMPLATE_TEST_CASE("views that repeat elements with stride 0", "", HostTarget, EmulatedTarget) {
    std::vector<float> row(37);
    std::iota(row.begin(), row.end(), 1.0F);
    const auto x = view<"x">(row.data(), shape(20, 37), strides(0, 1));
    const auto k = view<"k">(row.data() + 1, shape(20, 37), strides(0, 0));
    const TestType target;
    CHECK(target.value(sum(x * k)) == 20 * 703 * 2);
    std::vector<float> columns(37);
    std::vector<float> rows(20);
    target.eval(view<"c">(columns.data(), 37) = sum(x, axes<0>));
    target.eval(view<"r">(rows.data(), 20) = sum(x + k, axes<1>));
    CHECK(columns[36] == 20 * 37);
    CHECK(rows[19] == 703 + 74);
}

TEST_CASE("a name is an identity: named leaves are loaded once, unnamed ones at each occurrence") {
    std::vector<float> data{1, 2, 3};
    std::vector<float> out(3);
    const auto y = view<"y">(out.data(), 3);
    const auto named_x = view<"x">(data.data(), 3);
    const auto plain_x = view(data.data(), 3);
    using Named = plan<decltype(y = named_x * named_x + sum(named_x))>;
    using Plain = plan<decltype(y = plain_x * plain_x + sum(plain_x))>;
    STATIC_REQUIRE(Named::program::leaves::size == 1);
    STATIC_REQUIRE(Plain::program::leaves::size == 3);
    eval(host, y = plain_x * plain_x + sum(plain_x));
    CHECK(out == std::vector<float>{7, 10, 15});
    eval(host, y = named_x * named_x + sum(named_x));
    CHECK(out == std::vector<float>{7, 10, 15});
}

TEST_CASE("unnamed views of different data are never confused") {
    std::vector<float> a{1, 2, 3};
    std::vector<float> b{10, 20, 30};
    std::vector<float> out(3);
    const auto y = view(out.data(), 3);
    eval(host, y = view(a.data(), 3) + view(b.data(), 3) * 2.0F - sum(view(a.data(), 3)));
    CHECK(out == std::vector<float>{15, 36, 57});
}

TEST_CASE("named gives a sub-expression an identity") {
    std::vector<float> a{1, 2, 3};
    std::vector<float> out(3);
    const auto x = view(a.data(), 3);
    const auto y = view<"y">(out.data(), 3);
    const auto h = named<"h">(x * 2.0F + 1.0F);
    using Twice = plan<decltype(y = h * h + sum(h))>;
    STATIC_REQUIRE(Twice::program::leaves::size == 3);
    const auto g = x * 2.0F + 1.0F;
    using Apart = plan<decltype(y = g * g + sum(g))>;
    STATIC_REQUIRE(Apart::program::leaves::size == 9);
    eval(host, y = h * h + sum(h));
    CHECK(out == std::vector<float>{24, 40, 64});
    eval(host, y = g * g + sum(g));
    CHECK(out == std::vector<float>{24, 40, 64});
}

TEST_CASE("a view assigned to a view of its type is a statement") {
    std::vector<float> a{1, 2, 3};
    std::vector<float> b(3);
    const auto from = view<"v">(a.data(), 3);
    const auto to = view<"w">(b.data(), 3);
    eval(host, to = from);
    CHECK(a == b);
    const auto one = view(a.data(), 3);
    const auto other = view(b.data(), 3);
    std::fill(b.begin(), b.end(), 0.0F);
    eval(host, other = one);
    CHECK(a == b);
    eval(host, other = 4);
    CHECK(b == std::vector<float>(3, 4.0F));
}
