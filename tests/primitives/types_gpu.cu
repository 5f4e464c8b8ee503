// SPDX-License-Identifier: Apache-2.0
//
// CUDA's 8-bit floating-point types as storage and complex numbers as accumulators, on the GPU: the bodies of the
// emulated tests. fuse knows nothing of these types; that they convert from and to float is all it asks.
#include <cuda_fp8.h>

#include "primitives/complex_warp_cases.hpp"
#include "primitives/float8_cases.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace fuse::testing;

namespace {

constexpr std::size_t shared_limit = 200 * 1024;

template <class F, class Format>
void check_float8() {
    for (const Dim2 block : float8_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_float8_tiles<F, Format>(BoundedRunner{}, block) == 0);
    }
    CHECK(count_wrong_float8_tiles2d<F, Format>(BoundedRunner{}) == 0);
}

}  // namespace

TEST_CASE("8-bit floating point is read, reduced in float and written on the GPU", "[gpu]") {
    skip_without_gpu();
    check_float8<__nv_fp8_e4m3, Float8Format<4>>();
    check_float8<__nv_fp8_e5m2, Float8Format<5>>();
}

TEMPLATE_TEST_CASE("folds, scans and batched folds carry complex numbers on the GPU", "[gpu]", CollectivesAlongX,
                   CollectivesAlongY, CollectivesOfBlock) {
    skip_without_gpu();
    for (const Dim2 block : batched_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_complex<TestType>(BoundedRunner{}, block, shared_limit) == 0);
    }
}

TEST_CASE("warps fold, scan and scatter complex numbers on the GPU", "[gpu]") {
    skip_without_gpu();
    CHECK(count_wrong_complex_warps(BoundedRunner{}) == 0);
}
