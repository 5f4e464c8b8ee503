// SPDX-License-Identifier: Apache-2.0
//
// Rows in short pieces on the emulated device: a block each, and shared by several.
#include "lang/piece_row_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("rows in short pieces on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_rows_in_pieces(target, 32, 5, {1, 2, 3, 5, 7, 8, 9, 12, 14, 16},
                         {Placement::row_major, Placement::padded, Placement::misaligned});
    check_rows_in_pieces(target, 32, 5, {7, 16},
                         {Placement::wide, Placement::transposed, Placement::reversed, Placement::spaced});
    check_rows_in_pieces(target, 64, 2, {7, 8, 14}, {Placement::row_major, Placement::misaligned});
    CHECK(record.saw("grid"));
}
