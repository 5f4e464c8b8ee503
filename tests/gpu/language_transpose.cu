// SPDX-License-Identifier: Apache-2.0
//
// Transposed maps on the GPU: the bodies of tests/lang, and some of many blocks.
#include "lang/channel_cases.hpp"
#include "lang/transpose_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("transposed maps on the GPU", "[gpu]") {
    skip_without_gpu();
    check_transposed(CudaTarget{});
    check_turned_into_wider(CudaTarget{});
    check_turned_beside_all(CudaTarget{});
    check_turned_beside<std::uint8_t>(CudaTarget{}, {3, 50176, 3}, Placement::row_major);
    check_turned<float, 2>(CudaTarget{}, {2049, 1023}, {1, 0}, {0, 1});
    check_turned<fuse::bfloat16, 2>(CudaTarget{}, {1023, 2050}, {1, 0}, {0, 1});
    // So many lines that tiles have whole ones.
    check_turned<fuse::bfloat16, 2>(CudaTarget{}, {129, 60001}, {1, 0}, {0, 1}, Placement::misaligned);
    // So many that tiles of short lines are large.
    check_turned<fuse::bfloat16, 2>(CudaTarget{}, {90001, 129}, {1, 0}, {0, 1}, Placement::misaligned);
    check_turned<float, 3>(CudaTarget{}, {9, 3136, 203}, {0, 2, 1}, {0, 1, 2});
    check_turned<std::int8_t, 2>(CudaTarget{}, {60001, 351}, {1, 0}, {0, 1});
    check_turned<float, 4>(CudaTarget{}, {5, 28, 31, 64}, {0, 2, 3, 1}, {0, 1, 2, 3});
}

TEST_CASE("images and planes of their channels on the GPU", "[gpu]") {
    skip_without_gpu();
    sweep_channels(CudaTarget{});
    check_channels<std::uint8_t, float>(CudaTarget{}, {3, 3, 224, 260}, false, Placement::row_major,
                                        Placement::row_major);
    check_channels<float, std::uint8_t>(CudaTarget{}, {3, 3, 224, 260}, true, Placement::row_major,
                                        Placement::row_major);
}
