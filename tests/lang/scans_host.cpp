// SPDX-License-Identifier: Apache-2.0
//
// Scans on the host: rows, long rows in pieces, columns; and the plan of a scan.
#include <string>

#include "lang/scan_map_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("scans along rows, a middle axis and the first axis on the host") {
    const HostTarget target;
    check_scans<2, float>(target, scan_row_shapes(), Placement::row_major);
    check_scans<2, float>(target, {{5, 2, 100}, {10000, 1, 3}, {10000, 1, 1}}, Placement::padded);
    check_scans<1, float>(target, scan_column_shapes(), Placement::row_major);
    check_scans<1, float>(target, scan_column_shapes(), Placement::transposed);
    check_scans<0, float>(target, {{1, 1, 1}, {64, 3, 5}, {257, 2, 33}, {4097, 1, 2}}, Placement::reversed);
}

TEST_CASE("a scan of any rank and stride on the host") {
    const HostTarget target;
    check_scan_of_rank<1, 0>(target, {{1}, {64}, {257}, {5000}});
    check_scan_of_rank<2, 0>(target, {{1, 1}, {2, 300}, {300, 3}, {65, 65}});
    check_scan_of_rank<2, 1>(target, {{1, 1}, {2, 300}, {300, 3}, {65, 65}});
    check_scan_of_rank<4, 1>(target, {{2, 67, 1, 4}, {2, 5, 3, 7}});
    check_scan_of_rank<4, 2>(target, {{2, 1, 67, 4}, {3, 2, 5, 7}});
    check_scan_of_rank<4, 3>(target, {{2, 1, 4, 67}, {3, 2, 5, 7}});
}

TEST_CASE("long columns are scanned in runs on the host") {
    const HostTarget target;
    check_scans<0, float>(target, {{512, 1, 3}, {513, 2, 65}, {16390, 1, 2}, {40000, 1, 1}}, Placement::row_major);
    check_scans<1, float>(target, {{2, 700, 70}}, Placement::transposed);
    check_scan_order<0>(target, {{255, 2}, {256, 2}, {257, 70}, {512, 3}, {513, 3}, {16385, 2}, {40001, 3}});
    check_discounted<0, double>(target, {{1000, 3}, {20001, 2}}, 1e-12);
}

TEST_CASE("columns wider than one strip and than those that go down together, the last strip ragged") {
    for (const index_t columns : {130, 520, 1100, 2100}) {
        for (const index_t rows : {1, 3, 67, 300}) {
            CAPTURE(rows, columns);
            const index_t matrices = 2;
            std::vector<float> in, wanted, totals;
            for (index_t i = 0; i < matrices * rows * columns; ++i) {
                const index_t row = i / columns % rows;
                in.push_back(static_cast<float>((i * 7 + row * 3) % 11));
                wanted.push_back(in.back() + (row > 0 ? wanted[static_cast<std::size_t>(i - columns)] : 0));
                if (row == rows - 1) {
                    totals.push_back(wanted.back());
                }
            }
            std::vector<float> out(in.size()), sums(totals.size());
            const auto x = view<"x">(in.data(), matrices, rows, columns);
            const auto y = view<"y">(out.data(), matrices, rows, columns);
            eval(host, y = cumsum(x, axes<1>), view<"t">(sums.data(), matrices, columns) = sum(x, axes<1>));
            CHECK(out == wanted);
            CHECK(sums == totals);
            eval(host, view<"x">(in.data(), matrices, rows, columns) = cumsum(x, axes<1>));
            CHECK(in == wanted);
        }
    }
}

TEST_CASE("strips of columns of which an operand is stretched") {
    const index_t rows = 70;
    const index_t columns = 300;
    std::vector<float> one, many, wanted;
    for (index_t i = 0; i < rows * columns; ++i) {
        const index_t row = i / columns;
        many.push_back(static_cast<float>(i * 7 % 11));
        wanted.push_back(many.back() + (row > 0 ? wanted[static_cast<std::size_t>(i - columns)] : 0));
        if (i % columns == 0) {
            one.push_back(static_cast<float>(row * row));
        }
    }
    std::vector<float> out(many.size());
    eval(host, view<"y">(out.data(), rows, columns) = cumsum(view<"x">(many.data(), rows, columns), axes<0>) +
                                                      cummax(view<"c">(one.data(), rows, 1), axes<0>));
    int wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        wrong += out[i] != wanted[i] + one[i / columns];
    }
    CHECK(wrong == 0);
}

TEST_CASE("long rows are scanned in pieces on the host") {
    const HostTarget target;
    check_scans<2, float>(target, {{1, 1, 100001}, {1, 1, (1 << 20) + 3}, {3, 1, 30011}}, Placement::row_major);
    check_scan_order<1>(target, {{1, 100003}, {2, 5000}});
    std::vector<float> data(10000);
    const auto x = view<"x">(data);
    const std::string plan_of_one = explain(target.executor, view<"y">(data) = cumsum(x));
    CHECK(plan_of_one.find("strategy: scan split") != std::string::npos);
}

