// SPDX-License-Identifier: Apache-2.0
//
// Rows in the shared memory of one emulated block, and of a cluster.
#include "lang/staged_row_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

namespace {

const std::vector<Extent> rows{{1, 1, 4104}, {1, 2, 5000}, {2, 1, 8192}};

}  // namespace

TEST_CASE("staged rows on the emulated device") {
    LaunchRecord record;
    check_staged_rows(EmulatedTarget{EmulatedExecutor(record)}, rows, {1, 9, 4200});
    for (const char* kernel : {"rows staged 2", "rows staged 2 in clusters of 2", "rows staged 2 in clusters of 4"}) {
        INFO(kernel);
        CHECK(record.saw(kernel));
    }
}

TEST_CASE("long rows of two axes, with gaps between them") {
    LaunchRecord record;
    check_rows_of_two_axes(EmulatedTarget{EmulatedExecutor(record)}, {{2, 40, 128}, {1, 10, 2048}, {3, 1, 4104}});
    CHECK(record.saw("rows staged"));
    CHECK(record.saw("grid"));
}

TEST_CASE("long rows of any length that begin anywhere") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_odd_staged_rows(target, 8333);
    CHECK(record.all() == std::set<std::string>{"rows staged 2 in clusters of 2", "rows staged 2 in clusters of 4",
                                                "rows staged 4 in clusters of 2", "rows staged 4 in clusters of 4"});
    check_softmax_of_sum<float>(target, {1, 9, 4201}, Placement::misaligned, 1e-5);
    // A chunk that is one vector in some rows, and nothing in others.
    check_odd_softmax<float>(target, 5, 6156, {1, 1}, {5, 1}, 2e-6);
    check_scaled_rows<float>(target, 5, 8204, {1, 1}, {5, 1}, 2e-5);
    check_odd_softmax<float>(target, 2, 8333, {1, 0}, {2, 0}, 2e-6);
    CHECK(record.saw("rows swept"));
}

TEST_CASE("a device without clusters holds a row in one block, and sweeps what that cannot hold") {
    LaunchRecord record;
    fuse::Device device = small_device;
    device.cluster_blocks = 1;
    const EmulatedTarget target{EmulatedExecutor(record).with(device)};
    check_softmax<0b100, float>(target, {{1, 2, 8192}}, Placement::row_major, 3e-6);
    CHECK(record.all() == std::set<std::string>{"rows staged 2"});
    check_softmax<0b100, float>(target, {{1, 2, 20000}}, Placement::row_major, 3e-6);
    CHECK(record.saw("rows swept"));
}

TEST_CASE("odd rows beside a scale end before their last chunk") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    for (fuse::index_t n = 8193; n < 8223; ++n) {
        check_odd_layer_norm<fuse::bfloat16>(target, 3, n, {n % 2, 0}, {}, 2e-2);
        check_odd_layer_norm<float>(target, 3, n, {n % 3, n % 2}, {1, 0}, 1e-4);
    }
    CHECK(record.saw("rows staged 4 in clusters of 2"));
}

TEST_CASE("odd rows beside a scale whose items are not neighbours") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_rows_beside_every_second<fuse::bfloat16>(target, 3, 143, 1e-2);
    check_rows_beside_every_second<fuse::bfloat16>(target, 3, 1025, 1e-2);
    check_rows_beside_every_second<float>(target, 3, 301, 1e-5);
    CHECK(record.all() == std::set<std::string>{"rows peeled 4"});
    check_rows_beside_every_second<float>(target, 3, 8333, 1e-5);
    check_rows_beside_every_second<fuse::bfloat16>(target, 3, 16403, 1e-2);
    CHECK(record.saw("rows swept"));
}
