// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of reductions, norms and losses on the host, those of norms and of what broadcasts on the emulated device,
// too: in one file, so that they are planned once.
#include "lang/gradient_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

namespace {

const std::vector<Extent> shapes = {{5, 7}, {1, 1}, {1, 9}, {6, 1}, {3, 70}};

}  // namespace

TEST_CASE("gradients of reductions") {
    for (const Extent& extent : shapes) {
        check_gradients_of_reductions(HostTarget{}, extent);
    }
}

TEST_CASE("gradients of norms") {
    for (const Extent& extent : shapes) {
        check_gradients_of_norms(HostTarget{}, extent);
    }
}

TEST_CASE("gradients of losses") {
    for (const Extent& extent : shapes) {
        check_gradients_of_losses(HostTarget{}, extent);
    }
}

TEST_CASE("gradients of operands that broadcast") {
    for (const Extent& extent : shapes) {
        if (extent[0] > 1 && extent[1] > 1) {
            check_gradients_of_broadcasts(HostTarget{}, extent);
        }
    }
}

TEST_CASE("gradients on the emulated device") {
    const EmulatedTarget target;
    check_gradients_of_norms(target, {5, 7});
    check_gradients_of_broadcasts(target, {9, 33});
}
