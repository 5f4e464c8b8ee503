// SPDX-License-Identifier: Apache-2.0
//
// Folds of matrices one after the other, each along the rows of the next.
#include "lang/chain_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("chains of folds along different axes") {
    check_all_chains(HostTarget());
}
TEST_CASE("chains of folds along different axes on the emulated device") {
    check_all_chains(EmulatedTarget());
}
