// SPDX-License-Identifier: Apache-2.0
//
// The result of a user's reduction, of every type, on the host and on the emulated device.
#include "lang/project_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

// Of 195 elements some 92 are positive, so that eight bits are enough to count them.
const NdArray x = random_integers({3, 65}, -10, 9, 7);

}  // namespace

TEMPLATE_TEST_CASE("what project returns is the result", "", std::uint8_t, std::int32_t, std::int64_t, float, double) {
    check_projected_to_all<TestType>(HostTarget{}, x);
    check_projected_to_all<TestType>(EmulatedTarget{}, x);
}

// Alone in a kernel: accumulators and results of one, four and eight bytes.
TEMPLATE_TEST_CASE("what project returns is the result of every family", "", HostTarget, EmulatedTarget) {
    const TestType target;
    check_projected<std::uint8_t, double>(target, x);
    check_projected<std::int32_t, std::int8_t>(target, x);
    check_projected<std::int64_t, float>(target, x);
    check_projected<double, bool>(target, x);
}

TEMPLATE_TEST_CASE("a declared result, no project, accumulators of several fields", "", HostTarget, EmulatedTarget) {
    check_declared_and_absent(TestType{});
}
