// SPDX-License-Identifier: Apache-2.0
//
// argmax and argmin of vectors on the GPU: the bodies of tests/lang.
#include "lang/arg_vector_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("argmax and argmin of vectors on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    // Short rows by way of shared memory, a few lanes each, a warp, a block, in turns, and few long ones.
    check_arg_vectors<float>(target, {{3000, 7},
                                      {3000, 49},
                                      {700, 333},
                                      {700, 1000},
                                      {600, 1001},
                                      {600, 4095},
                                      {600, 4096},
                                      {600, 5121},
                                      {600, 8191},
                                      {50, 8191},
                                      {600, 16385},
                                      {3, 300001},
                                      {1, 1000003}});
    check_arg_vectors<bfloat16>(target, {{3000, 7},
                                         {3000, 49},
                                         {700, 333},
                                         {700, 1001},
                                         {600, 4096},
                                         {600, 5121},
                                         {600, 8192},
                                         {50, 8191},
                                         {600, 16392},
                                         {3, 300001},
                                         {1, 1000003}});
    check_arg_vectors<std::int8_t>(target, {{3000, 17}, {600, 1024}, {600, 8193}, {3, 300001}});
    check_arg_vectors<double>(target, {{3000, 7}, {600, 1025}, {600, 5120}, {3, 100001}});
}
