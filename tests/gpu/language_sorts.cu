// SPDX-License-Identifier: Apache-2.0
//
// Sorts and compaction on the GPU: the bodies of tests/lang.
#include "lang/sort_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("rows are sorted on the GPU", "[gpu]", float, double, fuse::bfloat16, std::int32_t) {
    skip_without_gpu();
    for (const fuse::index_t n : {1, 2, 3, 7, 33, 64, 100, 255, 256, 257, 1000, 4095, 5000}) {
        check_sort<TestType>(CudaTarget{}, 3, n);
    }
    check_sort<TestType>(CudaTarget{}, 700, 65);
}

TEST_CASE("a row that does not fit the shared memory of the device is refused", "[gpu]") {
    skip_without_gpu();
    ManagedBuffer<float> data(200000);
    const auto x = fuse::view<"x">(data.data(), 200000);
    CHECK_THROWS_AS(fuse::eval(fuse::cuda, fuse::view<"y">(data.data(), 200000) = sort(x)), fuse::shape_error);
}

TEMPLATE_TEST_CASE("kept elements move to the front on the GPU", "[gpu]", float, fuse::bfloat16, std::int32_t) {
    skip_without_gpu();
    for (const double threshold : {-60.0, 0.0, 49.0, 60.0}) {
        for (const fuse::index_t n : {1, 65, 12287, 12288, 12289, 100001, 3000017}) {
            check_compact<TestType>(CudaTarget{}, n, threshold);
        }
    }
}
