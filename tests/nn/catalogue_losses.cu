// SPDX-License-Identifier: Apache-2.0
//
// The losses and statistics of nn.hpp by their own names on the GPU.
#include "nn/class_loss_cases.hpp"
#include "nn/element_loss_cases.hpp"
#include "nn/row_loss_cases.hpp"
#include "nn/statistics_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("losses of elements in nn.hpp on the GPU", "[gpu]") {
    skip_without_gpu();
    check_element_losses<float>(CudaTarget{}, nn_extents);
    check_element_loss_totals(CudaTarget{});
}

TEST_CASE("nll_loss and cross_entropy with options on the GPU", "[gpu]") {
    skip_without_gpu();
    check_class_losses<float>(CudaTarget{}, nn_extents);
    check_class_loss_totals(CudaTarget{});
    check_class_loss_edges(CudaTarget{});
}

TEST_CASE("losses of rows in nn.hpp on the GPU", "[gpu]") {
    skip_without_gpu();
    check_row_losses<float>(CudaTarget{}, nn_extents);
    check_row_loss_edges(CudaTarget{});
}

TEST_CASE("statistics on the GPU", "[gpu]") {
    skip_without_gpu();
    check_statistics<2, float>(CudaTarget{}, nn_extents);
    check_statistics_of_all(CudaTarget{});
}
