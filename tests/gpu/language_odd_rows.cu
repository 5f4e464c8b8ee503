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

TEST_CASE("odd rows beside a scale end before their last chunk, on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (index_t n = 8201; n < 8216; ++n) {
        check_odd_layer_norm<bfloat16>(target, 300, n, {}, {}, 1e-2);
    }
    check_odd_layer_norm<bfloat16>(target, 300, 16395, {}, {}, 1e-2);
    check_odd_layer_norm<float>(target, 300, 16390, {}, {}, 1e-4);
    check_odd_layer_norm<float>(target, 60, 32784, {1, 0}, {}, 1e-4);
}
