// SPDX-License-Identifier: Apache-2.0
//
// What holds columns, and how often they are read, where measurements have decided it.
#include "plan/paper.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// The gradients of max(x, 0) and of a bias, of so many rows and columns.
template <class T>
auto bias_gradient(index_t rows, index_t columns) {
    const auto x = view<"x">(paper<const T>(0), rows, columns);
    const auto g = view<"g">(paper<const T>(1), rows, columns);
    const auto d = where(x > 0, g, 0);
    return plan_launch(view<"dx">(paper<T>(2), rows, columns) = d, view<"db">(paper<T>(3), columns) = sum(d, axes<0>))
        .launch;
}

}  // namespace

TEST_CASE("columns that one sweep folds and writes are held only while they are short or few") {
    const auto name = [](const Launch& launch) { return std::string(launch.name); };
    CHECK(name(bias_gradient<float>(128, 1000)) == "columns resident");
    CHECK(name(bias_gradient<float>(64, 100000)) == "columns resident");
    CHECK(name(bias_gradient<float>(512, 65536)) == "columns swept");
    CHECK(name(bias_gradient<bfloat16>(512, 65536)) == "columns resident");
    CHECK(name(bias_gradient<bfloat16>(8192, 4096)) == "columns shared");
}

TEST_CASE("columns that one sweep folds and writes are read once") {
    CHECK_FALSE(bias_gradient<float>(8192, 4096).rereads);
    CHECK_FALSE(bias_gradient<float>(1000000, 10).rereads);
    const auto x = view<"x">(paper<const float>(0), 8192, 4096);
    const auto y = view<"y">(paper<float>(1), 8192, 4096);
    const auto m = view<"m">(paper<float>(2), 4096);
    CHECK(plan_launch(y = x - mean(x, axes<0>, keepdims)).launch.rereads);
    CHECK_FALSE(plan_launch(y = 2 * x, m = mean(x, axes<0>)).launch.rereads);
}
