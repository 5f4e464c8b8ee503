// SPDX-License-Identifier: Apache-2.0
//
// argmax and argmin of vectors on the host and on the emulated device.
#include <cstdint>

#include "lang/arg_vector_cases.hpp"
#include "support/host_target.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("argmax and argmin of vectors on the host", "", float, double, std::int8_t, std::uint64_t) {
    check_arg_vectors<TestType>(
        HostTarget{}, {{5, 1}, {3, 7}, {70, 63}, {64, 64}, {9, 65}, {130, 17}, {3, 200}, {2, 8191}, {2, 20000}});
}

TEMPLATE_TEST_CASE("argmax and argmin of vectors on the emulated device", "", float, bfloat16, double, std::int8_t) {
    LaunchRecord record;
    check_arg_vectors<TestType>(
        EmulatedTarget{EmulatedExecutor(record)},
        {{3, 7}, {70, 7}, {70, 17}, {9, 65}, {40, 64}, {5, 200}, {3, 1024}, {2, 4099}, {20, 5125}, {1, 20000}});
    for (const char* kernel : {"rows resident", "rows peeled", "rows swept", "rows short"}) {
        INFO(kernel);
        CHECK(record.saw(kernel));
    }
}
