// SPDX-License-Identifier: Apache-2.0
//
// Rows in short pieces in the shared memory of an emulated block.
#include "lang/piece_row_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("rows parked on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    // Pieces of vectors, and of any length.
    check_softmax<0b101, float>(target, {{60, 5, 196}}, Placement::row_major, 3e-6);
    CHECK(record.all() == std::set<std::string>{"rows parked 4"});
    check_softmax<0b101, float>(target, {{100, 5, 49}}, Placement::row_major, 3e-6);
    CHECK(record.all() == std::set<std::string>{"rows parked 4", "rows parked 8"});
    check_softmax<0b101, fuse::bfloat16>(target, {{80, 5, 196}}, Placement::row_major, 5e-3);
    check_rows_in_pieces(target, 32, 5, {1, 2, 3, 5, 7, 8, 9, 12, 14, 16},
                         {Placement::row_major, Placement::padded, Placement::misaligned});
    check_rows_in_pieces(target, 32, 5, {7, 16},
                         {Placement::wide, Placement::transposed, Placement::reversed, Placement::spaced});
    // Two operands; longer rows are shared by several blocks.
    CHECK(record.saw("rows parked 2"));
    check_rows_in_pieces(target, 256, 2, {7, 8, 14}, {Placement::row_major, Placement::misaligned});
    CHECK(record.saw("grid"));
    // More than a block has room for.
    check_softmax<0b101, float>(target, {{300, 5, 49}}, Placement::row_major, 3e-6);
    CHECK(record.saw("rows swept"));
}

TEST_CASE("no order of threads changes parked rows") {
    for (const Order order : {Order::reverse, Order::shuffled}) {
        LaunchRecord record;
        const EmulatedTarget target{EmulatedExecutor(record, order)};
        check_standard_rows<0b1101, 4, fuse::bfloat16>(target, {40, 5, 14, 14}, Placement::row_major, 2e-5);
        CHECK(record.saw("rows parked"));
    }
}

TEST_CASE("parked rows whose values are summed, and none of them") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    for (const fuse::index_t rows : {0, 1, 5}) {
        for (const fuse::index_t width : {49, 196}) {
            INFO(rows << " rows, pieces of " << width);
            Tensor<EmulatedTarget, float> x_data(NdArray({rows, 60, width}, 2), Placement::padded);
            Tensor<EmulatedTarget, float> s_data(Extent{});
            const auto x = x_data.const_view<"x", 3>();
            const auto e = exp(x - max(x, fuse::axes<1, 2>, fuse::keepdims));
            const auto largest = max(e / sum(e, fuse::axes<1, 2>, fuse::keepdims) + x * x, fuse::axes<1, 2>);
            target.eval(s_data.view<"s", 0>() = sum(largest));
            const double each = 4 + 1.0 / static_cast<double>(60 * width);
            CHECK(s_data.read().value[0] == Catch::Approx(static_cast<double>(rows) * each));
        }
    }
    CHECK(record.saw("rows parked"));
}
