// SPDX-License-Identifier: Apache-2.0
//
// What a launch hook is told, for any executor that host code can give memory of the host.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

namespace fuse::testing {

struct Told {
    std::string statements;
    std::string executor;
    std::string strategy;
    double bytes;
    index_t blocks;
    unsigned threads;
};
inline std::vector<Told> told;

inline void remember(const LaunchReport& r) {
    told.push_back({r.statements, r.executor, r.strategy, r.bytes, r.blocks, r.threads});
}

/// Names and values of what is run: one launch for each eval and value, none for one that is refused or has no element.
template <class E>
void check_launch_hook(const E& executor) {
    std::vector<float> in(12, 1.0F);
    std::vector<float> out(12);
    std::vector<double> rows(3);
    const auto x = view<"x">(in, 3, 4);
    const auto y = view<"y">(out, 3, 4);
    const auto m = view<"m">(rows);
    told.clear();
    CHECK(set_launch_hook(&remember) == nullptr);
    eval(executor, y = x * 2 + x, m = sum(x, axes<1>));
    eval(executor, y[0] = x[1]);
    CHECK(value(executor, sum(view<"r">(in.data(), shape(5, 4), strides(0, 1)))) == 20);
    CHECK_THROWS_AS(eval(executor, y = x + view(in.data(), 3)), shape_error);
    eval(executor, slice<0>(y, 0, 0) = 1);
    CHECK(set_launch_hook(nullptr) == &remember);
    eval(executor, y = x);
    REQUIRE(told.size() == 3);
    CHECK(told[0].statements == "y = ((x * 2) + x), m = sum(x, axes<1>)");
    CHECK(told[0].bytes == 12 * 4 + 12 * 4 + 3 * 8);
    CHECK(told[1].statements == "y[...] = x[...]");
    CHECK(told[1].bytes == 4 * 4 + 4 * 4);
    CHECK(told[2].statements == "value = sum(r)");
    CHECK(told[2].bytes == 4 * 4 + 4);
    for (const Told& t : told) {
        CHECK((t.executor == E::name && !t.strategy.empty() && t.blocks > 0 && t.threads > 0));
    }

    set_launch_hook([](const LaunchReport&) { throw std::runtime_error("enough"); });
    CHECK_THROWS_AS(eval(executor, y = x), std::runtime_error);
    set_launch_hook(nullptr);
}

}  // namespace fuse::testing
