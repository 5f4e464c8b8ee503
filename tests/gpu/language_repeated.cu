// SPDX-License-Identifier: Apache-2.0
//
// Rows beside operands of which each has one element, on the GPU: the bodies of tests/lang, and some of many blocks.
#include "lang/repeated_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("rows beside operands of which each has one element, on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    sweep_repeated(target);
    check_repeated<float>(target, {70, 64, 784});
    check_repeated<fuse::bfloat16>(target, {300, 3, 4096});
    check_repeated<float>(target, {2, 3, 40000});
}
