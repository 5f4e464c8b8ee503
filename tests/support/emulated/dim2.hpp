// SPDX-License-Identifier: Apache-2.0
//
// Shape of a launch in tests, the same for emulated blocks and the GPU.
#pragma once

namespace fuse::testing {

struct Dim2 {
    unsigned x = 1;
    unsigned y = 1;

    constexpr unsigned count() const { return x * y; }
};

}  // namespace fuse::testing
