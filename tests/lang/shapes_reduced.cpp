// SPDX-License-Identifier: Apache-2.0
//
// Reductions over all axes of operands of rank 0 to 6, with strides of every kind.
#include "lang/shape_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("full reductions of any rank, shape and stride", "", HostTarget, EmulatedTarget) {
    const TestType target;
    check_sums_of_rank<TestType, 0>(target);
    check_sums_of_rank<TestType, 1>(target);
    check_sums_of_rank<TestType, 2>(target);
    check_sums_of_rank<TestType, 4>(target);
    check_sums_of_rank<TestType, 6>(target);
}
