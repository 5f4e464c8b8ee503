// SPDX-License-Identifier: Apache-2.0
//
// Maps, and folds of everything, of operands with fewer axes on the GPU.
#include "lang/broadcast_fold_cases.hpp"
#include "lang/broadcast_map_cases.hpp"
#include "lang/cycle_map_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("maps of operands with fewer axes on the GPU", "[gpu]") {
    skip_without_gpu();
    check_broadcast_maps(CudaTarget{});
    check_broadcast_map<float>(CudaTarget{}, {64, 31, 784});
    check_broadcast_map<fuse::bfloat16>(CudaTarget{}, {16, 64, 1023});
}

TEST_CASE("maps beside numbers of innermost channels on the GPU", "[gpu]") {
    skip_without_gpu();
    check_cycle_maps(CudaTarget{});
    for (const fuse::index_t channels : {2, 3, 4, 7}) {
        check_cycle_map<std::uint8_t, float>(CudaTarget{}, {70, 3001, channels}, Placement::row_major,
                                             Placement::row_major, Placement::row_major);
    }
}

TEST_CASE("folds of operands with fewer axes on the GPU", "[gpu]") {
    skip_without_gpu();
    check_broadcast_folds(CudaTarget{});
    check_broadcast_fold<float>(CudaTarget{}, {64, 31, 784});
    check_broadcast_fold<fuse::bfloat16>(CudaTarget{}, {16, 64, 1023});
    check_broadcast_fold<fuse::bfloat16>(CudaTarget{}, {33, 257, 49});
}
