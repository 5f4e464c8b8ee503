// SPDX-License-Identifier: Apache-2.0
//
// Arrays that own their elements: values, and operands and outputs through their views.
#include "fuse/fuse.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "support/catch.hpp"

using namespace fuse;

namespace {

template <class... A>
concept Viewable = requires(A&&... a) {
    view<"x">(std::forward<A>(a)...);
};
using Matrix = HostTensor<float, 2>;
// Elements are copied as they lie: what may have strides, or lie on a device, is not taken for a range.
template <class... A>
concept MakesTensor = requires(A&... a) {
    tensor(a...);
};
static_assert(MakesTensor<std::vector<float>> && MakesTensor<std::vector<float>, int, int>);
static_assert(!MakesTensor<decltype(view<"x">(std::declval<Matrix&>()))> && !MakesTensor<Matrix, int, int>);

static_assert(Viewable<Matrix&> && Viewable<const Matrix&> && !Viewable<Matrix> && !Viewable<const Matrix>);
// What is left of a temporary must not be read or written.
template <class A>
concept Indexable = requires(A&& a) {
    std::forward<A>(a)[0];
};
template <class A, class E>
concept WritesTo = requires(A&& a, const E& e) {
    std::forward<A>(a) = e;
    std::forward<A>(a) += e;
};
using Row = decltype(view(std::declval<float*>(), 3));
static_assert(Indexable<Matrix&> && Indexable<const Matrix&> && !Indexable<Matrix> && !Indexable<const Matrix>);
static_assert(WritesTo<Matrix&, Row> && !WritesTo<Matrix, Row> && !WritesTo<Matrix, int> &&
              !WritesTo<const Matrix&, Row>);

static_assert(std::is_nothrow_move_constructible_v<Matrix> && std::is_nothrow_swappable_v<Matrix>);
static_assert(std::is_nothrow_move_assignable_v<Matrix> && std::is_copy_assignable_v<Matrix>);
static_assert(std::is_same_v<decltype(view(std::declval<const Matrix&>()))::element_type, const float>);

}  // namespace

TEST_CASE("tensors as inputs and outputs") {
    const auto x = tensor<float>({{1, 2, 3}, {4, 5, 6}});
    auto y = tensor<float>(2, 3);
    CHECK((y.shape() == Shape{2, {2, 3}} && y.size() == 6 && to_vector(y) == std::vector<float>(6)));
    CHECK(reinterpret_cast<std::uintptr_t>(y.data()) % 64 == 0);
    eval(host, view<"y">(y) = view<"x">(x) * 2 + 1);
    CHECK(to_vector(y) == std::vector<float>{3, 5, 7, 9, 11, 13});
    eval(host, y[0] = transpose(view(x))[1][0] + x[1], view(y)[1] = 0);
    CHECK(to_vector(y) == std::vector<float>{6, 7, 8, 0, 0, 0});
    CHECK((x(1, 2) == 6 && x(-2, 0) == 1 && y[0](-1) == 8));
    y(1, 1) = 4;
    CHECK(value(host, sum(view(y))) == 25);
    CHECK_THROWS_AS(x(2, 0), argument_error);
}

