// SPDX-License-Identifier: Apache-2.0
//
// Reported programs on the host and on the emulated device, and those that need a large array on the host.
#include "lang/reported_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

struct DefaultHost : CpuTarget<HostExecutor> {};

}  // namespace

TEMPLATE_TEST_CASE("reported programs", "", HostTarget, DefaultHost, EmulatedTarget) {
    const TestType target;
    // On the emulated device spanning_emulated.cpp has them, of all kinds and ranks.
    if constexpr (!std::is_same_v<TestType, EmulatedTarget>) {
        check_reported_pairs(target);
    }
    check_reported_shapes(target);
    check_reported_values(target);
}

TEST_CASE("rows of 64 that lie 128 apart") {
    std::vector<float> a(301 * 128, 1e6F);  // the left half of each row is 1
    std::vector<float> o(301 * 128, -1);
    for (std::size_t i = 0; i < 301; ++i) {
        std::fill_n(a.begin() + static_cast<std::ptrdiff_t>(i) * 128, 64, 1.0F);
    }
    const auto x = view<"x">(a.data(), shape(301, 64), strides(128, 1));
    const auto y = view<"y">(o.data(), shape(301, 64), strides(128, 1));
    CHECK(value(host, var(x)) == 0);
    eval(host, y = x - mean(x));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < o.size(); ++i) {
        wrong += o[i] != (i % 128 < 64 ? 0.0F : -1.0F) ? 1 : 0;
    }
    CHECK(wrong == 0);
}
