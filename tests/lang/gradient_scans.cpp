// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of scans on the host and on the emulated device; with ties, zeros, infinities and NaN, of derivatives; their plans.
#include <limits>

#include "lang/gradient_scan_cases.hpp"
#include "lang/small_tiles.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::host;
using fuse::view;

TEST_CASE("gradients of scans on the host") {
    for (const Extent& extent :
         {Extent{5, 7}, Extent{1, 1}, Extent{1, 9}, Extent{6, 1}, Extent{3, 150}, Extent{0, 3}, Extent{3, 0}}) {
        check_gradients_of_scans(HostTarget{}, extent);
    }
}

TEST_CASE("gradients of linear recurrences on the host") {
    for (const Extent& extent : {Extent{5, 7}, Extent{3, 150}}) {
        check_gradients_of_recurrences(HostTarget{}, extent);
    }
}

TEST_CASE("gradients of scans on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_gradients_of_scans(target, {3, 70});
    check_gradients_of_recurrences(target, {3, 70});
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const auto nan_value = std::nan("");

/// vjp(f(x), x, dy) for vectors.
template <class F>
Numbers vjp_of(F f, const Numbers& values, const Numbers& dy) {
    Numbers got(values.size(), 77);
    const auto x = view<"x">(values);
    eval(host, view<"dx">(got) = vjp(f(x), x, view<"dy">(dy)));
    return got;
}
template <class F>
Numbers gradient_of(F f, const Numbers& values) {
    Numbers got(values.size(), 77);
    const auto x = view<"x">(values);
    eval(host, view<"dx">(got) = gradient(f(x), x));
    return got;
}

}  // namespace

TEST_CASE("who gets the derivative of a running extremum, and that of products with zeros") {
    const auto most = [](const auto& x) { return cummax(x); };
    CHECK(vjp_of(most, {1, 3, 3, 2, 5}, {1, 2, 4, 8, 16}) == Numbers{1, 2, 12, 0, 16});
    // From the first NaN on all is NaN: of several the last one.
    CHECK(vjp_of(most, {1, nan_value, 7, nan_value, 5}, {1, 2, 4, 8, 16}) == Numbers{1, 6, 0, 24, 0});
    // What is infinite stays where it belongs.
    CHECK(vjp_of(most, {1, 2, 3}, {1, infinity, 4}) == Numbers{1, infinity, 4});
    CHECK(vjp_of([](const auto& x) { return cummin(x, fuse::reverse); }, {2, 1, 1, 3}, {1, 2, 4, 8}) ==
          Numbers{0, 3, 4, 8});
    const auto product = [](const auto& x) { return cumprod(x); };
    CHECK(vjp_of(product, {2, 0, 3, 0, 4}, {1, 1, 1, 1, 1}) == Numbers{1, 8, 0, 0, 0});
    const auto log_sum = [](const auto& x) { return logcumsumexp(x); };
    const Numbers large = vjp_of(log_sum, {1000, 1000, -1000}, {0, 0, 1});
    CHECK(large[0] == Approx(0.5));
    CHECK(large[1] == Approx(0.5));
    CHECK(large[2] == 0);
    CHECK(vjp_of(log_sum, {-infinity, 0, 0}, {0, 0, 1}) == Numbers{0, 0.5, 0.5});
}

TEST_CASE("derivatives of totals, and coordinates beside scans") {
    CHECK(gradient_of([](const auto& x) { return sum(cumsum(x)); }, {5, 5, 5}) == Numbers{3, 2, 1});
    CHECK(gradient_of([](const auto& x) { return sum(cumsum(x, fuse::reverse) * fuse::index<0>()); }, {5, 5, 5}) ==
          Numbers{0, 1, 3});
    // The factor of a row broadcasts; what is summed along the axis before is the same all along it.
    const Numbers data = {1, 2, 3, 4, 5, 6};
    Numbers got(6);
    const auto x = view<"x">(data.data(), 2, 3);
    const auto totals = sum(cumsum(x * x, axes<1>), axes<1>) * (fuse::index<0>() + 1);
    eval(host, view<"dx">(got.data(), 2, 3) = gradient(sum(totals), x));
    CHECK(got == Numbers{6, 8, 6, 48, 40, 24});
}

TEST_CASE("derivatives of derivatives of scans") {
    // f = sum(cumsum(x)^2): the Hessian times v is twice the sums from the end of the sums of v.
    const Numbers v = {1, 10, 100};
    const auto weights = view<"v">(v);
    CHECK(gradient_of([&](const auto& x) { return sum(gradient(sum(square(cumsum(x))), x) * weights); }, {1, 2, 3}) ==
          Numbers{2 * 123, 2 * 122, 2 * 111});
    // Of products with a zero, against differences of the derivative of a loop.
    NdArray x(Extent{4});
    x.value = {2, 0, -1.5, 3};
    const auto derivative = [](const NdArray& a) {
        double total = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            for (std::size_t i = j; i < 4; ++i) {
                double others = 1;
                for (std::size_t k = 0; k <= i; ++k) {
                    others *= k == j ? 1 : a.value[k];
                }
                total += others * static_cast<double>(j + 1);
            }
        }
        return total;
    };
    const Numbers got =
        gradient_of([](const auto& u) { return sum(gradient(sum(cumprod(u)), u) * (fuse::index<0>() + 1)); }, x.value);
    const Numbers expected = numeric_gradient(derivative, x).value;
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(got[i] == Approx(expected[i]).margin(1e-7));
    }
}

TEST_CASE("a linear recurrence starts again where its factor is false") {
    const Numbers data = {1, infinity, 3, 4, nan_value, 6};
    const std::vector<int> keeps = {1, 1, 0, 1, 1, 0};
    Numbers y(6);
    const auto keep = view<"keep">(keeps) != 0;
    eval(host, view<"y">(y) = discounted_cumsum(view<"x">(data), keep));
    CHECK(y[1] == infinity);
    CHECK(y[2] == 3);
    CHECK(y[3] == 7);
    CHECK(std::isnan(y[4]));
    CHECK(y[5] == 6);
    CHECK(vjp_of([&](const auto& x) { return discounted_cumsum(x, keep); }, {1, 1, 1, 1, 1, 1},
                 {1, 2, infinity, 8, 16, 32}) == Numbers{3, 2, infinity, 24, 16, 32});
}

namespace {

using X = fuse::View<float, fuse::name_t<"x">, fuse::dynamic, fuse::dynamic>;
using Dy = fuse::View<float, fuse::name_t<"dy">, fuse::dynamic, fuse::dynamic>;
using Dx = fuse::View<float, fuse::name_t<"dx">, fuse::dynamic, fuse::dynamic>;
template <class E>
using plan_of =
    fuse::plan<decltype(std::declval<Dx&>() = vjp(std::declval<E>(), std::declval<X>(), std::declval<Dy>()))>;
using OfProduct = plan_of<decltype(cumprod(std::declval<X>(), axes<1>))>;
static_assert(OfProduct::kernels == 1 && OfProduct::steps == 2 && OfProduct::temporaries == 1);
static_assert(plan_of<decltype(cumsum(std::declval<X>(), axes<0>))>::steps == 1);

}  // namespace
