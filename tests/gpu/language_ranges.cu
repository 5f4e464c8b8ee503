// SPDX-License-Identifier: Apache-2.0
//
// Arrays without memory on the GPU: the bodies of tests/lang.
#include "lang/range_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("arange, linspace, broadcast_to on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_arange(target);
    check_tables(target);
    check_broadcast_to(target);
    check_range_parts(target);
    check_random_arrays(target);
}
