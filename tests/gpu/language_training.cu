// SPDX-License-Identifier: Apache-2.0
//
// Steps of training in place on the GPU: one launch, in which parameters are written behind a barrier.
#include "lang/training_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("all parameters of one loss are trained in one launch on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_training_of_regression<CudaTarget, float, true>(target, 30000, 64);
    check_training_of_regression<CudaTarget, float, false>(target, 3000, 9);
    check_training_of_everything<CudaTarget, float>(target, 70, 64);
    check_training_of_everything<CudaTarget, float>(target, 5000, 3);
    check_training_of_layer_norm<CudaTarget, float>(target, 700, 256);
}
