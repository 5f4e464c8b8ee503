// SPDX-License-Identifier: Apache-2.0
//
// Rows in short pieces on the GPU, of a block each and shared by several: the bodies of tests/lang.
#include "lang/piece_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("rows in short pieces on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_rows_in_pieces(target, 48, 140, {2, 7, 8, 14}, {Placement::row_major, Placement::misaligned});
    check_rows_in_pieces(target, 410, 133, {7, 8}, {Placement::row_major});
    check_rows_in_pieces(target, 1600, 6, {7, 8, 14}, {Placement::row_major});
}
