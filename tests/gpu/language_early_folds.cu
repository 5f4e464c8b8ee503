// SPDX-License-Identifier: Apache-2.0
//
// Outputs per element that folds along some axes write on their way, on the GPU.
#include "lang/early_fold_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("outputs that folds along some axes write on their way on the GPU", "[gpu]") {
    skip_without_gpu();
    check_early_folds(CudaTarget{},
                      {{1, 1, 1}, {2, 0, 3}, {2, 5, 16}, {3, 70, 65}, {40, 3, 130}, {1, 301, 4}, {2, 3000, 257}});
    check_early_folds_along<0b010>(CudaTarget{}, {{1, 9000, 12}, {1, 20011, 100}, {1, 4096, 1024}, {7, 1024, 33}});
    check_early_folds_along<0b101>(CudaTarget{}, {{67, 2, 9710}});
}
