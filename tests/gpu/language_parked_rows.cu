// SPDX-License-Identifier: Apache-2.0
//
// Rows in short pieces in the shared memory of a block on the GPU: the bodies of tests/lang.
#include "lang/parked_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("rows in short pieces on the GPU", "[gpu]") {
    skip_without_gpu();
    check_parked_rows(CudaTarget{}, 48, 140, {2, 7, 8, 14}, {Placement::row_major, Placement::misaligned});
    check_parked_rows(CudaTarget{}, 410, 133, {7, 8}, {Placement::row_major});
}
