// SPDX-License-Identifier: Apache-2.0
//
// Every norm and loss of rows by its own name on the GPU. Columns would be ten seconds more to compile, of kernels that
// gpu/language_phases.cu runs.
#include "nn/loss_cases.hpp"
#include "nn/norm_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("softmax by name on the GPU", "[gpu]") {
    skip_without_gpu();
    check_softmax_by_name(CudaTarget{});
}

TEST_CASE("norms by name on the GPU", "[gpu]") {
    skip_without_gpu();
    check_norms(CudaTarget{});
    check_stretched_cosines(CudaTarget{});
}

TEST_CASE("losses by name on the GPU", "[gpu]") {
    skip_without_gpu();
    check_losses(CudaTarget{});
    check_cross_entropy_by_name(CudaTarget{});
}
