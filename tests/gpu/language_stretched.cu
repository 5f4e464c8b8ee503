// SPDX-License-Identifier: Apache-2.0
//
// Operands of extent 1 that are stretched at run time, on the GPU: the bodies of tests/lang. A file of its own, for each
// of them is many kernels.
#include "lang/beside_cases.hpp"
#include "lang/stretched_fold_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("stretched operands on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_stretched_reductions(target);
    check_small_outputs(target);
    check_index(target);
    check_stretched_scans(target);
    check_stretched_folds(target);
}
