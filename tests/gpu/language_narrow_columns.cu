// SPDX-License-Identifier: Apache-2.0
//
// Middle axes of which few columns lie side by side, columns of one phase of all ways to share them, and those of narrow types
// that lie as no vectors, on the GPU.
#include "lang/column_cases.hpp"
#include "lang/narrow_column_cases.hpp"
#include "lang/odd_column_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("reductions over a middle axis beside few columns on the GPU", "[gpu]") {
    skip_without_gpu();
    check_all_narrow_columns(CudaTarget{});
    check_narrow_columns<float>(CudaTarget{}, {{50000, 3, 2}, {3000, 40, 3}, {70, 1500, 12}}, 0);
}

TEST_CASE("columns of one block, of a cluster and of many blocks on the GPU", "[gpu]") {
    skip_without_gpu();
    const std::vector<Extent> shapes{{300, 1028},  {1000, 1000}, {2048, 768},  {4096, 1024}, {8192, 64},
                                     {4096, 49},   {16384, 17},  {12000, 12},  {1500, 92},   {20000, 128},
                                     {100000, 64}, {20000, 513}, {3000, 2000}, {64, 40000},  {16385, 3}};
    check_columns<float>(CudaTarget{}, shapes);
    check_columns<fuse::bfloat16>(CudaTarget{}, shapes);
}

TEST_CASE("columns of narrow types that begin anywhere, on the GPU", "[gpu]") {
    skip_without_gpu();
    check_all_odd_columns(CudaTarget{});
    for (const Extent& extent : {Extent{1, 20000, 513}, {1, 300000, 33}, {1, 70, 40001}, {1, 1000, 4099}}) {
        check_odd_columns<fuse::bfloat16>(CudaTarget{}, extent, {1}, {2});
        check_odd_columns<std::int8_t>(CudaTarget{}, extent, {5}, {0});
    }
}
