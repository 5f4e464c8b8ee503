// SPDX-License-Identifier: Apache-2.0
//
// Coordinates compared with numbers on the GPU.
#include "lang/position_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("coordinates compared with numbers on the GPU", "[gpu]") {
    skip_without_gpu();
    check_all_positions(CudaTarget{}, {1, 5, 8, 64, 256, 1000, 1024, 1027, 4096, 20000, 50257, 65536, 1048576});
}
