// SPDX-License-Identifier: Apache-2.0
//
// The functors of the op table through the host executor.
#include "lang/op_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

TEST_CASE("every functor of float on the host") {
    check_functors<float>(HostTarget{});
}
