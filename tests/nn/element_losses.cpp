// SPDX-License-Identifier: Apache-2.0
//
// Losses of single elements that nn.hpp has beside those of fuse.hpp, on the host and on the emulated device: values,
// plans, what is out of range.
#include "nn/element_loss_cases.hpp"

#include "nn/rows.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("losses of elements in nn.hpp", "", HostTarget, EmulatedTarget) {
    check_element_losses<float>(TestType{}, nn_extents);
    check_element_loss_totals(TestType{});
}

TEMPLATE_TEST_CASE("losses of elements of other types", "", double, fuse::bfloat16) {
    check_element_losses<TestType>(HostTarget{}, {{1, 1}, {5, 7}, {3, 1000}});
}
