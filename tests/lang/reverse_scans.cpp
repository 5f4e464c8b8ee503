// SPDX-License-Identifier: Apache-2.0
//
// Reverse scans on the host and on the emulated device: rows, long rows in pieces and by blocks that look back,
// columns; and their plans.
#include <string>

#include "lang/reverse_scan_cases.hpp"
#include "lang/small_tiles.hpp"
#include "support/host_target.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("reverse scans on the host") {
    const HostTarget target;
    check_reverse_cumsum<1, 0, float>(target, {{0}, {1}, {2}, {64}, {257}, {5000}, {100001}});
    check_reverse_cumsum<3, 1, float>(target, {{1, 1, 1}, {2, 67, 4}, {3, 1000, 2}, {2, 5, 70}});
    check_reverse_order<1>(target, {{1, 1}, {3, 65}, {100, 9}, {1, 100003}, {2, 5000}});
    check_reverse_order<0>(target, {{1, 1}, {65, 3}, {257, 40}, {9, 100}});
    check_both_directions<1>(target, {{1, 1}, {3, 65}, {2, 5000}, {300, 7}});
    check_both_directions<0>(target, {{65, 3}, {7, 300}});
    check_special_reverse_scans(target);
    check_logcumsumexp(target, {{1, 1}, {3, 65}, {70, 300}});
}

TEST_CASE("reverse scans on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_reverse_cumsum<1, 0, float>(target, {{0}, {1}, {2}, {64}, {257}, {5000}, {40001}});
    check_reverse_cumsum<3, 1, float>(target, {{1, 1, 1}, {2, 67, 4}, {3, 1000, 2}, {2, 5, 70}});
    check_reverse_order<1>(target, {{1, 1}, {3, 65}, {100, 9}, {5, 2100}, {1, 20003}});
    check_reverse_order<0>(target, {{1, 1}, {65, 3}, {257, 40}, {9, 100}});
    CHECK(record.saw("scan rows"));
    CHECK(record.saw("scan look-back"));
    CHECK(record.saw("scan columns"));
    check_both_directions<1>(target, {{1, 1}, {3, 65}, {2, 5000}, {300, 7}});
    check_both_directions<0>(target, {{65, 3}, {7, 300}});
    check_special_reverse_scans(target);
    check_logcumsumexp(target, {{1, 1}, {3, 65}, {70, 300}});
}

TEST_CASE("the plan of a reverse scan") {
    std::vector<float> data(32);
    const auto x = view<"x">(data.data(), 4, 8);
    const auto y = view<"y">(data.data(), 4, 8);
    const auto z = view<"z">(data.data(), 4, 8);
    const auto total = view<"total">(data.data(), 4);
    using One = plan<decltype(y = exp(cumsum(square(x), axes<1>, reverse)) + x)>;
    STATIC_REQUIRE((One::kernels == 1 && One::steps == 1 && One::temporaries == 0 && One::family == Family::scan));
    STATIC_REQUIRE(One::passes<"x"> == 1);
    using Two = plan<decltype(y = cumsum(x, axes<1>, reverse)), decltype(z = cumprod(x, axes<1>, reverse, exclusive))>;
    STATIC_REQUIRE((Two::steps == 1 && Two::phases == 1 && Two::passes<"x"> == 1));
    // One direction after the other, and reductions in a step of their own.
    using Both = plan<decltype(y = cumsum(x, axes<1>) + cumsum(x, axes<1>, reverse))>;
    STATIC_REQUIRE((Both::kernels == 1 && Both::steps == 2 && Both::barriers == 1 && Both::temporaries == 1));
    using Beside = plan<decltype(y = cumsum(x, axes<1>, reverse)), decltype(total = sum(x, axes<1>))>;
    STATIC_REQUIRE((Beside::kernels == 1 && Beside::steps == 2 && Beside::barriers == 0));
    const std::string text = explain(host, y = cumsum(x, axes<1>, exclusive, reverse));
    CHECK(text.find("cumsum(x, axes<1>, exclusive, reverse)") != std::string::npos);
    // Parts and transposes.
    CHECK(to_vector(tensor(host, cumsum(x + 1.0F, axes<1>, reverse)[1])) == std::vector<float>{8, 7, 6, 5, 4, 3, 2, 1});
    CHECK(to_vector(tensor(host, transpose(cumsum(x + 1.0F, axes<0>, reverse))[2])) == std::vector<float>{4, 3, 2, 1});
}
