// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of scans, extrema and reductions by ops of the user on the GPU.
#include "lang/gradient_fold_cases.hpp"
#include "lang/gradient_scan_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of scans and folds on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    for (const Extent& extent : {Extent{5, 7}, Extent{3, 300}}) {
        check_gradients_of_scans(target, extent);
        check_gradients_of_recurrences(target, extent);
        check_gradients_of_extrema(target, extent);
        check_gradients_of_user_folds(target, extent);
    }
}
