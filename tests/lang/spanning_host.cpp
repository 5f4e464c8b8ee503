// SPDX-License-Identifier: Apache-2.0
//
// Operands that do not span the domain, on the host: with small blocks, and with the blocks that users have.
#include "lang/beside_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

namespace {

struct DefaultHost : CpuTarget<fuse::HostExecutor> {};

}  // namespace

TEST_CASE("full reductions of two ranks on the host") {
    check_full_pairs(HostTarget{});
    check_shared_values(HostTarget{});
}

TEMPLATE_TEST_CASE("stretched operands on the host", "", HostTarget, DefaultHost) {
    const TestType target;
    check_stretched_reductions(target);
    check_small_outputs(target);
    check_index(target);
    check_stretched_scans(target);
}

TEMPLATE_TEST_CASE("outputs of any shape and of none on the host", "", HostTarget, DefaultHost) {
    const TestType target;
    check_fills(target);
    check_empty_beside(target);
    check_absent_elements(target);
}
