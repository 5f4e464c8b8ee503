// SPDX-License-Identifier: Apache-2.0
//
// Rows of matrices beside arrays of other lengths, and of slices beside their array, on the GPU: the bodies of tests/lang.
#include "lang/rows_apart_cases.hpp"
#include "lang/slice_fold_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("rows of matrices beside arrays of other lengths on the GPU", "[gpu]") {
    skip_without_gpu();
    check_rows_apart(CudaTarget{});
}
TEST_CASE("folds of slices beside the array on the GPU", "[gpu]") {
    skip_without_gpu();
    check_slice_folds(CudaTarget{});
    check_gradients_of_slice_folds(CudaTarget{});
}