TEST_CASE("tensors are outputs as they are") {
    const auto x = tensor<float>({{1, 2, 3}, {4, 5, 6}});
    const auto v = view<"x">(x);
    auto y = tensor<float>(2, 3);
    auto sums = tensor<double>(2);
    auto total = tensor<std::int64_t>();
    eval(host, y = v * 2, sums = sum(v, axes<1>), total = sum(v));
    CHECK((to_vector(y) == std::vector<float>{2, 4, 6, 8, 10, 12} && total() == 21));
    CHECK(to_vector(sums) == std::vector<double>{6, 15});
    eval(host, y = v);
    eval(host, y += v);
    eval(host, sums /= 2);
    eval(host, y -= 1);
    eval(host, y *= view<"y">(y));
    CHECK((to_vector(y) == std::vector<float>{1, 9, 25, 49, 81, 121} && sums(1) == 7.5));
    const auto* const data = y.data();
    eval(host, y = 7, total = 3);
    CHECK((y.data() == data && y(1, 2) == 7 && total() == 3));
    // Never of another shape, as a view.
    CHECK_THROWS_WITH(eval(host, y = transpose(v)), "output <unnamed>(2, 3) does not have the shape (3, 2) of x[...]");
    CHECK(y(0, 1) == 7);
    auto none = tensor<float>(0, 3);
    eval(host, none = 1, y = v);
    CHECK((none.size() == 0 && y(0, 1) == 2));
    // Of tensors themselves it is the copy that it was.
    auto z = tensor<float>(1, 1);
    z = x;
    CHECK((z(1, 2) == 6 && z.data() != x.data()));
    auto flags = tensor<bool>(2, 3);
    eval(host, flags = v > 2);
    CHECK((!flags(0, 1) && flags(0, 2)));
}

TEST_CASE("tensors of what they are given") {
    const std::vector<double> v{1, 2, 3, 4, 5, 6};
    CHECK(tensor(v).shape() == Shape{1, {6}});
    CHECK(tensor(v, -1, 2)(2, 0) == 5);
    CHECK(tensor(std::vector<int>{7, 8})(1) == 8);
    CHECK(tensor(std::span(v).first(4), 2, 2)(1, 1) == 4);
    CHECK(tensor(std::vector<float>()).size() == 0);
    CHECK_THROWS_AS(tensor(v, 4, 2), shape_error);
    CHECK(tensor<int>({4, 5})(1) == 5);
    const auto t = tensor(v, 2, 3);
    const auto e = tensor(host, exp(view<"t">(t)) - 1);
    static_assert(std::is_same_v<decltype(e), const HostTensor<double, 2>>);
    CHECK(e(1, 2) == Approx(std::expm1(6.0)));
    CHECK(tensor(host, sum(view<"t">(t), axes<1>))(1) == 15);
    CHECK(tensor(host, sum(view<"t">(t)))() == 21);
    static_assert(std::is_same_v<decltype(tensor(host, view<"t">(t) > 2)), HostTensor<bool, 2>>);
    CHECK(std::vector<double>(t.begin(), t.end()) == v);
    CHECK_THROWS_AS(tensor<float>(2, -1), shape_error);
    CHECK_THROWS_AS(tensor<float>(index_t{1} << 40, index_t{1} << 40), shape_error);
    CHECK(tensor<float>(index_t{1} << 40, index_t{1} << 40, 0).size() == 0);
}

TEST_CASE("tensors are values: copies are deep, moves are not") {
    auto a = tensor<std::int16_t>({1, 2, 3});
    auto b = a;
    b(0) = 9;
    CHECK((a(0) == 1 && b(0) == 9));
    const auto* const data = b.data();
    auto c = std::move(b);
    CHECK((c.data() == data && b.size() == 0 && view(b).size() == 0));
    b = a;
    CHECK((b(2) == 3 && b.data() != a.data()));
    a = std::move(c);
    CHECK((a.data() == data && a(0) == 9));
    swap(a, b);
    CHECK((b.data() == data && a(0) == 1));
    auto& same = a;
    a = same;
    CHECK(a(2) == 3);
    auto one = tensor<float>();
    CHECK((one.size() == 1 && one() == 0));
    const auto moved = std::move(one);
    CHECK(moved() == 0);
    CHECK_THROWS_AS(value(host, view(one) + 1), argument_error);
}

