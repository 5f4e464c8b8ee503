// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps, on the GPU: the bodies of tests/lang.
#include "lang/step_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("several sets of axes in one launch on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::transposed}) {
        check_steps_of_matrix<CudaTarget, float>(target, 37, 53, placement);
    }
    check_steps_of_matrix<CudaTarget, float>(target, 512, 512, Placement::row_major);
    check_steps_of_matrix<CudaTarget, float>(target, 3, 200000, Placement::row_major);
    check_steps_of_matrix<CudaTarget, float>(target, 100000, 3, Placement::row_major);
    check_steps_of_matrix<CudaTarget, float>(target, 1, 1, Placement::row_major);
    check_steps_after_rows(target, 1300, 400);
    check_steps_of_images(target, {8, 16, 17, 19});
    check_layer_norm_gradients<CudaTarget, fuse::bfloat16>(target, 700, 1024, 2e-5);
    check_steps_of_other_ranks(target);
    check_long_columns(target, 100000, 37);
    check_long_columns(target, 30000, 256);
}
