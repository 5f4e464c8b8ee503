// SPDX-License-Identifier: Apache-2.0
//
// Every norm and loss by its own name on the GPU.
#include "nn/target_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("norms by name on the GPU", "[gpu]") {
    skip_without_gpu();
    check_norms(CudaTarget{});
}

TEST_CASE("losses by name on the GPU", "[gpu]") {
    skip_without_gpu();
    check_losses(CudaTarget{});
}
