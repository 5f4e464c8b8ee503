// SPDX-License-Identifier: Apache-2.0
//
// Rows of matrices beside arrays of other lengths, on the GPU: the body of tests/lang.
#include "lang/rows_apart_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("rows of matrices beside arrays of other lengths on the GPU", "[gpu]") {
    skip_without_gpu();
    check_rows_apart(CudaTarget{});
}
