// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of minmax, ptp and ops of the user on the host and on the emulated device, with ties and NaN.
#include "lang/gradient_fold_cases.hpp"
#include "lang/small_tiles.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::host;
using fuse::index_t;
using fuse::view;

TEST_CASE("gradients of minmax and ptp") {
    for (const Extent& extent : {Extent{5, 7}, Extent{1, 1}, Extent{1, 9}, Extent{3, 70}}) {
        check_gradients_of_extrema(HostTarget{}, extent);
    }
    const Numbers data = {3, 1, 3, 1, 1, 2};
    Numbers got(6);
    const auto x = view<"x">(data);
    eval(host, view<"dx">(got) = gradient(ptp(x), x));
    CHECK(got == Numbers{0.5, -1.0 / 3, 0.5, -1.0 / 3, -1.0 / 3, 0});
    eval(host, view<"dx">(got) = gradient(minmax(x).min * 2, x));
    CHECK(got == Numbers{0, 2.0 / 3, 0, 2.0 / 3, 2.0 / 3, 0});
    eval(host, view<"dx">(got) = gradient(sum(fuse::floor(ptp(x)) + x), x));
    CHECK(got == Numbers(6, 1));
    // Coordinates of the result, behind the reduction.
    const auto rows = view<"rows">(data.data(), 2, 3);
    const auto weight = fuse::index<0>() + 1;
    eval(host, view<"dx">(got.data(), 2, 3) = gradient(sum(ptp(rows, axes<1>) * weight), rows));
    CHECK(got == Numbers{0.5, -1, 0.5, -1, -1, 2});
    eval(host, view<"dx">(got.data(), 2, 3) = gradient(sum(reduce(Plus{}, rows, axes<1>) * weight), rows));
    CHECK(got == Numbers{1, 1, 1, 2, 2, 2});
    const Numbers equal = {4, 4};
    Numbers slope(2);
    const auto e = view<"e">(equal);
    eval(host, view<"de">(slope) = gradient(ptp(e), e));
    CHECK(slope == Numbers{0, 0});
    const Numbers none = {1, std::nan("")};
    const auto n = view<"n">(none);
    eval(host, view<"dn">(slope) = gradient(ptp(n), n));
    CHECK(std::isnan(slope[0]));
}

TEST_CASE("gradients of folds on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_gradients_of_extrema(target, {5, 33});
    check_gradients_of_user_folds(target, {5, 33});
}

TEST_CASE("gradients of reduction ops of the user") {
    for (const Extent& extent : {Extent{5, 7}, Extent{1, 1}, Extent{3, 70}}) {
        check_gradients_of_user_folds(HostTarget{}, extent);
    }
    // Two temperatures in one eval, in floats.
    std::vector<float> data = {1, 2, 3}, cold(3), warm(3);
    const auto x = view<"x">(data);
    eval(host, view<"cold">(cold) = gradient(reduce(SoftMaximum{{0.01}}, x), x),
         view<"warm">(warm) = gradient(reduce(SoftMaximum{{1e6}}, x), x));
    CHECK(cold[0] < 1e-30F);
    CHECK(cold[2] == 1);
    CHECK(warm[0] == Approx(1.0 / 3).epsilon(1e-5));
}

namespace {

/// take's loss of rows of scores, of which each target has one: of one row, all targets.
template <class View>
void check_taken(const Extent& extent, View view_of) {
    constexpr index_t classes = 4;
    const std::vector<int> targets = {2, 0, 2, 7, 3};
    const auto count = static_cast<index_t>(targets.size());
    const NdArray x = random_reals(extent, -1, 1, 61);
    INFO(to_text(extent));
    const auto at = [&](const NdArray& a, index_t row, index_t c) { return a({a.extent[0] == 1 ? 0 : row, c}); };
    const auto taken = [&](const NdArray& a, index_t row) {
        const index_t c = targets[static_cast<std::size_t>(row)];
        return c < classes ? at(a, row, c) : 0;
    };
    const auto u = view_of.template operator()<"x">(x.value.data());
    const auto t = view<"t">(targets);
    const auto check = [&](const char* name, const auto& loss, const auto& formula) {
        INFO(name);
        NdArray slope(extent);
        double value = 0;
        eval(host, view<"l">(&value, fuse::shape()) = loss,
             view_of.template operator()<"dx">(slope.value.data()) = gradient(loss, u));
        CHECK(value == Approx(formula(x)).epsilon(1e-12));
        check_close(slope, numeric_gradient(formula, x), 1e-7, 1e-8);
    };
    check("take", sum(square(take(u, t, axes<1>))), [&](const NdArray& a) {
        double total = 0;
        for (index_t row = 0; row < count; ++row) {
            total += std::pow(taken(a, row), 2);
        }
        return total;
    });
    const auto inside = view<"inside">(targets.data(), 3);
    if (extent[0] == 1) {
        check("cross_entropy", cross_entropy(u, inside), [&](const NdArray& a) {
            double sum = 0;
            for (index_t c = 0; c < classes; ++c) {
                sum += std::exp(at(a, 0, c));
            }
            return std::log(sum) - (taken(a, 0) + taken(a, 1) + taken(a, 2)) / 3;
        });
    }
    check("take of an expression, beside the row", sum(take(u * u, t, axes<1>) * logsumexp(u, axes<1>)),
          [&](const NdArray& a) {
              double total = 0;
              for (index_t row = 0; row < count; ++row) {
                  double sum = 0;
                  for (index_t c = 0; c < classes; ++c) {
                      sum += std::exp(at(a, row, c));
                  }
                  total += std::pow(taken(a, row), 2) * std::log(sum);
              }
              return total;
          });
}

}  // namespace

TEST_CASE("gradients of elements that are taken from one row for many targets") {
    check_taken({5, 4}, []<fuse::fixed_name N>(auto* p) { return view<N>(p, 5, 4); });
    check_taken({1, 4}, []<fuse::fixed_name N>(auto* p) { return view<N>(p, fuse::extents<1, fuse::dynamic>{4}); });
}
