// SPDX-License-Identifier: Apache-2.0
//
// Views as C++ objects: which elements an array gives, and that what generic code does with views either exchanges them
// or does not compile. A statement that nobody evaluates would be neither.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class T>
using Row = decltype(view(std::declval<T*>(), 1));
template <class T>
using Matrix = decltype(view<"m">(std::declval<T*>(), 1, 1));
using Single = decltype(view(std::declval<float*>(), shape()));
using Static = decltype(view(std::declval<float*>(), extents<2, dynamic>{3}));

/// What std::swap, std::sort, std::exchange of a temporary and vector::erase ask for.
template <class V>
constexpr bool only_swaps =
    !std::is_move_assignable_v<V> && !std::is_assignable_v<V&, V> && std::is_swappable_v<V> &&
    std::is_nothrow_swappable_v<V> && std::is_copy_constructible_v<V> && std::is_move_constructible_v<V>;
static_assert(only_swaps<Row<float>> && only_swaps<Row<const float>> && only_swaps<Matrix<std::int8_t>> &&
              only_swaps<Single> && only_swaps<Static> && only_swaps<Row<std::complex<double>>>);

template <class... A>
concept Viewable = requires(A&&... a) {
    view<"x">(std::forward<A>(a)...);
};

/// Two classes made of floats, of which none converts to another.
struct Mass {
    using value_type = float;
    float kilograms = 0;
    Mass() = default;
    explicit Mass(float value) : kilograms(value) {}
};
struct Force {
    using value_type = float;
    float x = 0, y = 0;
    Force() = default;
    explicit Force(float value) : x(value), y(value) {}
    Force(float a, float b) : x(a), y(b) {}
    friend Force operator*(const Force& f, float factor) { return {f.x * factor, f.y * factor}; }
    friend Force operator*(const Force& f, const Mass& m) { return f * m.kilograms; }
};

}  // namespace

TEST_CASE("assignment is a statement, of lvalues, expressions and numbers") {
    float a[] = {1, 2, 3};
    float b[] = {0, 0, 0};
    auto x = view(a, 3);
    auto y = view(b, 3);
    static_assert(std::is_same_v<decltype(y = x), Statement<Row<float>, Row<float>>>);
    static_assert(is_statement<decltype(y = x + 1.0F)>);
    static_assert(is_statement<decltype(y = 2)>);
    eval(host, y = x);
    CHECK((b[0] == 1 && b[1] == 2 && b[2] == 3 && y.data() == b));
    eval(host, y = 7);
    CHECK((b[0] == 7 && b[2] == 7));
    // A temporary on the left cannot be meant to be rebound, nor can a const view.
    eval(host, view(b, 3) = view(a, 3));
    CHECK((b[0] == 1 && b[1] == 2 && b[2] == 3));
    const auto z = view(b, 3);
    eval(host, view(b, 3) = 0);
    eval(host, z = view(a, 3));
    CHECK((b[0] == 1 && b[1] == 2 && b[2] == 3));
}

TEST_CASE("swap and rebind exchange what a view is of") {
    float a[] = {1, 2, 3, 4, 5, 6};
    float b[] = {7, 8};
    auto x = view(a, shape(2, 2), strides(1, 3));
    auto y = view(b, 1, 2);
    using std::swap;
    swap(x, y);
    CHECK((x.data() == b && x.shape() == Shape{2, {1, 2}} && x.strides() == Shape{2, {2, 1}}));
    CHECK((y.data() == a && y.shape() == Shape{2, {2, 2}} && y.strides() == Shape{2, {1, 3}}));
    std::ranges::swap(x, y);
    CHECK((x.data() == a && y.data() == b));
    y.rebind(x);
    CHECK((y.data() == a && y.shape() == x.shape() && y.strides() == x.strides()));
    CHECK((a[0] == 1 && a[5] == 6 && b[0] == 7 && b[1] == 8));
    swap(x, x);
    CHECK((x.data() == a && x.extent(0) == 2));
}

TEST_CASE("algorithms that swap work on views") {
    std::vector<float> data(10);
    std::vector<Row<float>> views;
    for (int i = 0; i < 5; ++i) {
        views.push_back(view(data.data() + i, i));
    }
    std::reverse(views.begin(), views.end());
    for (int i = 0; i < 5; ++i) {
        const auto& v = views[static_cast<std::size_t>(i)];
        CHECK((v.data() == data.data() + 4 - i && v.extent(0) == 4 - i));
    }
    std::iter_swap(views.begin(), views.begin() + 1);
    CHECK((views[0].extent(0) == 3 && views[1].extent(0) == 4));
    Row<float> two[2][2] = {{views[0], views[1]}, {views[2], views[3]}};
    std::swap(two[0], two[1]);
    CHECK((two[0][0].extent(0) == views[2].extent(0) && two[1][1].extent(0) == views[1].extent(0)));
}