TEST_CASE("a copy to an array of equal extents goes into the memory that it has") {
    const auto from = tensor<float>({{1, 2, 3}, {4, 5, 6}});
    auto to = tensor<float>(2, 3);
    const float* const data = to.data();
    const auto v = view<"v">(to);
    const auto row = v[1];
    to = from;
    CHECK((to.data() == data && from.data() != data && v(0, 2) == 3 && row(0) == 4));
    auto& same = to;
    CHECK((&(to = same) == &to && to.data() == data && to(1, 2) == 6));
    // What is moved brings its own.
    auto other = tensor<float>({{7, 8, 9}, {7, 8, 9}});
    const float* const others = other.data();
    to = std::move(other);
    CHECK((to.data() == others && to(1, 1) == 8 && other.size() == 0));
    // So does what is of other extents, of as many elements too.
    to = tensor<float>({{1, 2}, {3, 4}, {5, 6}});
    CHECK((to.shape() == Shape{2, {3, 2}} && to(2, 1) == 6));
    const auto turned = to;
    to = from;
    CHECK((to.shape() == Shape{2, {2, 3}} && to(1, 2) == 6 && turned(2, 1) == 6));
    other = from;
    CHECK((other(1, 0) == 4 && other.data() != from.data()));

    auto one = tensor<double>(), two = tensor<double>();
    two() = 2.5;
    const double* const single = one.data();
    one = two;
    CHECK((one.data() == single && one() == 2.5));
    const auto moved = std::move(one);
    one = two;
    CHECK((one() == 2.5 && moved() == 2.5));
    auto none = tensor<int>(0, 3), no_more = tensor<int>(0, 3);
    none = no_more;
    CHECK(none.shape() == Shape{2, {0, 3}});
}

TEST_CASE("the shape of an array makes another one") {
    const std::vector<float> row = {1, 2, 3};
    std::vector<float> data(6), other(6);
    const auto x = fuse::view<"x">(data.data(), fuse::extents<dynamic, 3>{2});
    const auto t = fuse::tensor<double>(x.shape());
    static_assert(std::is_same_v<decltype(t), const fuse::HostTensor<double, 2>>);
    CHECK(to_vector(t) == std::vector<double>(6));
    const auto y = fuse::view<"y">(other.data(), x.shape());
    static_assert(decltype(y)::static_shape[0] == dynamic && decltype(y)::static_shape[1] == 3);
    CHECK(fuse::view(other, t.shape()).shape() == x.shape());
    CHECK(reshape(fuse::view(other), x.shape()).shape() == x.shape());
    CHECK_THROWS_AS(fuse::view(row, x.shape()), fuse::shape_error);
    fuse::eval(fuse::host, y = broadcast_to(fuse::view<"r">(row), x.shape()));
    CHECK(other == std::vector<float>{1, 2, 3, 1, 2, 3});
    // Of no axes, and without elements.
    CHECK(fuse::tensor<int>(fuse::view(other.data(), fuse::shape()).shape()).size() == 1);
    CHECK(fuse::tensor<int>(fuse::view(other.data(), 2, 0).shape()).extent(0) == 2);
}

TEST_CASE("constants fill arrays, and 16-bit floats are written as floats") {
    std::vector<float> data(3);
    std::vector<int> whole(2, 7);
    auto t = fuse::tensor<double>(2);
    fuse::eval(fuse::host, fuse::view(data) = fuse::constant<1, 2>, t = fuse::constant<-3>);
    CHECK(data == std::vector<float>(3, 0.5F));
    CHECK(to_vector(t) == std::vector<double>(2, -3));
    fuse::eval(fuse::host, fuse::view(whole) = fuse::constant<5, 2>);
    CHECK(whole == std::vector<int>(2, 2));
    const auto b = fuse::tensor<fuse::bfloat16>({{1.5F, 2}, {-3, 1.00390625F}});
    CHECK(b.rank == 2);
    CHECK(static_cast<float>(b(0, 0)) == 1.5F);
    CHECK(static_cast<float>(b(1, 1)) == 1);  // rounded to even
    CHECK(fuse::tensor<fuse::bfloat16>({{1.5F}}).rank == 2);
    const auto h = fuse::tensor<fuse::float16>({1.5, 2, 65504});
    CHECK(static_cast<float>(h(2)) == 65504);
    CHECK(fuse::tensor<fuse::float16>({fuse::float16(1), fuse::float16(2)}).size() == 2);
}
