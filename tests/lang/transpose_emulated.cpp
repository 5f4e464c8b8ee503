// SPDX-License-Identifier: Apache-2.0
//
// Transposed maps on the emulated device, and which of them go through tiles; the same maps on the host.
#include "lang/channel_cases.hpp"
#include "lang/transpose_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("transposed maps on the emulated device") {
    LaunchRecord record;
    check_transposed(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.all() == std::set<std::string>{"map 2", "transpose 1"});
}

TEST_CASE("transposed maps into wider types on the emulated device") {
    LaunchRecord record;
    check_turned_into_wider(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("transpose"));
}

TEST_CASE("transposed maps beside numbers of lines and of columns") {
    LaunchRecord record;
    check_turned_beside_all(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("transpose"));
    check_turned_beside_all(HostTarget{});
}

TEST_CASE("images and planes of their channels on the emulated device and the host") {
    LaunchRecord record;
    sweep_channels(EmulatedTarget{EmulatedExecutor(record)});
    for (const char* launch : {"channels 2", "channels 3", "channels 4", "transpose 1"}) {
        CHECK(record.all().count(launch) == 1);
    }
    sweep_channels(HostTarget{});
}

TEST_CASE("transposed maps on the host") {
    check_transposed(HostTarget{});
}

TEST_CASE("the order of threads does not change transposed maps") {
    for (const Order order : {Order::forward, Order::reverse}) {
        LaunchRecord record;
        const EmulatedTarget target{EmulatedExecutor(record, order)};
        check_turned<float, 2>(target, {67, 131}, {1, 0}, {0, 1});
        check_turned<fuse::bfloat16, 3>(target, {2, 35, 70}, {0, 2, 1}, {0, 1, 2}, Placement::misaligned);
        CHECK(record.all() == std::set<std::string>{"transpose 1"});
    }
}

TEST_CASE("maps that gain nothing from a tile take none") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_turned<float, 2>(target, {15, 60}, {1, 0}, {0, 1});
    check_turned<float, 2>(target, {60, 15}, {1, 0}, {0, 1});
    check_turned<float, 2>(target, {15, 100}, {1, 0}, {0, 1}, Placement::padded);
    check_turned<float, 2>(target, {40, 50}, {1, 0}, {1, 0});
    check_turned<float, 3>(target, {20, 30, 40}, {1, 0, 2}, {0, 1, 2});
    check_opposite_outputs(target, {40, 50});
    CHECK(record.all() == std::set<std::string>{"map 2"});
}
