// SPDX-License-Identifier: Apache-2.0
//
// Shapes, strides, axes and element types on the GPU: the bodies of tests/lang.
#include "lang/axes_cases.hpp"
#include "lang/shape_cases.hpp"
#include "lang/type_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

namespace {

const std::vector<Placement> some{Placement::row_major, Placement::padded, Placement::transposed, Placement::reversed};

}  // namespace

TEST_CASE("maps of any rank, shape and stride on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_maps_of_rank<CudaTarget, 0>(target);
    check_maps_of_rank<CudaTarget, 1>(target);
    check_maps_of_rank<CudaTarget, 3>(target);
    check_maps_of_rank<CudaTarget, 6>(target);
}

TEST_CASE("full reductions of any rank, shape and stride on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_sums_of_rank<CudaTarget, 1>(target);
    check_sums_of_rank<CudaTarget, 4>(target);
}

TEST_CASE("all subsets of axes of rank 3 on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_all_axes<CudaTarget, 3>(target, {{2, 3, 5}, {1, 9, 1}, {3, 2, 68}, {68, 3, 2}, {2, 1000, 9}, {7, 50, 301}},
                                  some);
    check_axes<CudaTarget, 4, 0b1010>(target, {{2, 3, 5, 4}, {3, 2, 1, 36}}, some);
    check_axes<CudaTarget, 4, 0b0101>(target, {{2, 3, 5, 4}, {8, 2, 7, 9}}, some);
}

TEMPLATE_TEST_CASE("maps of element types on the GPU", "[gpu]", bool, std::int8_t, std::uint16_t, std::int64_t,
                   fuse::float16, fuse::bfloat16, double) {
    skip_without_gpu();
    check_maps_of_type<TestType>(CudaTarget{});
}

TEST_CASE("reductions of element types on the GPU", "[gpu]") {
    skip_without_gpu();
    const CudaTarget target;
    check_reductions_of_type<std::uint8_t, 0b10>(target);
    check_reductions_of_type<fuse::bfloat16, 0b10>(target);
    check_reductions_of_type<std::int8_t, 0b01>(target);
    check_reductions_of_type<fuse::float16, 0b01>(target);
    check_total_of_type<fuse::float16>(target);
    check_mixed_types(target);
}
