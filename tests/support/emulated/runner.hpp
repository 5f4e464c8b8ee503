// SPDX-License-Identifier: Apache-2.0
//
// Runs test kernels on emulated blocks: the counterpart of GpuRunner (support/gpu.hpp). Test bodies are
// templates over the runner.
#pragma once

#include <vector>

#include "support/emulated/emulate.hpp"

namespace fuse::testing {

struct EmulatedRunner {
    template <class T>
    using Buffer = std::vector<T>;

    Order order = Order::forward;
    unsigned seed = 1;

    template <class Kernel>
    void operator()(Dim2 grid, Dim2 block, std::size_t shared_bytes, const Kernel& kernel,
                    bool cooperative = false) const {
        emulate(grid, block, shared_bytes, kernel, EmulateOptions{order, seed, cooperative});
    }
};

}  // namespace fuse::testing
