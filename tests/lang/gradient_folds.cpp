// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of minmax, ptp and ops of the user on the host, with ties and NaN.
#include "lang/gradient_fold_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::host;
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
