// SPDX-License-Identifier: Apache-2.0
//
// Rows of odd length and off a vector's boundary on the GPU: the bodies of tests/lang.
#include "lang/odd_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("rows of any length that begin anywhere, on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_odd_rows(target);
    check_odd_softmax<float>(target, 3000, 1023, {1, 0}, {1, 0}, 3e-6);
    check_odd_layer_norm<bfloat16>(target, 2000, 4095, {}, {}, 1e-2);
}
