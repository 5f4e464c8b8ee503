// SPDX-License-Identifier: Apache-2.0
//
// Gradients against PyTorch on the GPU: of what is picked from rows, of statistics of channels, whose sums are steps,
// and of samples. Maps and norms of rows are in gpu/language_gradients.cu.
#include "nn/autograd_loss_cases.hpp"
#include "nn/autograd_norm_cases.hpp"
#include "nn/gumbel_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("gradients against PyTorch on the GPU", "[gpu]") {
    skip_without_gpu();
    check_autograd_of_classes(CudaTarget{});
    check_autograd_of_channel_norms(CudaTarget{});
    check_gumbel_gradients(CudaTarget{});
}
