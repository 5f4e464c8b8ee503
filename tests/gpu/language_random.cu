// SPDX-License-Identifier: Apache-2.0
//
// Random numbers of the language on the GPU: the bodies of tests/lang.
#include "lang/random_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("random numbers are those of the paper on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_known_answer(target);
    check_random_maps(target);
    check_flat_index(target);
    check_random_operands(target);
    check_random_statistics(target);
    check_dropout(target);
}
