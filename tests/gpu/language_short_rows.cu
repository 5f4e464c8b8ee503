// SPDX-License-Identifier: Apache-2.0
//
// Short rows on the GPU: the bodies of tests/lang.
#include "lang/short_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;
using fuse::bfloat16;

TEST_CASE("short rows on the GPU", "[gpu]") {
    skip_without_gpu();
    check_short_rows(CudaTarget{});
    check_rows_under_masks(CudaTarget{});
    check_masked_rows<float>(CudaTarget{}, {70, 197, 197}, Placement::row_major, 4e-6);
    check_masked_rows<bfloat16>(CudaTarget{}, {300, 50, 50}, Placement::misaligned, 1e-2);
    check_softmax<0b100, float>(CudaTarget{}, {{4, 5000, 5}, {1, 100001, 15}}, Placement::row_major, 3e-6);
}
