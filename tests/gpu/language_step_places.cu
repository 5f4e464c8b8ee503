// SPDX-License-Identifier: Apache-2.0
//
// Losses beside gradients of factors of fewer axes, on the GPU: the body of tests/lang.
#include "lang/step_place_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("losses beside gradients of factors of fewer axes on the GPU", "[gpu]") {
    skip_without_gpu();
    check_step_places(CudaTarget{});
}
