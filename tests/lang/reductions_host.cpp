// SPDX-License-Identifier: Apache-2.0
//
// The reduction ops of the op table through the host executor.
#include "lang/op_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

TEST_CASE("every reduction op on the host") {
    check_all_reductions<1, float>(HostTarget{});
    check_all_reductions<0, std::int32_t>(HostTarget{});
}
