// SPDX-License-Identifier: Apache-2.0
//
// The golden table: which launch each kind of expression gets for each kind of shape on an H200. A change of the
// strategy shows here; where it is meant, golden_table.inc takes the lines that the failed test prints.
#include <cstdio>
#include <sstream>
#include <vector>

#include "plan/paper.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

struct Size {
    index_t rows, columns;
};
const std::vector<Size> sizes{{1, 1},          {1, 1000},        {1, 1 << 14},   {1, 1 << 20},    {1, 1 << 28},
                              {100000, 3},     {1 << 20, 64},    {1 << 18, 256}, {1 << 16, 1000}, {1 << 15, 1024},
                              {1 << 15, 4096}, {1 << 13, 16384}, {2048, 65536},  {512, 1 << 18},  {130, 12345},
                              {5, 1 << 20},    {1 << 20, 1},     {1 << 20, 5}};

const char* const expected =
#include "plan/golden_table.inc"
    ;

template <class F>
void add_lines(std::ostringstream& table, const char* name, F&& statement) {
    for (const Size s : sizes) {
        char head[64];
        std::snprintf(head, sizeof head, "%-15s %8lld x %-9lld ", name, static_cast<long long>(s.rows),
                      static_cast<long long>(s.columns));
        table << head << to_text(statement(s).launch) << "\n";
    }
}

template <class T>
auto matrix(int number, Size s) {
    return view<"x">(paper<T>(number), s.rows, s.columns);
}
template <class T>
auto result(Size s) {
    return view<"y">(paper<T>(9), s.rows, s.columns);
}

template <class T>
auto softmax_launch(Size s) {
    const auto x = matrix<T>(0, s);
    const auto e = exp(x - max(x, axes<1>, keepdims));
    return plan_launch(result<T>(s) = e / sum(e, axes<1>, keepdims));
}

}  // namespace

TEST_CASE("the launches of all kinds of expressions and shapes") {
    std::ostringstream table;
    table << "\n";
    add_lines(table, "map", [](Size s) { return plan_launch(result<float>(s) = matrix<float>(0, s) * 2.0F); });
    add_lines(table, "transposed map", [](Size s) {
        const auto x = view<"x">(paper<float>(0), shape(s.rows, s.columns), strides(index_t{1}, s.rows));
        return plan_launch(result<float>(s) = x * 2.0F);
    });
    add_lines(table, "sum",
              [](Size s) { return plan_launch(view<"y">(paper<float>(9), shape()) = sum(matrix<float>(0, s))); });
    add_lines(table, "full softmax", [](Size s) {
        const auto e = exp(matrix<float>(0, s) - max(matrix<float>(0, s)));
        return plan_launch(result<float>(s) = e / sum(e));
    });
    add_lines(table, "row sum", [](Size s) {
        return plan_launch(view<"y">(paper<float>(9), s.rows) = sum(matrix<float>(0, s), axes<1>));
    });
    add_lines(table, "row softmax", softmax_launch<float>);
    add_lines(table, "row softmax 16", softmax_launch<bfloat16>);
    add_lines(table, "row loss, mean", [](Size s) {
        return plan_launch(view<"y">(paper<float>(9), shape()) = mean(logsumexp(matrix<float>(0, s), axes<1>)));
    });
    add_lines(table, "column sum", [](Size s) {
        return plan_launch(view<"y">(paper<float>(9), s.columns) = sum(matrix<float>(0, s), axes<0>));
    });
    add_lines(table, "column softmax", [](Size s) {
        const auto e = exp(matrix<float>(0, s) - max(matrix<float>(0, s), axes<0>, keepdims));
        return plan_launch(result<float>(s) = e / sum(e, axes<0>, keepdims));
    });
    if (table.str() != expected) {
        std::printf("The table is now:\n%s", table.str().c_str());
    }
    CHECK((table.str() == expected));
}
