// SPDX-License-Identifier: Apache-2.0
//
// Accuracy of what is folded beside rows, and of long rows and columns, on the GPU: in units in the last place of a
// mean of equal numbers, where every rounding error has the same sign.
#include <cmath>
#include <limits>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

double ulps_from_a_tenth(float got) {
    return std::fabs(got - 0.1F) / (0.1F * std::numeric_limits<float>::epsilon());
}

}  // namespace

TEST_CASE("means beside means of rows on the GPU", "[gpu]") {
    skip_without_gpu();
    constexpr index_t count = index_t{1} << 25;
    const DeviceBuffer<float> data(count);
    const DeviceBuffer<float> rows(count);
    const DeviceBuffer<float> results(2);
    eval(cuda, view<"x">(data.get(), count) = 0.1F);
    for (const index_t n : {index_t{1}, index_t{2}, index_t{33}, index_t{4096}, index_t{1} << 20, count}) {
        INFO("rows " << n);
        const index_t columns = count / n;
        const auto x = view<"x">(data.get(), n, columns);
        const auto all = view<"all">(results.get(), shape());
        eval(cuda, view<"m">(rows.get(), n) = mean(x, axes<1>), all = mean(x));
        CHECK(ulps_from_a_tenth(results.first()) < 16);
        CHECK(ulps_from_a_tenth(rows.first()) < 16);
        eval(cuda, all = mean(mean(x, axes<1>)));
        CHECK(ulps_from_a_tenth(results.first()) < 16);
        eval(cuda, all = mean(x - 0 * max(x, axes<1>, keepdims)), view<"m">(rows.get(), n) = max(x, axes<1>));
        CHECK(ulps_from_a_tenth(results.first()) < 16);
    }
    const index_t one = index_t{1} << 20;
    const auto x = view<"x">(data.get(), one, 1);
    eval(cuda, view<"all">(results.get(), shape()) = mean(mean(x, axes<1>)));
    CHECK(ulps_from_a_tenth(results.first()) < 16);
}

TEST_CASE("means of long columns on the GPU", "[gpu]") {
    skip_without_gpu();
    constexpr index_t count = index_t{1} << 25;
    const DeviceBuffer<float> data(count);
    const DeviceBuffer<float> results(4096);
    eval(cuda, view<"x">(data.get(), count) = 0.1F);
    for (const index_t columns : {1, 3, 64, 4096}) {
        INFO("columns " << columns);
        const auto x = view<"x">(data.get(), count / columns, columns);
        eval(cuda, view<"c">(results.get(), columns) = mean(x, axes<0>));
        CHECK(ulps_from_a_tenth(results.first()) < 16);
        eval(cuda, view<"c">(results.get(), columns) = mean(x - 0 * max(x, axes<0>, keepdims), axes<0>));
        CHECK(ulps_from_a_tenth(results.first()) < 16);
    }
}
