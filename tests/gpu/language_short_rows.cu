// SPDX-License-Identifier: Apache-2.0
//
// Short rows on the GPU: the bodies of tests/lang.
#include "lang/short_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("short rows on the GPU", "[gpu]") {
    skip_without_gpu();
    check_short_rows(CudaTarget{});
    check_softmax<0b100, float>(CudaTarget{}, {{4, 5000, 5}, {1, 100001, 15}}, Placement::row_major, 3e-6);
}
