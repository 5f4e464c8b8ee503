// SPDX-License-Identifier: Apache-2.0
//
// Elementwise primitives on emulated blocks, and their plain forms on registers.
#include "primitives/elementwise_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("elementwise primitives see each valid item once, in order, and no other") {
    CHECK(count_wrong_elementwise(EmulatedRunner{}) == 0);
}

TEST_CASE("CycleBinary uses a row again for each row of the tile") {
    CHECK(count_wrong_cycles(EmulatedRunner{}) == 0);

    const Pack<int, 3> row{{10, 20, 30}};
    const Pack<double, 6> tile{{1, 2, 3, 4, 5, 6}};
    Pack<float, 6> difference;
    CycleBinary(
        difference, [](int a, double b) { return a - b; }, row, tile);
    CHECK((difference.item[0] == 9 && difference.item[2] == 27 && difference.item[3] == 6 && difference.item[5] == 24));
}

TEST_CASE("elementwise primitives on whole packs of different types") {
    const Pack<std::int8_t, 3> a{{1, 2, 4}};
    const Pack<float, 3> b{{3, 5, 6}};
    const Pack<std::int64_t, 3> c{{std::int64_t(1) << 40, 7, -1}};
    Pack<double, 3> out{};
    int calls[4] = {};
    ElementwiseConstant(out, Weigh{calls});
    CHECK((out.item[0] == 1 && out.item[1] == 2 && out.item[2] == 3));
    ElementwiseUnary(out, Weigh{calls + 1}, a);
    CHECK((out.item[0] == -1 && out.item[1] == -2 && out.item[2] == -4));
    ElementwiseBinary(out, Weigh{calls + 2}, a, b);
    CHECK((out.item[0] == 3 && out.item[1] == 2.5 && out.item[2] == 1.5));
    ElementwiseTernary(out, Weigh{calls + 3}, a, b, c);
    CHECK((out.item[0] == 3 + 1099511627776.0 && out.item[1] == 9.5 && out.item[2] == 0.5));
    CHECK((calls[0] == 3 && calls[1] == 3 && calls[2] == 3 && calls[3] == 3));
}
