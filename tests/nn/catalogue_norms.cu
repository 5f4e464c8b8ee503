// SPDX-License-Identifier: Apache-2.0
//
// The norms of nn.hpp that fuse.hpp has not, and the optimizers, on the GPU.
#include "nn/channel_norm_cases.hpp"
#include "nn/optimizer_cases.hpp"
#include "nn/row_norm_cases.hpp"
#include "nn/softmax_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("norms of channels on the GPU", "[gpu]") {
    skip_without_gpu();
    check_batch_norm<4>(CudaTarget{}, {{1, 1, 1, 2}, {2, 3, 4, 5}, {3, 5, 1, 1}, {2, 3, 40, 33}});
    check_batch_norm<2>(CudaTarget{}, {{2, 1}, {5, 7}, {70, 3}, {300, 40}});
    check_batch_norm_edges(CudaTarget{});
    check_instance_norm(CudaTarget{});
    check_group_norm(CudaTarget{});
}

TEST_CASE("norms of rows with more than one output on the GPU", "[gpu]") {
    skip_without_gpu();
    check_norms_with_statistics(CudaTarget{});
    check_norms_of_sums(CudaTarget{});
    check_layer_norms_without_bias(CudaTarget{});
}

TEST_CASE("softmax of parts of rows, and scaling, on the GPU", "[gpu]") {
    skip_without_gpu();
    check_softmax_variants(CudaTarget{});
    check_masked_softmax_edges(CudaTarget{});
    check_causal_softmax(CudaTarget{});
    check_gumbel_softmax(CudaTarget{});
    check_scaling(CudaTarget{});
    check_standardized_constants(CudaTarget{});
}

TEST_CASE("steps of optimizers on the GPU", "[gpu]") {
    skip_without_gpu();
    check_sgd(CudaTarget{}, {.lr = 0.1, .momentum = 0.9, .dampening = 0.5, .weight_decay = 0.1});
    check_sgd(CudaTarget{}, {.lr = 0.1, .momentum = 0.9, .nesterov = true});
    check_adam(CudaTarget{});
    check_adam_of_counted_steps(CudaTarget{});
    check_scheduled_rates(CudaTarget{});
    check_lion(CudaTarget{});
    check_clip_grad_norm(CudaTarget{});
}