TEST_CASE("scans keep the order of elements on the host") {
    const HostTarget target;
    check_scan_order<1>(target, {{1, 1}, {3, 65}, {2, 257}, {100, 9}});
    check_scan_order<0>(target, {{1, 1}, {65, 3}, {257, 40}, {9, 100}});
}

TEST_CASE("discounted sums on the host") {
    check_discounted<1, float>(HostTarget{}, {{1, 1}, {3, 64}, {2, 1000}, {1, 30000}}, 3e-6);
    check_discounted<0, float>(HostTarget{}, {{1, 1}, {64, 3}, {1000, 20}}, 3e-6);
}

TEST_CASE("maps around scans and outputs beside them on the host") {
    const HostTarget target;
    const std::vector<Extent> shapes{{1, 1}, {3, 65}, {2, 1000}, {300, 7}, {1, 4097}};
    check_scans_with_maps(target, shapes);
    check_column_scans_with_maps(target, {{1, 1}, {65, 3}, {1000, 2}, {7, 300}, {4097, 1}});
    check_special_scans(target, {{4, 1}, {4, 64}, {4, 257}, {2, 5000}});
    check_scan_in_place<1>(target, {{3, 65}, {1, 5000}});
    check_scan_in_place<0>(target, {{65, 3}, {1000, 40}});
    check_empty_scans(target);
}

TEMPLATE_TEST_CASE("scans of element types on the host", "", std::int32_t, std::uint8_t, bool, float16, bfloat16,
                   double) {
    check_scans_of_type<TestType, 1>(HostTarget{}, {{1, 1}, {3, 67}, {2, 1000}, {80, 16}});
    if constexpr (!std::is_same_v<TestType, std::int32_t> && !std::is_same_v<TestType, bool> &&
                  !std::is_same_v<TestType, float16>) {
        check_scans_of_type<TestType, 0>(HostTarget{}, {{67, 3}, {130, 70}});
    }
}

TEST_CASE("an output that overlaps the operand of a scan elsewhere is refused") {
    std::vector<float> data(10, 1.0F);
    const auto x = view<"x">(data.data(), 9);
    CHECK_THROWS_AS(eval(host, view<"y">(data.data() + 1, 9) = cumsum(x, exclusive)), argument_error);
    CHECK(data == std::vector<float>(10, 1.0F));
}

TEST_CASE("the plan of a scan") {
    float* const data = nullptr;
    const auto x = view<"x">(data, 4, 8);
    const auto y = view<"y">(data, 4, 8);
    using One = plan<decltype(y = cumsum(x, axes<1>))>;
    STATIC_REQUIRE((One::kernels == 1 && One::temporaries == 0 && One::phases == 1 && One::family == Family::scan));
    STATIC_REQUIRE((One::passes<"x"> == 1 && One::reduced_axes == 0b10 && !One::epilogue));
    const auto z = view<"z">(data, 4, 8);
    const auto total = view<"total">(data, 4);
    using Several = plan<decltype(y = sqrt(cumsum(square(x), axes<1>)) + x),
                         decltype(z = cumprod(x, axes<1>, exclusive)), decltype(total = sum(x, axes<1>))>;
    STATIC_REQUIRE((Several::kernels == 1 && Several::phases == 1 && Several::passes<"x"> == 1));
    STATIC_REQUIRE(at_t<typename Several::program::phases, 0>::size == 3);
    STATIC_REQUIRE(plan<decltype(y = cumsum(x, axes<0>))>::family == Family::scan);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(cumsum(view<"i">(static_cast<int*>(nullptr), 8)))>, std::int64_t>);
    STATIC_REQUIRE(std::is_same_v<value_t<decltype(cumsum(x, axes<0>, accumulate<double>))>, double>);

    std::vector<float> room(32);
    const auto from = view<"x">(room.data(), 4, 8);
    const auto to = view<"y">(room.data(), 4, 8);
    const std::string text = explain(host, to = cumsum(from, axes<1>));
    for (const char* part : {"1 kernel, 1 sweep over (4, 8)", "0 temporaries", "family scan", "cumsum(x, axes<1>)",
                             "reads  x(4, 8), 128 B, 1 pass", "strategy: scan rows"}) {
        INFO(part << " in\n" << text);
        CHECK(text.find(part) != std::string::npos);
    }
    const std::string down = explain(host, to = scan(Max<>{}, from, axes<0>, exclusive));
    CHECK(down.find("cummax(x, axes<0>, exclusive)") != std::string::npos);
    CHECK(down.find("strategy: scan columns") != std::string::npos);
}
