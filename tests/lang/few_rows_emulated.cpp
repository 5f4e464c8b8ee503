// SPDX-License-Identifier: Apache-2.0
//
// Few long rows, groups and columns on the emulated device, in blocks that meet.
#include "lang/few_row_cases.hpp"
#include "lang/plane_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

namespace {

/// So that rows of a thousand elements are shared.
EmulatedTarget sharing(LaunchRecord& record, bool bulk_copies) {
    fuse::Policy policy = small_policy;
    policy.shared_row_bytes = 2000;
    fuse::Device device = small_device;
    device.bulk_copies = bulk_copies;
    return EmulatedTarget{EmulatedExecutor(record).with(device).with(policy)};
}

}  // namespace

TEST_CASE("few long rows on the emulated device") {
    LaunchRecord record;
    for (const bool bulk_copies : {false, true}) {
        const EmulatedTarget target = sharing(record, bulk_copies);
        for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
            check_few_rows(target, 1, 9000, placement);
            check_few_rows(target, 2, 8203, placement);
        }
        check_few_rows(target, 1, 1027, Placement::spaced);
    }
    CHECK(record.saw("rows shared"));
    LaunchRecord of_variances;
    check_few_variances(sharing(of_variances, false), 20011);
    CHECK(of_variances.all() == std::set<std::string>{"rows shared 2"});
}

TEST_CASE("few long groups on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = sharing(record, true);
    check_few_groups(target, {1, 4, 60, 52}, 2, 1e-5);
    check_few_groups(target, {1, 6, 61, 53}, 1, 1e-5);
    check_few_groups(target, {2, 3, 50, 45}, 1, 1e-5);
    CHECK(record.saw("grid"));
    CHECK(record.saw("rows staged"));
    // Groups of one channel, and channels of one element, where a scale varies along the row after all.
    for (const Extent& extent : {Extent{2, 4, 7, 9}, {3, 8, 1, 1}, {2, 4096, 1, 1}, {2, 4, 64, 64}, {1, 8, 1, 40}}) {
        check_few_groups(target, extent, 4, 1e-5);
        check_few_groups(target, extent, 2, 1e-5);
    }
    const EmulatedTarget alone = sharing(record, false);
    check_few_groups(alone, {1, 4, 60, 52}, 2, 1e-5);
    check_all_planes(target);
}

TEST_CASE("few long columns on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = sharing(record, true);
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::padded}) {
        for (const Extent& extent : {Extent{1, 700, 5}, {1, 1003, 1}, {1, 515, 8}, {1, 257, 4}, {3, 129, 6}}) {
            check_few_columns(target, extent, placement);
        }
    }
    CHECK(record.saw("scan columns shared"));
}
