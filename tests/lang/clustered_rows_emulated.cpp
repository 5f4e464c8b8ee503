// SPDX-License-Identifier: Apache-2.0
//
// Few long rows in the registers of clusters of blocks, on the emulated device.
#include "lang/clustered_row_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

namespace {

/// So that rows of a few vectors are held by clusters.
EmulatedTarget clustering(LaunchRecord& record, unsigned blocks) {
    fuse::Policy policy = small_policy;
    policy.clustered_row_vectors = 16;
    policy.clustered_blocks_per_unit = 1 << 20;
    policy.register_row_bytes = 1;
    fuse::Device device = small_device;
    device.bulk_copies = true;
    device.cluster_blocks = blocks;
    return EmulatedTarget{EmulatedExecutor(record).with(device).with(policy)};
}

}  // namespace

TEST_CASE("few long rows in clusters on the emulated device") {
    for (const unsigned blocks : {2U, 4U, 16U}) {
        LaunchRecord record;
        const EmulatedTarget target = clustering(record, blocks);
        check_clustered_rows(target, {3, 1024});
        check_clustered_rows(target, {2, 160});
        check_clustered_rows(target, {1, 4112});
        check_clustered_specials(target, 2064);
        CHECK(record.saw("rows clustered"));
    }
}

TEST_CASE("few long groups in clusters on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = clustering(record, 8);
    check_few_groups(target, {1, 4, 60, 52}, 2, 1e-5);
    check_few_groups(target, {2, 6, 16, 64}, 3, 1e-5);
    check_few_groups(target, {1, 6, 61, 53}, 1, 1e-5);
    CHECK(record.saw("rows clustered"));
}
