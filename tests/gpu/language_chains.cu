// SPDX-License-Identifier: Apache-2.0
//
// Results that are put along the rows of what comes next, on the GPU: the body of tests/lang.
#include "lang/chain_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("chains of folds along different axes on the GPU", "[gpu]") {
    skip_without_gpu();
    check_all_chains(CudaTarget{});
}
