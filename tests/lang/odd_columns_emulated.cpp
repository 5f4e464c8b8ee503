// SPDX-License-Identifier: Apache-2.0
//
// Columns of narrow types whose rows lie as no vectors, on the emulated device.
#include "lang/odd_column_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("columns of narrow types that begin anywhere, on the emulated device") {
    check_all_odd_columns(EmulatedTarget{});
}

TEST_CASE("columns of narrow types that many blocks share, on the emulated device") {
    const fuse::Device device{.units = 8, .threads_per_unit = 512, .block_threads = 512};
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record).with(device)};
    check_odd_columns<fuse::bfloat16>(target, {1, 3000, 33}, {1}, {2});
    check_odd_columns<std::int8_t>(target, {1, 2000, 131}, {3}, {0});
    CHECK(record.saw("column split"));
}
