// SPDX-License-Identifier: Apache-2.0
//
// roll and pad on the GPU, and derivatives through them and through parts: the bodies of tests/lang.
#include "lang/gradient_part_cases.hpp"
#include "lang/stencil_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("roll, pad on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_lines(target);
    check_boxes(target);
    check_shifted_folds(target);
    check_shifted_parts(target);
    check_shifted_type<fuse::float16>(target);
    check_shifted_type<bool>(target);
    check_shifted_type<std::int8_t>(target);
    check_stencils(target);
    check_far_ends(target);
}

TEST_CASE("neighbours on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_neighbours<float>(target, {1000, 1001});
    check_neighbours<float>(target, {701, 1024}, Placement::transposed);
    check_neighbours<float>(target, {70001, 3}, Placement::misaligned);
    check_neighbours<fuse::bfloat16>(target, {513, 2048});
    check_neighbours<fuse::bfloat16>(target, {2, 40001}, Placement::padded);
    check_neighbours<std::int64_t>(target, {1, 999});
}

TEST_CASE("gradients through parts on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_padded_loss(target);
}
