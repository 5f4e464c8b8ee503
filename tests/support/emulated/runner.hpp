// SPDX-License-Identifier: Apache-2.0
//
// Runs test kernels on emulated blocks: the counterpart of GpuRunner (support/gpu.hpp). Test bodies are
// templates over the runner.
#pragma once

#include <type_traits>
#include <vector>

#include "support/emulated/emulate.hpp"

namespace fuse::testing {

/// View: the block type that a kernel is given, EmulatedBlock or a view of it.
template <class View>
struct EmulatedRunnerOf {
    static constexpr BlockTraits block_type = block_traits<View>;

    template <class T>
    using Buffer = std::vector<T>;

    Order order = Order::forward;
    unsigned seed = 1;

    template <class Kernel>
    void operator()(Dim2 grid, Dim2 block, std::size_t shared_bytes, const Kernel& kernel,
                    bool cooperative = false) const {
        const auto body = [&kernel](EmulatedBlock& any) {
            if constexpr (std::is_same_v<View, EmulatedBlock>) {
                kernel(any);
            } else {
                View view(any);
                kernel(view);
            }
        };
        emulate(grid, block, shared_bytes, body, EmulateOptions{order, seed, cooperative, 0, View::warp_size});
    }
};

using EmulatedRunner = EmulatedRunnerOf<EmulatedBlock>;

}  // namespace fuse::testing
