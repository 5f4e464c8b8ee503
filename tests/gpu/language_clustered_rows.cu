// SPDX-License-Identifier: Apache-2.0
//
// Few long rows in the registers of clusters of blocks, on the GPU.
#include "lang/clustered_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("few long rows in clusters on the GPU", "[gpu]") {
    skip_without_gpu();
    for (const Extent& extent :
         {Extent{1, 8192}, {3, 20480}, {33, 5120}, {16, 32768}, {64, 16384}, {2, 65536}, {5, 100000}}) {
        check_clustered_rows(CudaTarget{}, extent);
    }
    check_clustered_specials(CudaTarget{}, 20480);
    // Whatever is faster otherwise.
    fuse::Policy policy;
    policy.clustered_row_vectors = 64;
    policy.clustered_blocks_per_unit = 1 << 20;
    const CudaTarget always{{fuse::cuda.with(policy)}};
    for (const Extent& extent : {Extent{7, 1024}, {700, 4112}, {300, 16400}}) {
        check_clustered_rows(always, extent);
    }
}

TEST_CASE("few long groups in clusters on the GPU", "[gpu]") {
    skip_without_gpu();
    check_few_groups(CudaTarget{}, {1, 320, 64, 64}, 32, 2e-5);
    check_few_groups(CudaTarget{}, {2, 64, 32, 32}, 8, 2e-5);
    check_few_groups(CudaTarget{}, {3, 64, 56, 56}, 4, 2e-5);
}
