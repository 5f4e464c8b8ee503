// SPDX-License-Identifier: Apache-2.0
//
// Stores, casts and roundings to integers on the GPU, where one instruction does them.
#include "lang/conversion_cases.hpp"
#include "support/cuda_target.hpp"

using namespace fuse::testing;

TEST_CASE("stores and casts to integers on the GPU", "[gpu]") {
    skip_without_gpu();
    check_conversions<std::int64_t>(CudaTarget{});
    check_conversions<float>(CudaTarget{});
    check_conversions<double>(CudaTarget{});
}

TEST_CASE("rounded numbers as integers on the GPU", "[gpu]") {
    skip_without_gpu();
    check_rounded_conversions<std::int8_t>(CudaTarget{});
    check_rounded_conversions<std::uint8_t>(CudaTarget{});
    check_rounded_conversions<std::int16_t>(CudaTarget{});
    check_rounded_conversions<std::uint16_t>(CudaTarget{});
    check_rounded_conversions<std::int32_t>(CudaTarget{});
    check_rounded_conversions<std::uint32_t>(CudaTarget{});
    check_rounded_conversions<std::int64_t>(CudaTarget{});
}
