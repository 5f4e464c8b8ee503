// SPDX-License-Identifier: Apache-2.0
//
// Results that are put along the rows of what comes next, rows of lengths of their own, and losses beside the gradients of
// factors and of parts, on the GPU: the bodies of tests/lang.
#include "lang/chain_cases.hpp"
#include "lang/part_loss_cases.hpp"
#include "lang/rows_apart_cases.hpp"
#include "lang/step_place_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("chains of folds along different axes on the GPU", "[gpu]") {
    skip_without_gpu();
    check_all_chains(CudaTarget{});
}

TEST_CASE("rows of matrices beside arrays of other lengths on the GPU", "[gpu]") {
    skip_without_gpu();
    check_rows_apart(CudaTarget{});
}

TEST_CASE("losses beside gradients of factors of fewer axes on the GPU", "[gpu]") {
    skip_without_gpu();
    check_step_places(CudaTarget{});
}

TEST_CASE("losses of parts alone beside their gradients on the GPU", "[gpu]") {
    skip_without_gpu();
    check_part_losses(CudaTarget{});
}
