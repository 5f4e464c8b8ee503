// SPDX-License-Identifier: Apache-2.0
//
// Few long rows, groups and columns on the GPU: the bodies of tests/lang.
#include "lang/few_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("few long rows on the GPU", "[gpu]") {
    skip_without_gpu();
    for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
        check_few_rows(CudaTarget{}, 1, 1200001, placement);
        check_few_rows(CudaTarget{}, 2, 500000, placement);
        check_few_rows(CudaTarget{}, 17, 70003, placement);
        check_few_rows(CudaTarget{}, 130, 51200, placement);
    }
    check_few_rows(CudaTarget{}, 1, 3000000, Placement::row_major);
    check_few_variances(CudaTarget{}, 3000001);
}

TEST_CASE("few long groups on the GPU", "[gpu]") {
    skip_without_gpu();
    check_few_groups(CudaTarget{}, {1, 64, 128, 132}, 32, 2e-5);
    check_few_groups(CudaTarget{}, {2, 6, 301, 307}, 2, 2e-5);
    check_few_groups(CudaTarget{}, {8, 64, 128, 128}, 32, 2e-5);
}

TEST_CASE("few long columns on the GPU", "[gpu]") {
    skip_without_gpu();
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::padded}) {
        for (const Extent& extent :
             {Extent{1, 300001, 5}, {1, 1000003, 1}, {1, 60000, 64}, {3, 20001, 30}, {2, 700, 100}, {1, 5000, 1}}) {
            check_few_columns(CudaTarget{}, extent, placement);
        }
    }
}
