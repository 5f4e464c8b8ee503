// SPDX-License-Identifier: Apache-2.0
//
// Losses of parts alone beside their gradients, on the GPU: the body of tests/lang.
#include "lang/part_loss_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("losses of parts alone beside their gradients on the GPU", "[gpu]") {
    skip_without_gpu();
    check_part_losses(CudaTarget{});
}
