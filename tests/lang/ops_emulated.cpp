// SPDX-License-Identifier: Apache-2.0
//
// The op table on the emulated device: functors of double, reductions of float over columns.
#include "lang/op_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("every functor of double on the emulated device") {
    check_functors<double>(EmulatedTarget{});
}

TEST_CASE("every reduction op over columns on the emulated device") {
    const EmulatedTarget target;
    fuse_test::for_each_reduction_record(ReductionOps<float, 0, EmulatedTarget>{target});
}
