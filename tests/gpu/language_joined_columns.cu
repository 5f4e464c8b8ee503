// SPDX-License-Identifier: Apache-2.0
//
// Columns of few elements a row, whose rows are joined to lines, on the GPU: of one block, of a cluster and of many blocks.
#include "lang/joined_column_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("few columns in lines of several rows on the GPU", "[gpu]") {
    skip_without_gpu();
    fuse::Policy policy;
    policy.joined_column_items = 1;
    const CudaTarget always{{fuse::cuda.with(policy)}};
    check_all_joined_columns(always, {{1, 1, 3},
                                      {1, 16, 7},
                                      {2, 9, 4},
                                      {1, 30011, 1},
                                      {1, 20001, 2},
                                      {5, 8000, 3},
                                      {1, 12345, 5},
                                      {1, 7000, 30},
                                      {3, 1000, 100},
                                      {1, 3001, 101},
                                      {1, 2000, 255}});
    check_all_joined_columns(CudaTarget{}, {{1, 700001, 3}, {1, 100003, 28}});
    check_joined_folds<float>(always, {1, 3000000, 5}, Placement::row_major);
}
