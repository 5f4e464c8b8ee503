// SPDX-License-Identifier: Apache-2.0
//
// NaN, infinities and ties on the host, whose compiler optimises.
#include "lang/special_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("NaN, infinities and ties in extrema on the host") {
    check_special_extrema(HostTarget());
    check_ties(HostTarget());
    check_ties_in_rows(HostTarget());
}

TEST_CASE("NaN and infinities in sums, counts and norms on the host") {
    check_special_sums(HostTarget());
}
