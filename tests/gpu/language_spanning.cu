// SPDX-License-Identifier: Apache-2.0
//
// Operands that do not span the domain, on the GPU: the bodies of tests/lang.
#include "lang/beside_cases.hpp"
#include "lang/fold_place_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("full reductions of two ranks on the GPU", "[gpu]") {
    skip_without_gpu();
    check_full_pairs(CudaTarget{});
    check_shared_values(CudaTarget{});
}

TEST_CASE("outputs of any shape and of none on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_fills(target);
    check_empty_beside(target);
    check_absent_elements(target);
}

TEST_CASE("reductions of matrices beside products of them on the GPU", "[gpu]") {
    skip_without_gpu();
    check_fold_places(CudaTarget{});
}
