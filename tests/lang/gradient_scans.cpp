// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of scans on the host.
#include "lang/gradient_scan_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of scans on the host") {
    for (const Extent& extent :
         {Extent{5, 7}, Extent{1, 1}, Extent{1, 9}, Extent{6, 1}, Extent{3, 150}, Extent{0, 3}, Extent{3, 0}}) {
        check_gradients_of_scans(HostTarget{}, extent);
    }
}

TEST_CASE("gradients of linear recurrences on the host") {
    for (const Extent& extent : {Extent{5, 7}, Extent{3, 150}}) {
        check_gradients_of_recurrences(HostTarget{}, extent);
    }
}
