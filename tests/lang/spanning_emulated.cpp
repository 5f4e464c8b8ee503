// SPDX-License-Identifier: Apache-2.0
//
// Operands that do not span the domain, on the emulated device.
#include "lang/beside_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("full reductions of two ranks on the emulated device") {
    check_full_pairs(EmulatedTarget{});
    check_shared_values(EmulatedTarget{});
}

TEST_CASE("stretched operands on the emulated device") {
    const EmulatedTarget target;
    check_stretched_reductions(target);
    check_small_outputs(target);
    check_index(target);
    check_stretched_scans(target);
}

TEST_CASE("outputs of any shape and of none on the emulated device") {
    const EmulatedTarget target;
    check_fills(target);
    check_empty_beside(target);
    check_absent_elements(target);
}