TEST_CASE("two buffers that take turns") {
    std::vector<double> a{0, 0, 16, 0, 0};
    std::vector<double> b(5);
    auto now = view(a.data(), 5);
    auto then = view(b.data(), 5);
    for (int step = 0; step < 3; ++step) {
        eval(host, then = now * 0.5 + index<0>());
        swap(now, then);
    }
    CHECK(now.data() == b.data());
    CHECK(b == std::vector<double>{0, 1.75, 5.5, 5.25, 7});
}

TEMPLATE_TEST_CASE("an array is a view of its elements, along all its axes", "", HostTarget, EmulatedTarget) {
    const TestType target;
    float line[4] = {1, 2, 3, 4};
    const double constant_line[3] = {1, 2, 4};
    std::int32_t table[2][3] = {{1, 2, 3}, {10, 20, 30}};
    const std::int8_t cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    std::array<float, 2> standard{5, 6};
    const std::array<float, 2> constant_standard{7, 8};
    CHECK(target.value(sum(view<"a">(line))) == 10);
    CHECK(target.value(sum(view(line))) == 10);
    CHECK(target.value(sum(view<"a">(constant_line))) == 7);
    CHECK(target.value(sum(view<"a">(standard))) == 11);
    CHECK(target.value(sum(view<"a">(constant_standard))) == 15);
    CHECK(target.value(sum(view<"a">(cube) * index<0>())) == 26);

    std::int64_t rows[2] = {};
    const auto m = view<"m">(table);
    static_assert(m.rank == 2 && decltype(view<"c">(cube))::rank == 3);
    CHECK((m.shape() == Shape{2, {2, 3}} && m.strides() == Shape{2, {3, 1}} && m.data() == &table[0][0]));
    static_assert(std::is_same_v<decltype(view(constant_line))::element_type, const double>);
    static_assert(std::is_same_v<decltype(view(cube))::element_type, const std::int8_t>);
    target.eval(view<"r">(rows) = sum(m, axes<1>));
    CHECK((rows[0] == 6 && rows[1] == 60));
    target.eval(view<"y">(line) = view<"x">(line) * 2.0F);
    CHECK((line[0] == 2 && line[3] == 8));
    // With extents an array is a pointer to its first element.
    CHECK(target.value(sum(view<"a">(line, 2))) == 6);
}

TEST_CASE("one element is asked for") {
    float s = 3;
    const auto v = view<"s">(&s, shape());
    static_assert(v.rank == 0);
    CHECK(value(host, v * 2.0F) == 6);
    eval(host, v = 5);
    CHECK(s == 5);
    static_assert(Viewable<float(&)[4]> && !Viewable<float(&&)[4]> && !Viewable<const float(&&)[4]>);
    static_assert(Viewable<std::array<float, 4>&> && !Viewable<std::array<float, 4>>);
    static_assert(!Viewable<std::vector<float>> && Viewable<std::vector<float>&>);
}

TEST_CASE("numbers beside complex elements take the type of these") {
    using C = std::complex<double>;
    using F = std::complex<float>;
    const std::vector<C> z = {{1, 2}, {-3, 0.5}};
    const std::vector<F> f = {{1, 2}, {-3, 0.5F}};
    std::vector<C> scaled(2), shifted(2);
    std::vector<F> halved(2);
    const auto v = fuse::view<"z">(z);
    eval(fuse::host, fuse::view<"scaled">(scaled) = 2 * v - v * 0.5F, fuse::view<"shifted">(shifted) = v / 2.0 + 1,
         fuse::view<"halved">(halved) = fuse::view<"f">(f) * 2 * fuse::constant<1, 4>);
    CHECK(scaled == std::vector<C>{{1.5, 3}, {-4.5, 0.75}});
    CHECK(shifted == std::vector<C>{{1.5, 1}, {-0.5, 0.25}});
    CHECK(halved == std::vector<F>{{0.5, 1}, {-1.5, 0.25}});
}

TEST_CASE("elements of classes that hold numbers stand beside others and beside numbers") {
    const std::vector<Force> forces = {{1, 2}, {3, 4}};
    const std::vector<Mass> masses = {Mass(2), Mass(4)};
    const std::vector<float> factors = {2, 3};
    std::vector<Force> scaled(2), doubled(2), slowed(2);
    const auto f = fuse::view<"f">(forces);
    eval(fuse::host, fuse::view<"scaled">(scaled) = f * fuse::view<"s">(factors),
         fuse::view<"doubled">(doubled) = f * 2, fuse::view<"slowed">(slowed) = f * fuse::view<"m">(masses));
    CHECK((scaled[1].x == 9 && scaled[1].y == 12));
    CHECK((doubled[1].x == 6 && doubled[1].y == 8));
    CHECK((slowed[1].x == 12 && slowed[1].y == 16));
}

TEST_CASE("sums of complex elements") {
    using C = std::complex<double>;
    const std::vector<C> data{{1, 2}, {3, -4}, {0.5, 1}};
    const auto z = view<"z">(data);
    CHECK(value(host, sum(z)) == C(4.5, -1));
    CHECK(value(host, sum(z * z)) == C(-10.75, -19));
    std::vector<C> out(3);
    eval(host, view<"y">(out) = z + z);
    CHECK(out == std::vector<C>{{2, 4}, {6, -8}, {1, 2}});
}
