// SPDX-License-Identifier: Apache-2.0
//
// Rows in shared memory on the GPU, of one block and of clusters up to the largest: the bodies of tests/lang.
#include "lang/staged_row_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("long rows of any length that begin anywhere, on the GPU", "[gpu]") {
    skip_without_gpu();
    for (const fuse::index_t n : {16421, 50257, 262147}) {
        check_odd_staged_rows(CudaTarget{}, n);
    }
}

TEST_CASE("staged rows on the GPU", "[gpu]") {
    skip_without_gpu();
    check_staged_rows(CudaTarget{}, {{1, 1, 16392}, {1, 3, 50008}, {2, 2, 65536}, {1, 2, 300000}, {1, 1, 800000}},
                      {2, 300, 16400});
    check_rows_of_two_axes(CudaTarget{}, {{2, 40, 2048}, {1, 3, 65536}, {3, 1, 100000}});
}
