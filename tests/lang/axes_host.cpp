// SPDX-License-Identifier: Apache-2.0
//
// All subsets of axes up to rank 4 and some beyond, on the host.
#include "lang/axes_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

namespace {

const std::vector<Placement> everywhere(std::begin(all_placements), std::end(all_placements));

}  // namespace

TEST_CASE("all subsets of axes up to rank 4 on the host") {
    const HostTarget target;
    check_all_axes<HostTarget, 1>(target, {{1}, {13}, {300}}, everywhere);
    check_all_axes<HostTarget, 2>(target, {{1, 1}, {5, 1}, {1, 9}, {17, 70}, {70, 17}, {2, 400}}, everywhere);
    check_all_axes<HostTarget, 3>(target, {{2, 3, 5}, {1, 7, 1}, {4, 1, 67}, {5, 67, 2}, {67, 2, 3}}, everywhere);
    check_all_axes<HostTarget, 4>(target, {{2, 3, 5, 4}, {1, 3, 1, 7}, {3, 1, 66, 2}}, everywhere);
}

TEST_CASE("axes of rank 5 and 6 on the host") {
    const HostTarget target;
    check_axes<HostTarget, 5, 0b01010>(target, {{2, 3, 2, 5, 3}, {1, 4, 1, 1, 2}}, everywhere);
    check_axes<HostTarget, 6, 0b101101>(target, {{2, 3, 2, 1, 3, 2}, {1, 2, 3, 2, 1, 5}}, everywhere);
}

TEST_CASE("all subsets of axes of operands that have one axis less than their kernel, on the host") {
    const HostTarget target;
    check_axes_beside_more<HostTarget, 1>(target, {70});
    check_axes_beside_more<HostTarget, 2>(target, {5, 70});
    check_axes_beside_more<HostTarget, 3>(target, {4, 3, 5});
    check_axes_beside_more<HostTarget, 3>(target, {4, 1, 5});
}
