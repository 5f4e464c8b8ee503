// SPDX-License-Identifier: Apache-2.0
//
// The reduction ops of the op table through the host executor.
#include "lang/op_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("every reduction op on the host") {
    const HostTarget target;
    for_each_reduction_record(ReductionOps<float, 1, HostTarget>{target});
    for_each_reduction_record(ReductionOps<std::int32_t, 0, HostTarget>{target});
}
