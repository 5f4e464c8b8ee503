// SPDX-License-Identifier: Apache-2.0
//
// Folds over arrays of different extents in one launch on the GPU.
#include "lang/several_spaces_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("scalars of arrays of different extents on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_sums_of_two<CudaTarget, float>(target, 3, 500000);
    check_sums_of_two<CudaTarget, float>(target, 700000, 1);
    check_total_variation<CudaTarget, float>(target, 370, 500);
    check_norm_of_differences<CudaTarget, float>(target, 300000);
    check_training_of_two_models<CudaTarget, float>(target, {7000, 32}, {3000, 5});
}
