// SPDX-License-Identifier: Apache-2.0
//
// Reported programs on the GPU.
#include "lang/reported_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("reported programs on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_reported_pairs(target);
    check_reported_shapes(target);
    check_reported_values(target);
}
