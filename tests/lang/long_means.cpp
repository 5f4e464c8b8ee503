// SPDX-License-Identifier: Apache-2.0
//
// Means of integers whose sum has no place in 64 bits.
#include "lang/special_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("means of 64-bit integers", "", HostTarget, EmulatedTarget) {
    check_means_of_long_integers<std::int64_t>(TestType{}, std::int64_t{1} << 62);
    check_means_of_long_integers<std::int64_t>(TestType{}, std::numeric_limits<std::int64_t>::lowest());
    check_means_of_long_integers<std::uint64_t>(TestType{}, std::uint64_t{1} << 63);
}
