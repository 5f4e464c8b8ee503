// SPDX-License-Identifier: Apache-2.0
//
// Element types of every size on the emulated device: the vectors have 2 to 8 items.
#include "lang/type_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("maps of element types on the emulated device", "", bool, std::int8_t, std::uint16_t, std::int32_t,
                   std::uint64_t, float16, bfloat16, double) {
    check_maps_of_type<TestType>(EmulatedTarget{});
}

TEST_CASE("reductions of element types on the emulated device") {
    const EmulatedTarget target;
    check_reductions_of_type<std::uint8_t, 0b10>(target);
    check_reductions_of_type<bfloat16, 0b10>(target);
    check_reductions_of_type<double, 0b10>(target);
    check_reductions_of_type<std::int8_t, 0b01>(target);
    check_reductions_of_type<float16, 0b01>(target);
    check_total_of_type<float16>(target);
}

TEST_CASE("operands of mixed types on the emulated device") {
    check_mixed_types(EmulatedTarget{});
}
